// Six symbolic keys into a binary search tree: 4683 paths, the ordered Bell number of 6, as tree_insert.h derives.
// domain: keys int = 0..5
// paths: 4683
// findings: none
#define COUNT 6
#include "tree_insert.h"
