/* The sizes of objects, for programs that ask for them (klee_get_obj_size): linked only to those. Sizes of the heap are kept beside
 * the C library's allocator, which rounds them up; a sanitizer knows those of variables as well. */

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

#ifdef SYMCRETE_SANITIZED
extern const char *__asan_locate_address(void *address, char *name, size_t name_size, void **region, size_t *size)
    __attribute__((weak));

__attribute__((weak)) size_t klee_get_obj_size(void *object)
{
    char name[64];
    void *region = NULL;
    size_t size = 0;
    const char *kind = NULL;
    if (__asan_locate_address)
        kind = __asan_locate_address(object, name, sizeof name, &region, &size);
    return kind && strncmp(kind, "heap", 4) == 0 ? size : (size_t)replay_answer();
}
#else
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

enum { MOST_BLOCKS = 1 << 16 };

static struct block {
    char *start;
    size_t size;
} blocks[MOST_BLOCKS];
static unsigned used;
static int lock;

static void acquire(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
}

static void release(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static void note(void *start, size_t size)
{
    if (!start)
        return;
    acquire();
    unsigned at = 0;
    while (at < used && blocks[at].start)
        at++;
    if (at < MOST_BLOCKS) {
        blocks[at] = (struct block){start, size};
        if (at == used)
            used++;
    }
    release();
}

static void forget(void *start)
{
    acquire();
    for (unsigned at = 0; start && at < used; at++)
        if (blocks[at].start == start)
            blocks[at].start = NULL;
    release();
}

void *malloc(size_t size)
{
    void *start = __libc_malloc(size);
    note(start, size);
    return start;
}

void *calloc(size_t count, size_t size)
{
    void *start = __libc_calloc(count, size);
    note(start, count * size);
    return start;
}

void *realloc(void *block, size_t size)
{
    forget(block);
    void *start = __libc_realloc(block, size);
    note(start, size);
    return start;
}

void free(void *block)
{
    forget(block);
    __libc_free(block);
}

__attribute__((weak)) size_t klee_get_obj_size(void *object)
{
    size_t size = 0;
    int is_block = 0;
    acquire();
    for (unsigned at = 0; at < used; at++) {
        char *start = blocks[at].start;
        if (start && (char *)object >= start && ((char *)object < start + blocks[at].size || object == start)) {
            size = blocks[at].size;
            is_block = 1;
        }
    }
    release();
    return is_block ? size : (size_t)replay_answer();
}
#endif
