// How programs end and complain: exit handlers, abort, signals, assertions, err.h, start-up; and stand-alone helpers.
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "differential.h"

OURS(exit);
OURS(atexit);
OURS(on_exit);
OURS(quick_exit);
OURS(at_quick_exit);
OURS(abort);
OURS(raise);
OURS(signal);
OURS(sigaction);
OURS(sigprocmask);
OURS(__assert_fail);
OURS(warn);
OURS(warnx);
OURS(err);
OURS(error);
OURS(program_invocation_name);
OURS(program_invocation_short_name);
OURS(__fpclassify);
OURS(__fpclassifyf);
OURS(__fpclassifyl);
OURS(__signbit);
OURS(__isnan);
OURS(__isinf);
OURS(__finitel);
OURS(fegetround);
OURS(fesetround);
OURS(pthread_mutex_lock);
OURS(pthread_mutex_trylock);
OURS(pthread_mutex_unlock);
OURS(pthread_once);
OURS(sysconf);
void our___symcrete_start(int argc, char **argv, char **envp);
int our___cxa_atexit(void (*function)(void *), void *argument, void *module);
int shim_flushes(void);

static char order[64];

static void first(void)
{
    strcat(order, "1");
}

static void second(void)
{
    strcat(order, "2");
    our_atexit(first);
}

static void third(int status, void *argument)
{
    strcat(order, status == 5 ? argument : "wrong");
}

static void fourth(void *argument)
{
    strcat(order, argument);
}

static void check_exit(void)
{
    our_atexit(first);
    our_on_exit(third, (void *)"3");
    our_atexit(second);
    our___cxa_atexit(fourth, (void *)"4", NULL);
    our_at_quick_exit(second);
    CHECK(ENDS(our_exit(5)) == 5 && strcmp(order, "42131") == 0 && shim_flushes() == 1, "exit runs its handlers: %s",
          order);
    order[0] = '\0';
    for (int i = 0; i < 50; i++)
        our_atexit(first);
    CHECK(ENDS(our_exit(0)) == 0 && strlen(order) == 50, "exit with many handlers");
    order[0] = '\0';
    CHECK(ENDS(our_quick_exit(6)) == 6 && strcmp(order, "2") == 0 && shim_flushes() == 0, "quick_exit");
    CHECK(ENDS(our_abort()) == ABORTED, "abort");
}

static volatile int handled;

static void handle(int signal)
{
    handled = handled * 100 + signal;
    if (signal == SIGUSR1)
        our_raise(SIGUSR1); // blocked while its handler runs
}

static void check_signals(void)
{
    CHECK(our_signal(SIGTERM, handle) == SIG_DFL && our_raise(SIGTERM) == 0 && handled == SIGTERM, "signal and raise");
    CHECK(our_signal(SIGTERM, SIG_IGN) == handle && our_raise(SIGTERM) == 0 && handled == SIGTERM, "ignored signal");
    our_signal(SIGTERM, SIG_DFL);
    CHECK(ENDS(our_raise(SIGTERM)) == 128 + SIGTERM, "fatal signal");
    CHECK(ENDS(our_raise(SIGABRT)) == ABORTED, "raise of SIGABRT");
    CHECK(our_raise(0) == -1 && our_signal(SIGKILL, handle) == SIG_ERR, "bad signals");
    handled = 0;
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND}, before;
    CHECK(our_sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    CHECK(ENDS(our_raise(SIGUSR1)) == 128 + SIGUSR1 && handled == SIGUSR1, "one-shot handler, then the default");
    handled = 0;
    sigset_t set = {{0}}, none = {{0}};
    sigaddset(&set, SIGUSR2);
    our_sigprocmask(SIG_SETMASK, &none, NULL);
    our_signal(SIGUSR2, handle);
    our_sigprocmask(SIG_BLOCK, &set, NULL);
    our_raise(SIGUSR2);
    CHECK(handled == 0, "blocked signal");
    our_sigprocmask(SIG_UNBLOCK, &set, NULL);
    CHECK(handled == SIGUSR2, "signal that was pending");
    CHECK(our_sigaction(SIGUSR2, NULL, &before) == 0 && before.sa_handler == handle, "sigaction that asks");
    our_signal(SIGABRT, handle);
    handled = 0;
    CHECK(ENDS(our_abort()) == ABORTED && handled == SIGABRT, "abort with a handler");
    our_signal(SIGABRT, SIG_DFL);
}

static void check_messages(void)
{
    static char *arguments[] = {(char *)"/some/where/program", NULL}, *environment[] = {NULL};
    our___symcrete_start(1, arguments, environment);
    CHECK(strcmp(our_program_invocation_name, "/some/where/program") == 0, "program_invocation_name");
    CHECK(strcmp(our_program_invocation_short_name, "program") == 0, "program_invocation_short_name");
    captured_messages();
    CHECK(ENDS(our___assert_fail("a < b", "file.c", 12, "int f(void)")) == ASSERTION_FAILED, "__assert_fail");
    CHECK(strcmp(captured_messages(), "program: file.c:12: int f(void): Assertion `a < b' failed.\n") == 0,
          "its message");
    our_errno = ENOENT;
    our_warn("cannot open %s", "it");
    CHECK(strcmp(captured_messages(), "program: cannot open it: No such file or directory\n") == 0, "warn");
    our_warnx("%d", 5);
    CHECK(strcmp(captured_messages(), "program: 5\n") == 0, "warnx");
    our_errno = EACCES;
    CHECK(ENDS(our_err(3, "x")) == 3 && strcmp(captured_messages(), "program: x: Permission denied\n") == 0, "err");
    CHECK(ENDS(our_error(0, EPERM, "%s", "y")) == STILL_RUNNING, "error that returns");
    CHECK(strcmp(captured_messages(), "/some/where/program: y: Operation not permitted\n") == 0, "error");
}

static void compare_classification(void)
{
    for (int round = 0; round < 20000; round++) {
        uint64_t bits = random_bits();
        if (random_below(2))
            bits &= 0x8000000000000001 | (random_below(2) ? 0x7ff0000000000000 : 0) | (random_below(2) ? 0xfffff : 0);
        double value;
        float narrow;
        long double wide = 0;
        uint32_t narrow_bits = (uint32_t)(bits >> 32 & 0xff800000) | (random_below(2) ? (uint32_t)bits & 0x7fffff : 0);
        uint16_t exponent = (uint16_t)(random_below(3) ? bits : random_below(2) ? 0x7fff : 0);
        memcpy(&value, &bits, 8);
        memcpy(&narrow, &narrow_bits, 4);
        bits |= exponent != 0 ? (uint64_t)1 << 63 : 0; // the leading bit of a number that the x87 accepts
        memcpy(&wide, &bits, 8);
        memcpy((char *)&wide + 8, &exponent, 2);
        CHECK(__fpclassify(value) == our___fpclassify(value), "__fpclassify %a", value);
        CHECK(__fpclassifyf(narrow) == our___fpclassifyf(narrow), "__fpclassifyf %a", narrow);
        CHECK(__fpclassifyl(wide) == our___fpclassifyl(wide), "__fpclassifyl %La", wide);
        CHECK(!__signbit(value) == !our___signbit(value) && !__isnan(value) == !our___isnan(value), "__signbit %a",
              value);
        CHECK(__isinf(value) == our___isinf(value) && !__finitel(wide) == !our___finitel(wide), "__isinf %a", value);
    }
}

static int once_calls;

static void count_once(void)
{
    once_calls++;
}

static void check_single_thread(void)
{
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_once_t once = PTHREAD_ONCE_INIT;
    CHECK(our_pthread_mutex_lock(&plain) == 0 && our_pthread_mutex_trylock(&plain) == EBUSY, "mutex");
    CHECK(our_pthread_mutex_unlock(&plain) == 0 && our_pthread_mutex_trylock(&plain) == 0, "mutex");
    CHECK(our_pthread_mutex_lock(&recursive) == 0 && our_pthread_mutex_lock(&recursive) == 0, "recursive mutex");
    our_pthread_once(&once, count_once);
    our_pthread_once(&once, count_once);
    CHECK(once_calls == 1, "pthread_once");
    CHECK(our_fegetround() == FE_TONEAREST && our_fesetround(FE_TONEAREST) == 0 && our_fesetround(FE_UPWARD) != 0,
          "rounding");
    CHECK(our_sysconf(_SC_PAGESIZE) == 4096, "sysconf");
}

void test_endings(void)
{
    check_exit();
    check_signals();
    check_messages();
    compare_classification();
    check_single_thread();
}
