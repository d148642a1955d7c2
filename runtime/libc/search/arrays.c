// bsearch, and the linear searches and linked lists of <search.h>.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

void *bsearch(const void *key, const void *elements, size_t count, size_t size, __compar_fn_t compare)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)elements + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static void *find(const void *key, const void *elements, size_t count, size_t size, __compar_fn_t compare)
{
    const char *element = elements;
    for (; count > 0; count--, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return NULL;
}

void *lfind(const void *key, const void *elements, size_t *count, size_t size, __compar_fn_t compare)
{
    return find(key, elements, *count, size, compare);
}

void *lsearch(const void *key, void *elements, size_t *count, size_t size, __compar_fn_t compare)
{
    void *found = find(key, elements, *count, size, compare);
    if (found == NULL)
        found = memcpy((char *)elements + (*count)++ * size, key, size);
    return found;
}

void insque(void *element, void *predecessor)
{
    struct qelem *item = element, *before = predecessor;
    item->q_back = before;
    item->q_forw = before == NULL ? NULL : before->q_forw;
    if (item->q_forw != NULL)
        item->q_forw->q_back = item;
    if (before != NULL)
        before->q_forw = item;
}

void remque(void *element)
{
    struct qelem *item = element;
    if (item->q_forw != NULL)
        item->q_forw->q_back = item->q_back;
    if (item->q_back != NULL)
        item->q_back->q_forw = item->q_forw;
}
