// Bubble sort of 5 symbolic ints: 5! paths, as bubble_sort.h derives.
// domain: numbers int = 0..4
// paths: 120
// findings: none
#define COUNT 5
#include "bubble_sort.h"
