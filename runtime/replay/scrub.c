/* Makes what LeakSanitizer finds depend on the program alone.
 *
 * It takes every word on the stack and in the registers for a pointer, and looks when the process exits: by then the
 * frames of returned functions lie under those of `exit`, which leave most of their slots as they were. Whether such a
 * dead word hides a leak depends on the compiler, the C library and the processor. So dead frames and the vector
 * registers are cleared when `main` returns and when `exit` is called; the linker is told to wrap both. */

#ifdef SYMCRETE_SANITIZED

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* More than exit and the leak check take. */
enum { DEAD_BYTES = 256 * 1024 };

/* Near the beginning of the stack. */
static const char *first_frame;

static __attribute__((noinline)) void clear_dead_frames(void)
{
    volatile char dead[DEAD_BYTES];
    for (size_t i = 0; i < sizeof dead; i++)
        dead[i] = 0;
}

/* Copies of structures leave pointers in vector registers, which nothing overwrites until the next large copy. To every
 * caller they are lost by the call itself. */
static __attribute__((noinline)) void clear_vector_registers(void)
{
#if defined(__x86_64__) || defined(__i386__)
    enum { OSXSAVE = 1 << 27, YMM = 0x06, ZMM = 0xE6 };
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE))
        return;
    /* What the kernel saves, and so lets programs use. */
    unsigned saved = 0;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    if ((saved & YMM) == YMM)
        __asm__ volatile("vzeroall" : : : "memory");
#ifdef __x86_64__
#define CLEAR(number) __asm__ volatile("vpxorq %zmm" #number ", %zmm" #number ", %zmm" #number)
    if ((saved & ZMM) == ZMM) {
        CLEAR(16); CLEAR(17); CLEAR(18); CLEAR(19); CLEAR(20); CLEAR(21); CLEAR(22); CLEAR(23);
        CLEAR(24); CLEAR(25); CLEAR(26); CLEAR(27); CLEAR(28); CLEAR(29); CLEAR(30); CLEAR(31);
    }
#endif
#endif
}

/* Whether there is room below this frame on the stack of the main thread. Other stacks are small. */
static __attribute__((noinline)) int has_room(void)
{
    struct rlimit limit;
    stack_t alternative;
    const char *here = __builtin_frame_address(0);
    if (syscall(SYS_gettid) != (long)getpid() || here >= first_frame || getrlimit(RLIMIT_STACK, &limit) != 0)
        return 0;
    if (sigaltstack(NULL, &alternative) != 0 || (alternative.ss_flags & SS_ONSTACK))
        return 0;
    return (size_t)(first_frame - here) + 2 * DEAD_BYTES < limit.rlim_cur;
}

static void scrub(void)
{
    if (has_room())
        clear_dead_frames();
    clear_vector_registers();
}

int __real_main(int count, char **arguments, char **environment);
void __real_exit(int status) __attribute__((noreturn));

int __wrap_main(int count, char **arguments, char **environment)
{
    if (!first_frame)
        first_frame = __builtin_frame_address(0);
    int status = __real_main(count, arguments, environment);
    scrub();
    return status;
}

__attribute__((noreturn)) void __wrap_exit(int status)
{
    scrub();
    __real_exit(status);
}

#endif
