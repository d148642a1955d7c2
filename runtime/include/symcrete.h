/* symcrete.h: how a C or C++ program talks to Symcrete.
 *
 * Symcrete runs a program on inputs that may have any value, and finds the values that matter. This header lets the
 * program say what its inputs are, what may be assumed about them, and which place should be reached:
 *
 *     #include <symcrete.h>
 *
 *     int main(void)
 *     {
 *         int price = symcrete_int("price");
 *         char code[8];
 *         symcrete_make_symbolic(code, sizeof code, "code");
 *         symcrete_assume(price >= 0);
 *
 *         int paid = checkout(price, code);
 *         symcrete_assert(paid <= price);
 *     }
 *
 * `symcrete cover shop.c` then writes tests that cover the program, and one for each assertion that can fail. Every
 * test is run natively before it is reported; there these functions hand out the values of the test.
 *
 * Nothing here is needed for programs that read arguments, standard input or files (see --sym-args, --sym-stdin,
 * --sym-files), nor to test one function (see --entry). */
#ifndef SYMCRETE_H
#define SYMCRETE_H

#include <stddef.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs.
 *
 * A name is for people: it stands beside the value in tests. It may be used again, in a loop for example; each call
 * is a new input. */

/* Any values in the `size` bytes at `memory`, which must be a variable, an array or a block from malloc, or part of
 * one. */
void symcrete_make_symbolic(void *memory, size_t size, const char *name);

/* Any value of the type. */
bool symcrete_bool(const char *name);
char symcrete_char(const char *name);
signed char symcrete_schar(const char *name);
unsigned char symcrete_uchar(const char *name);
short symcrete_short(const char *name);
unsigned short symcrete_ushort(const char *name);
int symcrete_int(const char *name);
unsigned int symcrete_uint(const char *name);
long symcrete_long(const char *name);
unsigned long symcrete_ulong(const char *name);
long long symcrete_llong(const char *name);
unsigned long long symcrete_ullong(const char *name);
size_t symcrete_size(const char *name);

/* Any value of the type, infinities and NaN included. */
float symcrete_float(const char *name);
double symcrete_double(const char *name);
long double symcrete_ldouble(const char *name);

/* Any of 0, 1, ..., count - 1: which of several things happens. */
unsigned int symcrete_choice(unsigned int count, const char *name);

/* Any int from `low` to `high`, both included. */
int symcrete_range(int low, int high, const char *name);

/* Conditions. */

/* Only inputs that make the condition true (not zero) are of interest from here on. */
void symcrete_assume(int condition);

/* A place that `symcrete reach` tries to reach. The program goes on after it. */
void symcrete_target(void);

/* Functions. */

/* Says that what a function returns hangs on its arguments alone, that these and the result are numbers, and that it
 * does nothing else. Calls of it become parts of path conditions, and nobody looks into it: it may be hard to follow, or
 * be machine code in a library (see --library). It holds for the whole program, wherever it is said. */
#define symcrete_pure(function) symcrete_pure_function((void (*)(void))(function))

/* What symcrete_pure calls. It does nothing. */
void symcrete_pure_function(void (*function)(void));

/* Names a part of the domain of a pure function, by conditions on its arguments: symcrete_partition(hash, "arg1 > 3");
 * mixed solving looks for arguments in each part. It holds for the whole program, wherever it is said. */
#define symcrete_partition(function, conditions) symcrete_partition_function((void (*)(void))(function), conditions)

/* What symcrete_partition calls. It does nothing. */
void symcrete_partition_function(void (*function)(void), const char *conditions);

/* Must be true. Like assert() of <assert.h>, but NDEBUG does not remove it. Where it can be written with `if`, it is: older
 * versions of llvm-cov count the line after a conditional expression that may not return as never executed. */
#if defined(__GNUC__)
#define symcrete_assert(condition)                                                                                 \
    __extension__({                                                                                                \
        if (!(condition))                                                                                          \
            symcrete_assertion_failed(#condition, __FILE__, (unsigned int)__LINE__, __func__);                     \
    })
#else
#define symcrete_assert(condition)                                                                                 \
    ((condition) ? (void)0 : symcrete_assertion_failed(#condition, __FILE__, (unsigned int)__LINE__, __func__))
#endif

/* What symcrete_assert calls. It does not return. */
#if defined(__GNUC__)
__attribute__((__noreturn__))
#endif
void symcrete_assertion_failed(const char *expression, const char *file, unsigned int line, const char *function);

#ifdef __cplusplus
}
#endif

#endif
