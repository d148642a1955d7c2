/* The process of a replayed test: its coverage counters, which must survive whatever ends it.
 *
 * A normal exit writes the counters by itself. Signals, _exit and the like do not, so they are caught here.
 * Sanitizers have their own handlers, and their builds count nothing: with SYMCRETE_SANITIZED nothing of this remains.
 * Limits and isolation are the sandbox's. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay.h"

void replay_load(void);

/* Of LLVM's profile runtime and of gcov's; whichever the program was instrumented with. */
extern uint64_t __llvm_profile_get_size_for_buffer(void) __attribute__((weak));
extern int __llvm_profile_write_buffer(char *buffer) __attribute__((weak));
extern void __llvm_profile_set_filename(const char *pattern) __attribute__((weak));
extern void __gcov_dump(void) __attribute__((weak));

static char profile_folder[4096];
static char *profile_buffer;
static uint64_t profile_size;
static volatile sig_atomic_t is_saved;

/* "FOLDER/PREFIX PID.profraw", in one word, without stdio, which must not be called in a signal handler. */
static void profile_path(char *path, const char *prefix)
{
    char digits[24];
    int count = 0;
    for (long pid = syscall(SYS_getpid); pid > 0; pid /= 10)
        digits[count++] = (char)('0' + pid % 10);
    char *to = stpcpy(stpcpy(stpcpy(path, profile_folder), "/"), prefix);
    while (count > 0)
        *to++ = digits[--count];
    strcpy(to, ".profraw");
}

static void write_profile(const char *prefix)
{
    if (!profile_buffer || __llvm_profile_write_buffer(profile_buffer) != 0)
        return;
    char path[sizeof profile_folder + 64];
    profile_path(path, prefix);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    for (uint64_t done = 0; fd >= 0 && done < profile_size;) {
        ssize_t count = write(fd, profile_buffer + done, profile_size - done);
        if (count <= 0)
            break;
        done += (uint64_t)count;
    }
    if (fd >= 0)
        close(fd);
}

void replay_save_coverage(void)
{
    if (is_saved)
        return;
    is_saved = 1;
    write_profile("crash-");
    if (__gcov_dump)
        __gcov_dump();
}

#ifndef SYMCRETE_SANITIZED
/* LLVM's runtime writes its file, PID.profraw, before the destructors of the program run. This is the last of them: it writes the file anew. */
__attribute__((destructor(101))) static void write_last(void)
{
    if (!is_saved)
        write_profile("");
}
#endif

void replay_end(int status)
{
    replay_save_coverage();
    for (;;)
        syscall(SYS_exit_group, status);
}

#ifndef SYMCRETE_SANITIZED
static void died(int signal_number)
{
    /* gcov's dump is no child of signal handlers: should it hang, the second signal ends it. */
    signal(SIGALRM, SIG_DFL);
    alarm(2);
    replay_save_coverage();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_signals(void)
{
    static char stack[64 * 1024];
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGTRAP,
                                  SIGSYS,  SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
    stack_t alternative;
    memset(&alternative, 0, sizeof alternative);
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = died;
        action.sa_flags = SA_ONSTACK | SA_NODEFER;
        sigaction(signals[i], &action, NULL);
    }
}

static void prepare_coverage(void)
{
    const char *folder = getenv("SYMCRETE_REPLAY_PROFILE");
    int is_counted = __llvm_profile_get_size_for_buffer && __llvm_profile_write_buffer;
    if (folder && strlen(folder) < sizeof profile_folder && is_counted) {
        strcpy(profile_folder, folder);
        profile_size = __llvm_profile_get_size_for_buffer();
        void *memory = mmap(NULL, profile_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        profile_buffer = memory == MAP_FAILED ? NULL : memory;
    }
    unsetenv("SYMCRETE_REPLAY_PROFILE");
    /* LLVM's runtime looks for its variable when this constructor is done, and notes in another one that it has begun. */
    const char *pattern = getenv("LLVM_PROFILE_FILE");
    if (pattern && __llvm_profile_set_filename) {
        __llvm_profile_set_filename(pattern);
        unsetenv("LLVM_PROFILE_FILE");
        unsetenv("__LLVM_PROFILE_RT_INIT_ONCE");
    }
}

/* The ways out that skip the handlers of exit. The executable's own symbols come before those of the C library. */
__attribute__((weak, noreturn)) void _exit(int status)
{
    replay_end(status & 255);
}

__attribute__((weak, noreturn)) void _Exit(int status)
{
    replay_end(status & 255);
}
#endif

__attribute__((constructor(101))) static void begin(void)
{
#ifndef SYMCRETE_SANITIZED
    prepare_coverage();
    catch_signals();
#endif
    replay_load();
    /* The program finds what the test gives it, and an errno that nobody has set. */
    static const char *const of_tools[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS"};
    for (size_t i = 0; i < sizeof of_tools / sizeof *of_tools; i++)
        unsetenv(of_tools[i]);
    errno = 0;
}
