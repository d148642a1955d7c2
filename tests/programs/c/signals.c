// Signals that a program raises for itself: handlers, restoring, ignoring, masks, sigaction, a jump out of a handler.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t last, count;
static sigjmp_buf place;

static void remember(int number) {
    last = number;
    count++;
}

static void again(int number) {
    signal(number, again);
    count += 10;
}

static void detailed(int number, siginfo_t *information, void *context) {
    (void)context;
    last = information->si_signo == number ? number * 100 : -1;
}

static void jump(int number) { siglongjmp(place, number); }

int main(void) {
    printf("%d ", signal(SIGUSR1, remember) == SIG_DFL);
    printf("%d ", raise(SIGUSR1));
    printf("%d %d\n", last == SIGUSR1, count);
    printf("%d ", signal(SIGUSR1, again) == remember);
    raise(SIGUSR1);
    raise(SIGUSR1);
    printf("%d\n", count);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("%d %d\n", count, signal(SIGUSR1, SIG_DFL) == SIG_IGN);

    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = detailed;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    printf("%d ", sigaction(SIGUSR2, &action, NULL));
    kill(getpid(), SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("%d %d\n", last == SIGUSR2 * 100, (old.sa_flags & SA_SIGINFO) != 0);

    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    printf("%d %d\n", sigismember(&set, SIGTERM), sigismember(&set, SIGINT));
    signal(SIGTERM, remember);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGTERM);
    sigpending(&pending);
    printf("%d %d ", last == SIGTERM, sigismember(&pending, SIGTERM));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d\n", last == SIGTERM);

    signal(SIGFPE, jump);
    int number = sigsetjmp(place, 1);
    if (number == 0)
        raise(SIGFPE);
    printf("%d %s\n", number == SIGFPE, strsignal(SIGSEGV));
    return 0;
}
