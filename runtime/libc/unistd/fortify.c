// What _FORTIFY_SOURCE turns calls of <unistd.h> and its neighbours into.
#define _GNU_SOURCE
#include <poll.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"

_Noreturn void __chk_fail(void);
char *__symcrete_getcwd_function(char *buffer, size_t size);
ssize_t __symcrete_read_at(int descriptor, void *buffer, size_t count, long long offset);

ssize_t __read_chk(int descriptor, void *buffer, size_t count, size_t size);
ssize_t __pread_chk(int descriptor, void *buffer, size_t count, off_t offset, size_t size);
ssize_t __pread64_chk(int descriptor, void *buffer, size_t count, off64_t offset, size_t size);
char *__getcwd_chk(char *buffer, size_t count, size_t size);
_Noreturn void __longjmp_chk(struct __jmp_buf_tag environment[1], int value);

ssize_t __read_chk(int descriptor, void *buffer, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    return (ssize_t)__symcrete_result(__symcrete_kernel_read(descriptor, buffer, count));
}

ssize_t __pread64_chk(int descriptor, void *buffer, size_t count, off64_t offset, size_t size)
{
    if (count > size)
        __chk_fail();
    return __symcrete_read_at(descriptor, buffer, count, offset);
}

ssize_t __pread_chk(int descriptor, void *buffer, size_t count, off_t offset, size_t size)
{
    return __pread64_chk(descriptor, buffer, count, offset, size);
}

char *__getcwd_chk(char *buffer, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    return __symcrete_getcwd_function(buffer, count);
}

_Noreturn void __longjmp_chk(struct __jmp_buf_tag environment[1], int value)
{
    longjmp(environment, value);
}
