/* The functions by which programs ask for inputs and say what they expect: KLEE's, those of SV-COMP, and Symcrete's
 * own. All are weak, so that a program with its own definitions keeps them. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "replay.h"

#define WEAK __attribute__((weak))

static void assumption_failed(const char *function)
{
    replay_report("assumption-failed", function);
    replay_end(122);
}

static void reported(const char *text)
{
    replay_report("reported-error", text);
    fprintf(stderr, "%s\n", text);
    abort();
}

/* A range without a value in it is a mistake of the program. */
static void check_range(long long low, long long high, const char *function)
{
    char text[256];
    if (low <= high)
        return;
    snprintf(text, sizeof text, "%s should return a number from %lld to %lld, and there is none", function, low, high);
    reported(text);
}

/* Ends as a failed assert() does, with the words of the C library. */
static void assertion_failed(const char *expression, const char *file, unsigned line, const char *function)
{
    fflush(stdout);
    fprintf(stderr, "program: %s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}

/* symcrete.h */

WEAK void symcrete_make_symbolic(void *memory, size_t size, const char *name)
{
    replay_take(memory, size, name, "symcrete_make_symbolic", REPLAY_BYTES);
}

#define SYMCRETE(type, suffix, form)                                                                               \
    WEAK type symcrete_##suffix(const char *name)                                                                  \
    {                                                                                                              \
        type value;                                                                                                \
        memset(&value, 0, sizeof value);                                                                           \
        replay_take(&value, sizeof value, name, "symcrete_" #suffix, form);                                        \
        return value;                                                                                              \
    }

SYMCRETE(char, char, REPLAY_INTEGER)
SYMCRETE(signed char, schar, REPLAY_INTEGER)
SYMCRETE(unsigned char, uchar, REPLAY_INTEGER)
SYMCRETE(short, short, REPLAY_INTEGER)
SYMCRETE(unsigned short, ushort, REPLAY_INTEGER)
SYMCRETE(int, int, REPLAY_INTEGER)
SYMCRETE(unsigned int, uint, REPLAY_INTEGER)
SYMCRETE(long, long, REPLAY_INTEGER)
SYMCRETE(unsigned long, ulong, REPLAY_INTEGER)
SYMCRETE(long long, llong, REPLAY_INTEGER)
SYMCRETE(unsigned long long, ullong, REPLAY_INTEGER)
SYMCRETE(size_t, size, REPLAY_INTEGER)
SYMCRETE(float, float, REPLAY_FLOAT)
SYMCRETE(double, double, REPLAY_FLOAT)
SYMCRETE(long double, ldouble, REPLAY_FLOAT)

WEAK bool symcrete_bool(const char *name)
{
    unsigned char value = 0;
    replay_take(&value, sizeof value, name, "symcrete_bool", REPLAY_INTEGER);
    return value & 1;
}

WEAK unsigned int symcrete_choice(unsigned int count, const char *name)
{
    unsigned int value = 0;
    check_range(0, (long long)count - 1, "symcrete_choice");
    replay_take(&value, sizeof value, name, "symcrete_choice", REPLAY_INTEGER);
    if (value >= count)
        assumption_failed("symcrete_choice");
    return value;
}

WEAK int symcrete_range(int low, int high, const char *name)
{
    int value = 0;
    check_range(low, high, "symcrete_range");
    replay_take(&value, sizeof value, name, "symcrete_range", REPLAY_INTEGER);
    if (value < low || value > high)
        assumption_failed("symcrete_range");
    return value;
}

WEAK void symcrete_pure_function(void (*function)(void))
{
    (void)function;
}

WEAK void symcrete_partition_function(void (*function)(void), const char *conditions)
{
    (void)function;
    (void)conditions;
}

WEAK void symcrete_assume(int condition)
{
    if (!condition)
        assumption_failed("symcrete_assume");
}

/* Once is enough, and a loop may come here for ever. */
WEAK void symcrete_target(void)
{
    static int is_reported;
    if (!is_reported)
        replay_report("target-reached", "");
    is_reported = 1;
}

WEAK void symcrete_assertion_failed(const char *expression, const char *file, unsigned int line, const char *function)
{
    assertion_failed(expression, file, line, function);
}

/* KLEE */

WEAK void klee_make_symbolic(void *memory, size_t size, const char *name)
{
    replay_take(memory, size, name, "klee_make_symbolic", REPLAY_BYTES);
}

WEAK int klee_int(const char *name)
{
    int value = 0;
    replay_take(&value, sizeof value, name, "klee_int", REPLAY_INTEGER);
    return value;
}

/* From `begin` to `end`, the latter excluded. */
WEAK int klee_range(int begin, int end, const char *name)
{
    int value = 0;
    check_range(begin, (long long)end - 1, "klee_range");
    /* KLEE makes no input where only one value is left. */
    if (begin + 1 == end && !replay_is_next(sizeof value, name))
        return begin;
    replay_take(&value, sizeof value, name, "klee_range", REPLAY_INTEGER);
    if (value < begin || value >= end)
        assumption_failed("klee_range");
    return value;
}

WEAK uintptr_t klee_choose(uintptr_t count)
{
    uintptr_t value = 0;
    replay_take(&value, sizeof value, "klee_choose", "klee_choose", REPLAY_INTEGER);
    if (value >= count)
        assumption_failed("klee_choose");
    return value;
}

WEAK void klee_assume(uintptr_t condition)
{
    if (!condition)
        assumption_failed("klee_assume");
}

WEAK void klee_silent_exit(int status)
{
    replay_report("silent-exit", "");
    fflush(NULL);
    replay_end(status & 255);
}

WEAK void klee_abort(void)
{
    abort();
}

WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    char place[768];
    snprintf(place, sizeof place, "%s:%d: %s (%s)", file, line, message, suffix);
    reported(place);
}

WEAK void klee_warning(const char *message)
{
    fprintf(stderr, "klee_warning: %s\n", message);
}

WEAK void klee_warning_once(const char *message)
{
    static const char *last;
    if (last != message)
        fprintf(stderr, "klee_warning: %s\n", message);
    last = message;
}

WEAK void klee_print_expr(const char *message, ...)
{
    (void)message;
}

WEAK void klee_print_range(const char *name, int value)
{
    (void)name;
    (void)value;
}

/* Natively every value is concrete: the test says what its path was told. */
WEAK unsigned klee_is_symbolic(uintptr_t value)
{
    (void)value;
    return (unsigned)replay_answer();
}

WEAK unsigned symcrete_is_symbolic(uintptr_t value)
{
    (void)value;
    return (unsigned)replay_answer();
}

WEAK unsigned klee_is_replay(void)
{
    return 1;
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition)
{
    (void)object;
    (void)condition;
}

WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition)
{
    (void)object;
    (void)condition;
}

WEAK void klee_mark_global(void *object)
{
    (void)object;
}

WEAK void klee_define_fixed_object(void *address, size_t size)
{
    (void)address;
    (void)size;
}

WEAK void klee_check_memory_access(const void *address, size_t size)
{
    for (size_t i = 0; i < size; i++)
        (void)*((const volatile char *)address + i);
}

WEAK void klee_set_forking(unsigned enable)
{
    (void)enable;
}

WEAK void klee_alias_function(const char *from, const char *to)
{
    (void)from;
    (void)to;
}

WEAK void klee_stack_trace(void)
{
}

WEAK void klee_merge(void)
{
}

WEAK void klee_open_merge(void)
{
}

WEAK void klee_close_merge(void)
{
}

#define KLEE_GET_VALUE(type, suffix)                                                                               \
    WEAK type klee_get_value##suffix(type value)                                                                   \
    {                                                                                                              \
        return value;                                                                                              \
    }

KLEE_GET_VALUE(float, f)
KLEE_GET_VALUE(double, d)
KLEE_GET_VALUE(long, l)
KLEE_GET_VALUE(long long, ll)
KLEE_GET_VALUE(int, _i32)
KLEE_GET_VALUE(long long, _i64)

/* klee_assert is a macro over __assert_fail in KLEE's header; programs that declare it as a function get this. */
WEAK void klee_assert(int condition)
{
    if (!condition)
        assertion_failed("klee_assert", "program", 0, "klee_assert");
}

/* SV-COMP and Test-Comp */

#define NONDET(type, suffix, form)                                                                                 \
    WEAK type __VERIFIER_nondet_##suffix(void)                                                                     \
    {                                                                                                              \
        type value;                                                                                                \
        memset(&value, 0, sizeof value);                                                                           \
        replay_take(&value, sizeof value, NULL, "__VERIFIER_nondet_" #suffix, form);                               \
        return value;                                                                                              \
    }

NONDET(char, char, REPLAY_INTEGER)
NONDET(signed char, schar, REPLAY_INTEGER)
NONDET(unsigned char, uchar, REPLAY_INTEGER)
NONDET(short, short, REPLAY_INTEGER)
NONDET(unsigned short, ushort, REPLAY_INTEGER)
NONDET(int, int, REPLAY_INTEGER)
NONDET(unsigned int, uint, REPLAY_INTEGER)
NONDET(unsigned int, unsigned, REPLAY_INTEGER)
NONDET(unsigned int, unsigned_int, REPLAY_INTEGER)
NONDET(long, long, REPLAY_INTEGER)
NONDET(unsigned long, ulong, REPLAY_INTEGER)
NONDET(long long, longlong, REPLAY_INTEGER)
NONDET(unsigned long long, ulonglong, REPLAY_INTEGER)
#ifdef __SIZEOF_INT128__
NONDET(__int128, int128, REPLAY_INTEGER)
NONDET(unsigned __int128, uint128, REPLAY_INTEGER)
NONDET(unsigned __int128, u128, REPLAY_INTEGER)
#endif
NONDET(float, float, REPLAY_FLOAT)
NONDET(double, double, REPLAY_FLOAT)
NONDET(long double, long_double, REPLAY_FLOAT)
NONDET(long double, ldouble, REPLAY_FLOAT)
NONDET(size_t, size_t, REPLAY_INTEGER)
NONDET(loff_t, loff_t, REPLAY_INTEGER)
NONDET(unsigned long, sector_t, REPLAY_INTEGER)
NONDET(unsigned long, pthread_t, REPLAY_INTEGER)
NONDET(int8_t, s8, REPLAY_INTEGER)
NONDET(int16_t, s16, REPLAY_INTEGER)
NONDET(int32_t, s32, REPLAY_INTEGER)
NONDET(int64_t, s64, REPLAY_INTEGER)
NONDET(uint8_t, u8, REPLAY_INTEGER)
NONDET(uint16_t, u16, REPLAY_INTEGER)
NONDET(uint32_t, u32, REPLAY_INTEGER)
NONDET(uint64_t, u64, REPLAY_INTEGER)
NONDET(int8_t, int8, REPLAY_INTEGER)
NONDET(int16_t, int16, REPLAY_INTEGER)
NONDET(int32_t, int32, REPLAY_INTEGER)
NONDET(int64_t, int64, REPLAY_INTEGER)
NONDET(uint8_t, uint8, REPLAY_INTEGER)
NONDET(uint16_t, uint16, REPLAY_INTEGER)
NONDET(uint32_t, uint32, REPLAY_INTEGER)
NONDET(uint64_t, uint64, REPLAY_INTEGER)
NONDET(uint8_t, U8, REPLAY_INTEGER)
NONDET(uint16_t, U16, REPLAY_INTEGER)
NONDET(uint32_t, U32, REPLAY_INTEGER)
NONDET(void *, pointer, REPLAY_INTEGER)
NONDET(char *, pchar, REPLAY_INTEGER)
NONDET(char *, charp, REPLAY_INTEGER)

WEAK bool __VERIFIER_nondet_bool(void)
{
    unsigned char value = 0;
    replay_take(&value, sizeof value, NULL, "__VERIFIER_nondet_bool", REPLAY_INTEGER);
    return value & 1;
}

WEAK bool __VERIFIER_nondet__Bool(void)
{
    unsigned char value = 0;
    replay_take(&value, sizeof value, NULL, "__VERIFIER_nondet__Bool", REPLAY_INTEGER);
    return value & 1;
}

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    replay_take(memory, size, NULL, "__VERIFIER_nondet_memory", REPLAY_BYTES);
}

WEAK void __VERIFIER_assume(int condition)
{
    if (!condition)
        assumption_failed("__VERIFIER_assume");
}

WEAK void __VERIFIER_atomic_begin(void)
{
}

WEAK void __VERIFIER_atomic_end(void)
{
}

WEAK void reach_error(void)
{
    replay_report("error-reached", "reach_error");
    abort();
}

WEAK void __VERIFIER_error(void)
{
    replay_report("error-reached", "__VERIFIER_error");
    abort();
}
