// Sorts argv[1] pseudo-random integers with a recursive quicksort.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void sort(int *values, long low, long high) {
    while (low < high) {
        int pivot = values[low + (high - low) / 2];
        long left = low, right = high;
        while (left <= right) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left <= right) {
                int kept = values[left];
                values[left++] = values[right];
                values[right--] = kept;
            }
        }
        sort(values, low, right);
        low = left;
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 0;
    int *values = malloc((size_t)count * sizeof *values + 1);
    uint32_t state = 12345;
    for (long index = 0; index < count; index++) {
        state = state * 1664525u + 1013904223u;
        values[index] = (int)(state >> 1);
    }
    sort(values, 0, count - 1);
    uint64_t checksum = 0;
    for (long index = 0; index < count; index++)
        checksum = checksum * 31 + (uint64_t)values[index];
    printf("%llu\n", (unsigned long long)checksum);
    free(values);
    return 0;
}
