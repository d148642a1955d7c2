// The process: who it is, and the processes it cannot have.
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../internal.h"

pid_t getpid(void)
{
    return (pid_t)__symcrete_getpid();
}
ALIAS(__getpid, getpid);
ALIAS(gettid, getpid);
ALIAS(getpgrp, getpid);

pid_t getppid(void)
{
    return PARENT_PROCESS;
}

pid_t getpgid(pid_t process)
{
    (void)process;
    return (pid_t)__symcrete_getpid();
}
ALIAS(getsid, getpgid);

uid_t getuid(void)
{
    return (uid_t)__symcrete_getuid();
}
ALIAS(geteuid, getuid);

gid_t getgid(void)
{
    return (gid_t)__symcrete_getgid();
}
ALIAS(getegid, getgid);

// Nobody can become somebody else.
int setuid(uid_t user)
{
    return user == (uid_t)__symcrete_getuid() ? 0 : __symcrete_fail(EPERM);
}
ALIAS(seteuid, setuid);

int setgid(gid_t group)
{
    return group == (gid_t)__symcrete_getgid() ? 0 : __symcrete_fail(EPERM);
}
ALIAS(setegid, setgid);

int getgroups(int size, gid_t list[])
{
    int count = 0;
    if (size < 0)
        return __symcrete_fail(EINVAL);
    while (__symcrete_getgroup((size_t)count) >= 0)
        count++;
    if (size == 0)
        return count;
    if (size < count)
        return __symcrete_fail(EINVAL);
    if (!__symcrete_is_there(list, (size_t)count * sizeof *list, 1))
        return -1;
    for (int i = 0; i < count; i++)
        list[i] = (gid_t)__symcrete_getgroup((size_t)i);
    return count;
}

pid_t setsid(void)
{
    return __symcrete_fail(EPERM);
}

int setpgid(pid_t process, pid_t group)
{
    (void)process;
    (void)group;
    return __symcrete_fail(EPERM);
}

int nice(int increment)
{
    (void)increment;
    return 0;
}

int sched_yield(void)
{
    return 0;
}

char *getlogin(void)
{
    errno = ENXIO;
    return NULL;
}

// fork, vfork and posix_spawn are deliberately nowhere: the engine ends the path with their name.

int execve(const char *path, char *const arguments[], char *const environment[])
{
    (void)path;
    (void)arguments;
    (void)environment;
    __symcrete_reaches_out("exec");
    return __symcrete_fail(ENOSYS);
}
ALIAS(execvpe, execve);

int execv(const char *path, char *const arguments[])
{
    (void)path;
    (void)arguments;
    __symcrete_reaches_out("exec");
    return __symcrete_fail(ENOSYS);
}
ALIAS(execvp, execv);

int execl(const char *path, const char *argument, ...)
{
    (void)path;
    (void)argument;
    __symcrete_reaches_out("exec");
    return __symcrete_fail(ENOSYS);
}
ALIAS(execlp, execl);
ALIAS(execle, execl);

int posix_spawn(pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict])
{
    (void)process;
    (void)path;
    (void)actions;
    (void)attributes;
    (void)arguments;
    (void)environment;
    return ENOSYS;
}
ALIAS(posix_spawnp, posix_spawn);

pid_t wait(int *status)
{
    (void)status;
    return __symcrete_fail(ECHILD);
}

pid_t waitpid(pid_t process, int *status, int options)
{
    (void)process;
    (void)status;
    (void)options;
    return __symcrete_fail(ECHILD);
}

pid_t wait3(int *status, int options, struct rusage *usage)
{
    (void)status;
    (void)options;
    (void)usage;
    return __symcrete_fail(ECHILD);
}
TIME64_ALIAS(__wait3_time64, wait3);

pid_t wait4(pid_t process, int *status, int options, struct rusage *usage)
{
    (void)process;
    (void)status;
    (void)options;
    (void)usage;
    return __symcrete_fail(ECHILD);
}
TIME64_ALIAS(__wait4_time64, wait4);
