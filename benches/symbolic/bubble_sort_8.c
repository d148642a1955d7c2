// Bubble sort of 8 symbolic ints: 8! paths, as bubble_sort.h derives.
// domain: numbers int = 0..7
// paths: 40320
// findings: none
#define COUNT 8
#include "bubble_sort.h"
