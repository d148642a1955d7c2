/* Calls a function of any signature that takes numbers only, by the System V conventions of x86-64: integers and floats
 * travel in registers of their own, each in its order, and long doubles on the stack. So one type of function serves all
 * signatures: a function finds its arguments in the registers and slots where it looks for them, and leaves the others
 * alone. */

#include <stdint.h>
#include <string.h>

struct arguments {
    uint64_t integers[6];
    double floats[8];
    long double extended[4];
};

#define INTEGERS uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t
#define FLOATS double, double, double, double, double, double, double, double
#define EXTENDED long double, long double, long double, long double

#define GIVEN                                                                                                      \
    a->integers[0], a->integers[1], a->integers[2], a->integers[3], a->integers[4], a->integers[5], a->floats[0],  \
        a->floats[1], a->floats[2], a->floats[3], a->floats[4], a->floats[5], a->floats[6], a->floats[7],          \
        a->extended[0], a->extended[1], a->extended[2], a->extended[3]

/* Where a function leaves its result: nowhere, in rax, in xmm0, on the stack of the x87. */
enum { NOTHING, INTEGER, FLOAT, EXTENDED_FLOAT };

void symcrete_native_call(void (*function)(void), const struct arguments *a, int kind, unsigned char result[16])
{
    memset(result, 0, 16);
    switch (kind) {
    case NOTHING:
        ((void (*)(INTEGERS, FLOATS, EXTENDED))function)(GIVEN);
        break;
    case INTEGER: {
        uint64_t value = ((uint64_t(*)(INTEGERS, FLOATS, EXTENDED))function)(GIVEN);
        memcpy(result, &value, sizeof value);
        break;
    }
    case FLOAT: {
        double value = ((double (*)(INTEGERS, FLOATS, EXTENDED))function)(GIVEN);
        memcpy(result, &value, sizeof value);
        break;
    }
    case EXTENDED_FLOAT: {
        long double value = ((long double (*)(INTEGERS, FLOATS, EXTENDED))function)(GIVEN);
        memcpy(result, &value, 10);
        break;
    }
    }
}
