// hsearch and its relatives: one table of a fixed size, open addressing.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

// glibc hides this type; a slot is free while its key is null.
struct _ENTRY {
    ENTRY entry;
};

static struct hsearch_data shared_table;

static int create(size_t count, struct hsearch_data *table)
{
    if (table == NULL || table->table != NULL) {
        errno = table == NULL ? EINVAL : errno;
        return 0;
    }
    unsigned size = 8;
    while (size < count + count / 2 + 1)
        size *= 2;
    table->table = calloc(size, sizeof *table->table);
    table->size = (unsigned)count;
    table->filled = 0;
    return table->table != NULL;
}

// The number of slots follows from the size that was asked for.
static unsigned slots(const struct hsearch_data *table)
{
    unsigned size = 8;
    while (size < table->size + table->size / 2 + 1)
        size *= 2;
    return size;
}

static int find_or_enter(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table)
{
    unsigned mask = slots(table) - 1, hash = 5381;
    for (const char *c = item.key; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    unsigned place = hash & mask;
    while (table->table[place].entry.key != NULL) {
        if (strcmp(table->table[place].entry.key, item.key) == 0) {
            *found = &table->table[place].entry;
            return 1;
        }
        place = (place + 1) & mask;
    }
    *found = NULL;
    if (action == FIND || table->filled >= mask) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return 0;
    }
    table->filled++;
    table->table[place].entry = item;
    *found = &table->table[place].entry;
    return 1;
}

static void destroy(struct hsearch_data *table)
{
    free(table->table);
    table->table = NULL;
}

int hcreate(size_t count)
{
    return create(count, &shared_table);
}

ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *found;
    find_or_enter(item, action, &found, &shared_table);
    return found;
}

void hdestroy(void)
{
    destroy(&shared_table);
}

int hcreate_r(size_t count, struct hsearch_data *table)
{
    return create(count, table);
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table)
{
    return find_or_enter(item, action, found, table);
}

void hdestroy_r(struct hsearch_data *table)
{
    destroy(table);
}
