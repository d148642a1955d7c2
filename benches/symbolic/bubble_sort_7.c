// Bubble sort of 7 symbolic ints: 7! paths, as bubble_sort.h derives.
// domain: numbers int = 0..6
// paths: 5040
// findings: none
#define COUNT 7
#include "bubble_sort.h"
