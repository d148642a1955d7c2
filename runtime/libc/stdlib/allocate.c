// Aligned allocation and overflow-checked reallocation, over the engine's allocator.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>

#include "../internal.h"

enum { PAGE = 4096 };

static void *allocate(size_t alignment, size_t size)
{
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    if (alignment < 2 * sizeof(void *))
        alignment = 2 * sizeof(void *);
    void *memory = __symcrete_aligned_alloc(alignment, size);
    if (memory == NULL)
        errno = ENOMEM;
    return memory;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocate(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    // Other alignments are rounded up.
    size_t power = 2 * sizeof(void *);
    while (power < alignment && power <= (size_t)-1 / 4)
        power *= 2;
    return allocate(power, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int saved_errno = errno;
    void *memory = allocate(alignment, size);
    errno = saved_errno;
    if (memory == NULL)
        return ENOMEM;
    *result = memory;
    return 0;
}

void *valloc(size_t size)
{
    return allocate(PAGE, size);
}

void *pvalloc(size_t size)
{
    return allocate(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, bytes);
}

void cfree(void *memory);

void cfree(void *memory)
{
    free(memory);
}

// Tuning has no effect here.
int mallopt(int parameter, int value)
{
    (void)parameter;
    (void)value;
    return 1;
}

int malloc_trim(size_t padding)
{
    (void)padding;
    return 0;
}
