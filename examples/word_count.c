// Counts the words on standard input and prints the most frequent ones.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    int count;
};

static struct word *words;
static size_t used, capacity;

static void count(const char *text) {
    for (size_t index = 0; index < used; index++)
        if (strcmp(words[index].text, text) == 0) {
            words[index].count++;
            return;
        }
    if (used == capacity) {
        capacity = capacity ? capacity * 2 : 16;
        words = realloc(words, capacity * sizeof *words);
    }
    words[used++] = (struct word){strdup(text), 1};
}

static int by_count_then_text(const void *left, const void *right) {
    const struct word *a = left, *b = right;
    return a->count != b->count ? b->count - a->count : strcmp(a->text, b->text);
}

int main(int argc, char **argv) {
    size_t wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 5;
    char text[64];
    size_t length = 0, total = 0;
    int character;
    do {
        character = getchar();
        if (character != EOF && isalpha(character)) {
            if (length + 1 < sizeof text)
                text[length++] = (char)tolower(character);
        } else if (length > 0) {
            text[length] = 0;
            count(text);
            total++;
            length = 0;
        }
    } while (character != EOF);
    qsort(words, used, sizeof *words, by_count_then_text);
    printf("%zu words, %zu different\n", total, used);
    for (size_t index = 0; index < used && index < wanted; index++)
        printf("%6d  %s\n", words[index].count, words[index].text);
    for (size_t index = 0; index < used; index++)
        free(words[index].text);
    free(words);
    return 0;
}
