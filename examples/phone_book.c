// A phone book with a mistake: removing an entry frees it, and then reads from it where to go on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char name[16];
    int number;
    struct entry *next;
};

static struct entry *add(struct entry *book, const char *name, int number) {
    struct entry *entry = malloc(sizeof *entry);
    strcpy(entry->name, name);
    entry->number = number;
    entry->next = book;
    return entry;
}

static void drop(struct entry *entry) {
    printf("dropping %s\n", entry->name);
    free(entry);
}

static int drop_all(struct entry *book) {
    int dropped = 0;
    for (struct entry *entry = book; entry != NULL; entry = entry->next) {
        drop(entry);
        dropped++;
    }
    return dropped;
}

int main(void) {
    struct entry *book = NULL;
    book = add(book, "Ada", 1815);
    book = add(book, "Grace", 1906);
    printf("%d entries dropped\n", drop_all(book));
    return 0;
}
