// Nine sorting algorithms on the same data: their results must agree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 80 };

static void swap(int *left, int *right) {
    int kept = *left;
    *left = *right;
    *right = kept;
}

static void bubble(int *values, int count) {
    for (int sorted = 0, end = count; !sorted; end--) {
        sorted = 1;
        for (int index = 1; index < end; index++)
            if (values[index - 1] > values[index])
                swap(&values[index - 1], &values[index]), sorted = 0;
    }
}

static void insertion(int *values, int count) {
    for (int index = 1; index < count; index++) {
        int value = values[index], at = index;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void selection(int *values, int count) {
    for (int *end = values + count, *from = values; from < end; from++) {
        int *smallest = from;
        for (int *at = from + 1; at < end; at++)
            if (*at < *smallest)
                smallest = at;
        swap(from, smallest);
    }
}

static void shell(int *values, int count) {
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int index = gap; index < count; index++)
            for (int at = index; at >= gap && values[at - gap] > values[at]; at -= gap)
                swap(&values[at], &values[at - gap]);
}

static void quick(int *values, int count) {
    if (count < 2)
        return;
    int pivot = values[count / 2], left = 0, right = count - 1;
    while (left <= right) {
        while (values[left] < pivot)
            left++;
        while (values[right] > pivot)
            right--;
        if (left <= right)
            swap(&values[left++], &values[right--]);
    }
    quick(values, right + 1);
    quick(values + left, count - left);
}

static void merge(int *values, int count) {
    if (count < 2)
        return;
    int half = count / 2, *out = malloc((size_t)count * sizeof *out);
    merge(values, half);
    merge(values + half, count - half);
    for (int left = 0, right = half, at = 0; at < count; at++)
        out[at] = right == count || (left < half && values[left] <= values[right]) ? values[left++] : values[right++];
    memcpy(values, out, (size_t)count * sizeof *out);
    free(out);
}

static void counting(int *values, int count) {
    int counts[2001] = {0};
    for (int index = 0; index < count; index++)
        counts[values[index] + 1000]++;
    for (int value = 0; value <= 2000; value++)
        while (counts[value]--)
            *values++ = value - 1000;
}

static void radix(int *values, int count) {
    unsigned buffer[COUNT], *from = (unsigned *)values, *to = buffer;
    for (int shift = 0; shift < 32; shift += 8) {
        int starts[257] = {0};
        for (int index = 0; index < count; index++)
            starts[((from[index] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int digit = 0; digit < 256; digit++)
            starts[digit + 1] += starts[digit];
        for (int index = 0; index < count; index++)
            to[starts[(from[index] ^ 0x80000000u) >> shift & 255]++] = from[index];
        unsigned *kept = from;
        from = to, to = kept;
    }
}

static void comb(int *values, int count) {
    for (int gap = count, swapped = 1; gap > 1 || swapped;) {
        gap = gap > 1 ? gap * 10 / 13 : 1;
        swapped = 0;
        for (int index = 0; index + gap < count; index++)
            if (values[index] > values[index + gap])
                swap(&values[index], &values[index + gap]), swapped = 1;
    }
}

int main(void) {
    static void (*const algorithms[])(int *, int) = {bubble, insertion, selection, shell, quick, merge, counting, radix, comb};
    int original[COUNT], first[COUNT];
    unsigned state = 2463534242u;
    for (int index = 0; index < COUNT; index++) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        original[index] = (int)(state % 2001) - 1000;
    }
    for (unsigned which = 0; which < sizeof algorithms / sizeof algorithms[0]; which++) {
        int values[COUNT];
        memcpy(values, original, sizeof values);
        algorithms[which](values, COUNT);
        if (which == 0)
            memcpy(first, values, sizeof first);
        printf("%d", memcmp(first, values, sizeof first) == 0);
    }
    for (int index = 0; index < COUNT; index++)
        printf(" %d", first[index]);
    putchar('\n');
    return 0;
}
