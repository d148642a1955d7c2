// qsort and qsort_r: the stable merge sort that glibc 2.36 uses, with the same sequence of comparisons.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

struct sorting {
    size_t size; // of an element
    __compar_d_fn_t compare;
    void *context;
    char *spare; // room for all elements
};

static void merge_sort(const struct sorting *sorting, char *elements, size_t count)
{
    if (count <= 1)
        return;
    size_t size = sorting->size, left_count = count / 2, right_count = count - left_count;
    char *left = elements, *right = elements + left_count * size, *out = sorting->spare;
    merge_sort(sorting, left, left_count);
    merge_sort(sorting, right, right_count);
    while (left_count > 0 && right_count > 0) {
        if (sorting->compare(left, right, sorting->context) <= 0) {
            memcpy(out, left, size);
            left += size;
            left_count--;
        } else {
            memcpy(out, right, size);
            right += size;
            right_count--;
        }
        out += size;
    }
    // What is left of the right half is in its place already.
    memcpy(out, left, left_count * size);
    memcpy(elements, sorting->spare, (count - right_count) * size);
}

static void swap(char *left, char *right, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = left[i];
        left[i] = right[i];
        right[i] = byte;
    }
}

// For want of memory: heap sort, in place but not stable.
static void heap_sort(const struct sorting *sorting, char *elements, size_t count)
{
    size_t size = sorting->size, root = count / 2;
    while (count > 1) {
        if (root > 0)
            root--;
        else
            swap(elements, elements + --count * size, size);
        for (size_t parent = root, child; (child = 2 * parent + 1) < count; parent = child) {
            char *larger = elements + child * size;
            if (child + 1 < count && sorting->compare(larger, larger + size, sorting->context) < 0) {
                child++;
                larger += size;
            }
            if (sorting->compare(elements + parent * size, larger, sorting->context) >= 0)
                break;
            swap(elements + parent * size, larger, size);
        }
    }
}

static void sort(void *elements, size_t count, size_t size, __compar_d_fn_t compare, void *context)
{
    char small[1024];
    struct sorting sorting = {size, compare, context, small};
    if (size == 0 || count <= 1)
        return;
    if (count <= sizeof small / size) {
        merge_sort(&sorting, elements, count);
        return;
    }
    int saved_errno = errno;
    sorting.spare = count <= (size_t)-1 / size ? malloc(count * size) : NULL;
    errno = saved_errno;
    if (sorting.spare == NULL) {
        heap_sort(&sorting, elements, count);
        return;
    }
    merge_sort(&sorting, elements, count);
    free(sorting.spare);
}

static int compare_without_context(const void *left, const void *right, void *context)
{
    return (*(__compar_fn_t *)context)(left, right);
}

void qsort_r(void *elements, size_t count, size_t size, __compar_d_fn_t compare, void *context)
{
    sort(elements, count, size, compare, context);
}

void qsort(void *elements, size_t count, size_t size, __compar_fn_t compare)
{
    sort(elements, count, size, compare_without_context, &compare);
}
