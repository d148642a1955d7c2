// What the benchmark programs of the papers share: how a target is marked, and exact arithmetic.
//
// TARGET(n) stands on a line of its own, so that line coverage shows whether target n was executed. The store is
// volatile, so that no compiler removes it. The inputs come from symcrete.h; a driver `main` makes them and calls the
// function under test.
#ifndef TARGET_H
#define TARGET_H

#include <symcrete.h>

// A product and a sum are rounded one after the other, also on machines that could do both at once.
#pragma STDC FP_CONTRACT OFF

static volatile int last_target __attribute__((unused));

#define TARGET(number) (last_target = (number))

#endif
