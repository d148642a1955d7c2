// What 32-bit programs call that were compiled for a 64-bit time_t (-D_TIME_BITS=64): the same functions once more, on wider types.
// The headers rename them (time becomes __time64). Empty where time_t has 64 bits anyway.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64
#include <features.h>

#if __TIMESIZE == 32
#define SYMCRETE_TIME64
#include "../unistd/status.c"
#include "../unistd/times.c"
#include "clocks.c"
#include "conversions.c"
#include "timers.c"
#endif
