// Signals of a program with one thread: handlers are recorded and called when the program raises a signal itself.
// Nothing arrives from outside.
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"
#include "signal_sets.h"

enum { SIGNALS = 65, FIRST_REAL_TIME = 34 };

static struct sigaction actions[SIGNALS];
static sigset_t blocked, pending;

int __libc_current_sigrtmin(void)
{
    return FIRST_REAL_TIME;
}

int __libc_current_sigrtmax(void)
{
    return SIGNALS - 1;
}

static int is_signal(int signal)
{
    return signal > 0 && signal < SIGNALS;
}

// What happens to a program without a handler.
static void default_action(int signal)
{
    switch (signal) {
    case SIGABRT:
        __symcrete_abort();
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return;
    default:
        __symcrete_killed(signal);
    }
}

static void deliver_pending(void);

static void call_handler(int signal)
{
    struct sigaction action = actions[signal];
    sigset_t before = blocked;
    if (action.sa_flags & SA_RESETHAND)
        actions[signal].sa_handler = SIG_DFL;
    set_union(&blocked, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
        set_add(&blocked, signal);
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t information;
        memset(&information, 0, sizeof information);
        information.si_signo = signal;
        information.si_code = SI_TKILL;
        information.si_pid = (pid_t)__symcrete_getpid();
        action.sa_sigaction(signal, &information, NULL);
    } else {
        action.sa_handler(signal);
    }
    blocked = before;
    deliver_pending();
}

int __symcrete_raise(int signal)
{
    if (!is_signal(signal))
        return __symcrete_fail(EINVAL);
    if (actions[signal].sa_handler == SIG_IGN)
        return 0;
    if (set_contains(&blocked, signal))
        set_add(&pending, signal);
    else if (actions[signal].sa_handler == SIG_DFL)
        default_action(signal);
    else
        call_handler(signal);
    return 0;
}

static void deliver_pending(void)
{
    for (int signal = 1; signal < SIGNALS; signal++) {
        if (set_contains(&pending, signal) && !set_contains(&blocked, signal)) {
            set_remove(&pending, signal);
            __symcrete_raise(signal);
        }
    }
}

int raise(int signal)
{
    return __symcrete_raise(signal);
}
ALIAS(gsignal, raise);

int kill(pid_t process, int signal)
{
    pid_t own = (pid_t)__symcrete_getpid();
    if (signal < 0 || signal >= SIGNALS)
        return __symcrete_fail(EINVAL);
    if (process != own)
        __symcrete_reaches_out("kill");
    // The parent is there, and is not the program's to signal.
    if (process == -1 || process == PARENT_PROCESS)
        return __symcrete_fail(EPERM);
    if (process != 0 && process != own && process != -own)
        return __symcrete_fail(ESRCH);
    return signal == 0 ? 0 : __symcrete_raise(signal);
}

int killpg(pid_t group, int signal)
{
    __symcrete_reaches_out("killpg");
    if (group != 0 && group != (pid_t)__symcrete_getpid())
        return __symcrete_fail(ESRCH);
    return signal == 0 ? 0 : __symcrete_raise(signal);
}

int sigaction(int signal, const struct sigaction *restrict action, struct sigaction *restrict before)
{
    if (!is_signal(signal) || (action != NULL && (signal == SIGKILL || signal == SIGSTOP)))
        return __symcrete_fail(EINVAL);
    struct sigaction old = actions[signal];
    if (action != NULL)
        actions[signal] = *action;
    if (before != NULL)
        *before = old;
    return 0;
}

static __sighandler_t install(int signal, __sighandler_t handler, int flags)
{
    if (!is_signal(signal) || signal == SIGKILL || signal == SIGSTOP || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __sighandler_t before = actions[signal].sa_handler;
    memset(&actions[signal], 0, sizeof actions[signal]);
    actions[signal].sa_handler = handler;
    actions[signal].sa_flags = flags;
    return before;
}

__sighandler_t(signal)(int number, __sighandler_t handler)
{
    return install(number, handler, SA_RESTART);
}
ALIAS(bsd_signal, signal);
ALIAS(ssignal, signal);

__sighandler_t __sysv_signal(int signal, __sighandler_t handler)
{
    return install(signal, handler, SA_RESETHAND | SA_NODEFER);
}
ALIAS(sysv_signal, __sysv_signal);

int siginterrupt(int signal, int interrupt)
{
    (void)interrupt;
    return is_signal(signal) ? 0 : __symcrete_fail(EINVAL);
}

// What the kernel knows of a set.
enum { KERNEL_SET = 8 };

// Returns an errno or 0.
static int change_mask(int how, const sigset_t *set, sigset_t *before)
{
    sigset_t old = blocked;
    if (before != NULL && __symcrete_user_memory(before, KERNEL_SET, 1) != 0)
        return EFAULT;
    if (set != NULL) {
        if (how == SIG_BLOCK)
            set_union(&blocked, set);
        else if (how == SIG_UNBLOCK)
            set_subtract(&blocked, set);
        else if (how == SIG_SETMASK)
            blocked = *set;
        else
            return EINVAL;
        set_remove(&blocked, SIGKILL);
        set_remove(&blocked, SIGSTOP);
    }
    if (before != NULL)
        *before = old;
    deliver_pending();
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict before)
{
    int error = change_mask(how, set, before);
    return error == 0 ? 0 : __symcrete_fail(error);
}

int pthread_sigmask(int how, const __sigset_t *restrict set, __sigset_t *restrict before)
{
    return change_mask(how, set, before);
}

int pthread_kill(pthread_t thread, int signal)
{
    (void)thread;
    if (signal < 0 || signal >= SIGNALS)
        return EINVAL;
    if (signal != 0)
        __symcrete_raise(signal);
    return 0;
}

int sigpending(sigset_t *out)
{
    if (!__symcrete_is_there(out, KERNEL_SET, 1))
        return -1;
    *out = pending;
    return 0;
}

// What is pending is delivered. Nothing else could ever arrive, so waiting ends at once.
int sigsuspend(const sigset_t *mask)
{
    sigset_t before = blocked;
    if (!__symcrete_is_there(mask, KERNEL_SET, 0))
        return -1;
    blocked = *mask;
    deliver_pending();
    blocked = before;
    return __symcrete_fail(EINTR);
}

int pause(void)
{
    return __symcrete_fail(EINTR);
}

int sigwait(const sigset_t *restrict set, int *restrict out)
{
    for (int signal = 1; signal < SIGNALS; signal++) {
        if (set_contains(set, signal) && set_contains(&pending, signal)) {
            set_remove(&pending, signal);
            *out = signal;
            return 0;
        }
    }
    return EINTR;
}

int sigaltstack(const stack_t *restrict stack, stack_t *restrict before)
{
    static stack_t current = {.ss_flags = SS_DISABLE};
    stack_t old = current;
    if (stack != NULL && !__symcrete_is_there(stack, sizeof *stack, 0))
        return -1;
    if (before != NULL && !__symcrete_is_there(before, sizeof *before, 1))
        return -1;
    if (stack != NULL)
        current = *stack;
    if (before != NULL)
        *before = old;
    return 0;
}

// Alarms never ring; interval timers are in time/timers.c.
unsigned alarm(unsigned seconds)
{
    (void)seconds;
    return 0;
}

useconds_t ualarm(useconds_t value, useconds_t interval)
{
    (void)value;
    (void)interval;
    return 0;
}
