// mmap and its relatives: anonymous memory from the heap, and private copies of files.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../internal.h"

enum { PAGE = 4096 };

// What is mapped. Only whole mappings are given back; parts that are unmapped stay.
struct mapping {
    char *start;
    size_t size;
    struct mapping *next;
};

static struct mapping *mappings;

static void *refuse(int error)
{
    errno = error;
    return MAP_FAILED;
}

// Reads a file from an offset on; the rest of the memory stays zero.
static long read_file(char *out, size_t size, int descriptor, long long offset)
{
    long long before = __symcrete_lseek(descriptor, 0, SEEK_CUR);
    long long moved = before < 0 ? before : __symcrete_lseek(descriptor, offset, SEEK_SET);
    if (moved < 0)
        return (long)moved;
    long answer = 1;
    for (size_t done = 0; done < size && answer > 0; done += answer > 0 ? (size_t)answer : 0)
        answer = __symcrete_read(descriptor, out + done, size - done);
    __symcrete_lseek(descriptor, before, SEEK_SET);
    return answer < 0 ? answer : 0;
}

static void *map(size_t size, int protection, int flags, int descriptor, long long offset)
{
    if (size == 0)
        return refuse(EINVAL);
    // Changes to a shared mapping would have to reach the file.
    int anonymous = (flags & MAP_ANONYMOUS) != 0;
    if ((flags & MAP_FIXED) || (!anonymous && (flags & MAP_SHARED) && (protection & PROT_WRITE)))
        return refuse(ENOSYS);
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    struct mapping *mapping = malloc(sizeof *mapping);
    char *memory = mapping == NULL || whole < size ? NULL : __symcrete_aligned_alloc(PAGE, whole);
    if (memory == NULL) {
        free(mapping);
        return refuse(ENOMEM);
    }
    memset(memory, 0, whole);
    long answer = anonymous ? 0 : read_file(memory, size, descriptor, offset);
    if (answer < 0) {
        free(memory);
        free(mapping);
        return refuse((int)-answer);
    }
    *mapping = (struct mapping){memory, whole, mappings};
    mappings = mapping;
    return memory;
}

void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off64_t offset)
{
    (void)address;
    return map(size, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    (void)address;
    return map(size, protection, flags, descriptor, offset);
}

int munmap(void *address, size_t size)
{
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    if ((uintptr_t)address % PAGE != 0 || size == 0)
        return __symcrete_fail(EINVAL);
    for (struct mapping **place = &mappings; *place != NULL; place = &(*place)->next) {
        struct mapping *mapping = *place;
        if (mapping->start == address && mapping->size == whole) {
            *place = mapping->next;
            free(mapping->start);
            free(mapping);
            break;
        }
    }
    return 0;
}

// Protection and advice have no effect.
int mprotect(void *address, size_t size, int protection)
{
    (void)address;
    (void)size;
    (void)protection;
    return 0;
}

int madvise(void *address, size_t size, int advice)
{
    (void)address;
    (void)size;
    (void)advice;
    return 0;
}
ALIAS(posix_madvise, madvise);
ALIAS(msync, madvise);

int mlock(const void *address, size_t size)
{
    (void)address;
    (void)size;
    return 0;
}
ALIAS(munlock, mlock);
