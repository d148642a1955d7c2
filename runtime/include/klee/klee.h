/* klee/klee.h: the names under which programs written for KLEE declare their inputs and assumptions, so that they run in
 * Symcrete as they are. Programs that are written for Symcrete include symcrete.h, which says what each function does.
 *
 * Merging, printing and forking controls are accepted and do nothing. In native replay the functions hand out the values of
 * the test, and klee_is_symbolic is 0. */
#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SYMCRETE_DOES_NOT_RETURN __attribute__((__noreturn__))
#else
#define SYMCRETE_DOES_NOT_RETURN
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. The range is begin, ..., end - 1. */
void klee_make_symbolic(void *memory, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);

/* Conditions and endings. */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
SYMCRETE_DOES_NOT_RETURN void klee_silent_exit(int status);
SYMCRETE_DOES_NOT_RETURN void klee_abort(void);
SYMCRETE_DOES_NOT_RETURN void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* What klee_assert calls: symcrete_assert's own function. */
SYMCRETE_DOES_NOT_RETURN
void symcrete_assertion_failed(const char *expression, const char *file, unsigned int line, const char *function);
#if defined(__GNUC__)
#define klee_assert(condition)                                                                                     \
    __extension__({                                                                                                \
        if (!(condition))                                                                                          \
            symcrete_assertion_failed(#condition, __FILE__, (unsigned int)__LINE__, __func__);                     \
    })
#else
#define klee_assert(condition)                                                                                     \
    ((condition) ? (void)0 : symcrete_assertion_failed(#condition, __FILE__, (unsigned int)__LINE__, __func__))
#endif

/* Questions. */
unsigned klee_is_symbolic(uintptr_t value);
size_t klee_get_obj_size(void *object);
void klee_check_memory_access(const void *address, size_t size);

/* One value that the argument can have. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

/* Words for people. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);

/* How KLEE explores. */
void klee_merge(void);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_mark_global(void *object);
void klee_set_forking(unsigned enable);
void klee_alias_function(const char *from, const char *to);

#ifdef __cplusplus
}
#endif

#undef SYMCRETE_DOES_NOT_RETURN

#endif
