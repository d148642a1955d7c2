// qsort and bsearch on integers, strings, structures, and arrays of odd sizes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { char name[12]; int age; double weight; };
struct __attribute__((packed)) odd { char key; short value; };

static int comparisons;

static int by_int(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    comparisons++;
    return (a > b) - (a < b);
}

static int by_text(const void *left, const void *right) { return strcmp(*(char *const *)left, *(char *const *)right); }

static int by_age_then_name(const void *left, const void *right) {
    const struct record *a = left, *b = right;
    return a->age != b->age ? a->age - b->age : strcmp(a->name, b->name);
}

static int by_key_down(const void *left, const void *right) {
    const struct odd *a = left, *b = right;
    return a->key != b->key ? b->key - a->key : b->value - a->value;
}

static int by_length(const void *key, const void *element) { return (int)strlen(key) - *(const int *)element; }

static void integers(void) {
    int values[101];
    unsigned state = 12345;
    for (int index = 0; index < 101; index++) {
        state = state * 1103515245u + 12345u;
        values[index] = (int)(state >> 16 & 1023) - 512;
    }
    qsort(values, 101, sizeof values[0], by_int);
    for (int index = 0; index < 101; index++)
        printf("%d ", values[index]);
    for (int wanted = -20; wanted < 20; wanted++) {
        int *found = bsearch(&wanted, values, 101, sizeof values[0], by_int);
        printf("%d", found ? *found == wanted : 2);
    }
    printf("\n%d\n", comparisons > 101);
    qsort(values, 0, sizeof values[0], by_int);
    qsort(values, 1, sizeof values[0], by_int);
}

int main(void) {
    integers();
    const char *words[] = {"pear", "apple", "fig", "banana", "", "cherry", "apples", "app", "Zebra", "zebra", "10", "9"};
    qsort(words, 12, sizeof words[0], by_text);
    for (int index = 0; index < 12; index++)
        printf("[%s]", words[index]);
    const char *wanted = "fig", *missing = "grape";
    const char **found = bsearch(&wanted, words, 12, sizeof words[0], by_text);
    printf("\n%ld %d\n", (long)(found - words), bsearch(&missing, words, 12, sizeof words[0], by_text) == NULL);
    struct record records[] = {{"Zoe", 30, 55.5}, {"Adam", 25, 80.25}, {"Bert", 30, 70}, {"Carl", 19, 64.5}, {"Dora", 25, 60}};
    qsort(records, 5, sizeof records[0], by_age_then_name);
    for (int index = 0; index < 5; index++)
        printf("%s %d %g\n", records[index].name, records[index].age, records[index].weight);
    struct odd odds[26];
    for (int index = 0; index < 26; index++)
        odds[index] = (struct odd){(char)('a' + index * 7 % 26 / 2), (short)(index * 31 % 17)};
    qsort(odds, 26, sizeof odds[0], by_key_down);
    for (int index = 0; index < 26; index++)
        printf("%c%d ", odds[index].key, odds[index].value);
    const int lengths[] = {1, 3, 5, 7, 9};
    const int *length = bsearch("seven..", lengths, 5, sizeof lengths[0], by_length);
    printf("\n%d\n", length ? *length : -1);
    return 0;
}
