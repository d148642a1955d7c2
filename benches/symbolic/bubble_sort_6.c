// Bubble sort of 6 symbolic ints: 6! paths, as bubble_sort.h derives.
// domain: numbers int = 0..5
// paths: 720
// findings: none
#define COUNT 6
#include "bubble_sort.h"
