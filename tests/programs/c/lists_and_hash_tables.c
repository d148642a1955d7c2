// Linked lists and hash tables on the heap: built, reversed, merged, grown, freed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}

static struct node *reverse(struct node *list) {
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

static struct node *merge(struct node *left, struct node *right) {
    struct node head, *tail = &head;
    while (left && right) {
        struct node **smaller = left->value <= right->value ? &left : &right;
        tail = tail->next = *smaller;
        *smaller = (*smaller)->next;
    }
    tail->next = left ? left : right;
    return head.next;
}

static struct node *merge_sort(struct node *list) {
    if (!list || !list->next)
        return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next)
        slow = slow->next, fast = fast->next->next;
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(merge_sort(list), merge_sort(second));
}

static void remove_if_multiple(struct node **list, int divisor) {
    while (*list)
        if ((*list)->value % divisor == 0) {
            struct node *gone = *list;
            *list = gone->next;
            free(gone);
        } else {
            list = &(*list)->next;
        }
}

struct entry { char *key; int count; struct entry *next; };
struct table { struct entry **buckets; size_t size, used; };

static uint32_t hash(const char *text) {
    uint32_t value = 2166136261u;
    while (*text)
        value = (value ^ (unsigned char)*text++) * 16777619u;
    return value;
}

static void grow(struct table *table) {
    size_t size = table->size ? table->size * 2 : 4;
    struct entry **buckets = calloc(size, sizeof *buckets);
    for (size_t index = 0; index < table->size; index++)
        for (struct entry *entry = table->buckets[index], *next; entry; entry = next) {
            next = entry->next;
            entry->next = buckets[hash(entry->key) % size];
            buckets[hash(entry->key) % size] = entry;
        }
    free(table->buckets);
    table->buckets = buckets;
    table->size = size;
}

static int *lookup(struct table *table, const char *key) {
    if (table->used >= table->size)
        grow(table);
    struct entry **bucket = &table->buckets[hash(key) % table->size];
    for (struct entry *entry = *bucket; entry; entry = entry->next)
        if (!strcmp(entry->key, key))
            return &entry->count;
    struct entry *fresh = calloc(1, sizeof *fresh);
    fresh->key = strdup(key);
    fresh->next = *bucket;
    *bucket = fresh;
    table->used++;
    return &fresh->count;
}

static int by_key(const void *left, const void *right) {
    return strcmp((*(struct entry *const *)left)->key, (*(struct entry *const *)right)->key);
}

static void words(void) {
    struct table table = {0};
    char text[] = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness";
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        ++*lookup(&table, word);
    struct entry **all = malloc(table.used * sizeof *all);
    size_t count = 0;
    for (size_t index = 0; index < table.size; index++)
        for (struct entry *entry = table.buckets[index]; entry; entry = entry->next)
            all[count++] = entry;
    qsort(all, count, sizeof *all, by_key);
    for (size_t index = 0; index < count; index++) {
        printf("%s=%d ", all[index]->key, all[index]->count);
        free(all[index]->key);
        free(all[index]);
    }
    printf("%zu %zu\n", table.size, count);
    free(all);
    free(table.buckets);
}

int main(void) {
    struct node *list = NULL;
    for (int step = 0; step < 60; step++)
        list = push(list, (step * 37 + 11) % 101);
    list = reverse(merge_sort(reverse(list)));
    remove_if_multiple(&list, 3);
    int length = 0;
    for (struct node *node = list, *next; node; node = next, length++) {
        printf("%d ", node->value);
        next = node->next;
        free(node);
    }
    printf("(%d)\n", length);
    words();
    return 0;
}
