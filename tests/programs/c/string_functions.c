// All of string.h and strings.h.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int sign(int value) { return (value > 0) - (value < 0); }
static long at(const char *base, const char *found) { return found ? found - base : -1; }

static void copying(void) {
    char buffer[32];
    memset(buffer, '.', sizeof buffer);
    strcpy(buffer, "hello");
    printf("%.*s|", (int)sizeof buffer, buffer);
    strncpy(buffer, "hi", 4);
    fwrite(buffer + 4, 1, 8, stdout);
    strncpy(buffer, "truncated", 5);
    fwrite(buffer, 1, 12, stdout);
    strcpy(buffer, "one");
    strcat(buffer, "+two");
    strncat(buffer, "+three", 3);
    printf("|%s|%ld\n", buffer, stpcpy(buffer + 20, "end") - buffer);
    char overlap[] = "0123456789abcdef";
    memmove(overlap + 3, overlap, 8);
    printf("%s ", overlap);
    memmove(overlap, overlap + 5, 8);
    printf("%s ", overlap);
    memcpy(overlap + 8, "XYZ", 3);
    printf("%s %d ", overlap, *(char *)mempcpy(overlap, "Q", 1));
    printf("%ld %d\n", at(overlap, memccpy(overlap, "abcdef", 'c', 6)), memccpy(overlap, "abc", 'z', 3) == NULL);
    char *copy = strdup("a copy"), *part = strndup("a longer copy", 8);
    printf("%s %s %zu %zu %zu\n", copy, part, strlen(copy), strnlen(part, 4), strnlen(part, 100));
    free(copy);
    free(part);
}

static void comparing(void) {
    const char *words[] = {"", "a", "ab", "abc", "abd", "ABC", "b", "\xff", "abc1", "abc10", "abc9"};
    for (int left = 0; left < 11; left++) {
        for (int right = 0; right < 11; right++)
            printf("%2d%2d%2d%2d%2d%2d ", sign(strcmp(words[left], words[right])), sign(strncmp(words[left], words[right], 2)),
                   sign(strcasecmp(words[left], words[right])), sign(strncasecmp(words[left], words[right], 3)),
                   sign(strcoll(words[left], words[right])), sign(strverscmp(words[left], words[right])));
        putchar('\n');
    }
    printf("%d %d %d %d\n", sign(memcmp("abc", "abd", 2)), sign(memcmp("abc", "abd", 3)), sign(memcmp("\x80", "\x7f", 1)), memcmp("", "x", 0));
}

static void searching(void) {
    const char *text = "the quick brown fox jumps over the lazy dog";
    printf("%ld %ld %ld %ld\n", at(text, strchr(text, 'o')), at(text, strrchr(text, 'o')), at(text, strchr(text, 0)), at(text, strchr(text, 'Z')));
    printf("%ld %ld %ld %ld\n", at(text, strstr(text, "the lazy")), at(text, strstr(text, "")), at(text, strstr(text, "cat")),
           at(text, strcasestr(text, "FOX")));
    printf("%zu %zu %ld %ld\n", strspn(text, "eht "), strcspn(text, "xyz"), at(text, strpbrk(text, "zyx")), at(text, strpbrk(text, "7")));
    printf("%ld %ld %ld %ld\n", at(text, memchr(text, 'q', 10)), at(text, memchr(text, 'q', 4)), at(text, memrchr(text, 'e', 43)),
           at(text, strchrnul(text, '!')));
    printf("%ld %ld %d %d %d\n", at(text, memmem(text, 43, "over", 4)), at(text, index(text, 'j')), ffs(0), ffs(96), bcmp("a", "b", 1) != 0);
    for (int length = 1; length < 12; length++) {
        char needle[12];
        memcpy(needle, "aaaaaaaaaab", 12);
        needle[length] = 0;
        printf("%ld ", at("aaaaaaaaaaaaaaab", strstr("aaaaaaaaaaaaaaab", needle + (length > 6))));
    }
    putchar('\n');
}

static void splitting(void) {
    char text[] = ",,alpha,beta;;gamma , delta", *state;
    for (char *word = strtok(text, ",; "); word; word = strtok(NULL, ",; "))
        printf("<%s>", word);
    char again[] = "k1=v1&k2=v2&k3";
    for (char *pair = strtok_r(again, "&", &state); pair; pair = strtok_r(NULL, "&", &state)) {
        char *inner, *key = strtok_r(pair, "=", &inner), *value = strtok_r(NULL, "=", &inner);
        printf("<%s:%s>", key, value ? value : "none");
    }
    char fields[] = "a::b:", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("<%s>", field);
    printf("\n%s %s\n", basename("/usr/lib/file.c"), basename("plain"));
}

int main(void) {
    copying();
    comparing();
    searching();
    splitting();
    char reversed[] = "swab me!", out[9] = {0}, transformed[8];
    swab(reversed, out, 8);
    printf("%s %zu\n", out, strxfrm(transformed, "plain", sizeof transformed));
    printf("%s; %s; %s\n", strerror(ENOENT), strerror(0), strerror(EINVAL));
    bzero(out, sizeof out);
    explicit_bzero(out, 2);
    printf("%zu\n", strlen(out));
    return 0;
}
