// Seven symbolic keys into a binary search tree, for more than one job: 47293 paths, as tree_insert.h derives.
// domain: keys int = 0..6
// paths: 47293
// findings: none
#define COUNT 7
#include "tree_insert.h"
