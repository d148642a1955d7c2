// A growing string buffer (realloc), used to format tables, wrap text, replace and split.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder { char *text; size_t length, capacity; int growths; };

static void reserve(struct builder *builder, size_t more) {
    if (builder->length + more + 1 <= builder->capacity)
        return;
    while (builder->length + more + 1 > builder->capacity)
        builder->capacity = builder->capacity ? builder->capacity * 2 : 8;
    builder->text = realloc(builder->text, builder->capacity);
    builder->growths++;
}

static void append(struct builder *builder, const char *text, size_t length) {
    reserve(builder, length);
    memcpy(builder->text + builder->length, text, length);
    builder->text[builder->length += length] = 0;
}

static void print_to(struct builder *builder, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int needed = vsnprintf(NULL, 0, format, list);
    va_end(list);
    reserve(builder, (size_t)needed);
    va_start(list, format);
    builder->length += (size_t)vsprintf(builder->text + builder->length, format, list);
    va_end(list);
}

static void replace_all(struct builder *builder, const char *from, const char *to) {
    struct builder fresh = {0};
    const char *at = builder->text, *found;
    for (; (found = strstr(at, from)); at = found + strlen(from)) {
        append(&fresh, at, (size_t)(found - at));
        append(&fresh, to, strlen(to));
    }
    append(&fresh, at, strlen(at));
    free(builder->text);
    *builder = fresh;
}

static void wrap(const char *text, int width) {
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > width)
            putchar('\n'), column = 0;
        if (column)
            putchar(' '), column++;
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void reverse_words(char *text) {
    size_t length = strlen(text);
    for (size_t left = 0, right = length; left + 1 < right; left++, right--) {
        char kept = text[left];
        text[left] = text[right - 1];
        text[right - 1] = kept;
    }
    for (char *word = text; *word;) {
        size_t size = strcspn(word, " ");
        for (size_t left = 0, right = size; left + 1 < right; left++, right--) {
            char kept = word[left];
            word[left] = word[right - 1];
            word[right - 1] = kept;
        }
        word += size;
        word += *word == ' ';
    }
}

static int is_palindrome(const char *text) {
    const char *end = text + strlen(text);
    while (text < end)
        if (*text++ != *--end)
            return 0;
    return 1;
}

int main(void) {
    struct builder builder = {0};
    for (int row = 1; row <= 6; row++) {
        for (int column = 1; column <= 6; column++)
            print_to(&builder, "%*d", 4, row * column);
        append(&builder, "\n", 1);
    }
    fputs(builder.text, stdout);
    printf("%zu %zu %d\n", builder.length, builder.capacity, builder.growths);
    replace_all(&builder, " 1", "<one>");
    replace_all(&builder, "\n", " ");
    wrap(builder.text, 40);
    free(builder.text);
    char text[] = "the words of this sentence come back reversed";
    reverse_words(text);
    puts(text);
    printf("%d %d %d\n", is_palindrome("amanaplanacanalpanama"), is_palindrome("almost"), is_palindrome(""));
    return 0;
}
