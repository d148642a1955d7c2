// Comparisons of <string.h> on strings, placed so that reading past a terminator crashes.
#define _GNU_SOURCE
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#undef basename

#include "differential.h"

char *gnu_basename(const char *path) __asm__("basename");
char *our_gnu_basename(const char *path) __asm__("our_basename");
OURS(strlen);
OURS(strnlen);
OURS(strcpy);
OURS(strncpy);
OURS(stpcpy);
OURS(stpncpy);
OURS(strcat);
OURS(strncat);
OURS(strdup);
OURS(strndup);
OURS(strcmp);
OURS(strncmp);
OURS(strcasecmp);
OURS(strncasecmp);
OURS(strcoll);
OURS(strverscmp);
OURS(strchr);
OURS(strrchr);
OURS(strchrnul);
OURS(strstr);
OURS(strcasestr);
OURS(strspn);
OURS(strcspn);
OURS(strpbrk);
OURS(strtok);
OURS(strtok_r);
OURS(strsep);
OURS(strxfrm);
OURS(index);
OURS(rindex);
OURS(__xpg_basename);
OURS(dirname);
OURS(strerror);
OURS(strsignal);
OURS(strerror_r);
extern int __xpg_strerror_r(int, char *, size_t);
OURS(__xpg_strerror_r);
OURS(strerrorname_np);
OURS(strerrordesc_np);
OURS(sigabbrev_np);
OURS(sigdescr_np);
size_t our_strlcpy(char *to, const char *from, size_t size);
size_t our_strlcat(char *to, const char *from, size_t size);

enum { ROUNDS = 20000, LONGEST = 24, ROOM = 128 };

static void compare_searching(const char *a, const char *b, size_t a_length)
{
    int wanted = a[random_below((unsigned)a_length + 1)];
    if (random_below(4) == 0)
        wanted = "abA\0xyz\xff"[random_below(8)] + (random_below(2) ? 256 : 0);
    CHECK(our_strlen(a) == strlen(a), "strlen \"%s\"", a);
    CHECK(our_strchr(a, wanted) == strchr(a, wanted), "strchr \"%s\" %d", a, wanted);
    CHECK(our_index(a, wanted) == index(a, wanted), "index \"%s\" %d", a, wanted);
    CHECK(our_strrchr(a, wanted) == strrchr(a, wanted), "strrchr \"%s\" %d", a, wanted);
    CHECK(our_rindex(a, wanted) == rindex(a, wanted), "rindex \"%s\" %d", a, wanted);
    CHECK(our_strchrnul(a, wanted) == strchrnul(a, wanted), "strchrnul \"%s\" %d", a, wanted);
    CHECK(our_strstr(a, b) == strstr(a, b), "strstr \"%s\" \"%s\"", a, b);
    CHECK(our_strcasestr(a, b) == strcasestr(a, b), "strcasestr \"%s\" \"%s\"", a, b);
    CHECK(our_strspn(a, b) == strspn(a, b), "strspn \"%s\" \"%s\"", a, b);
    CHECK(our_strcspn(a, b) == strcspn(a, b), "strcspn \"%s\" \"%s\"", a, b);
    CHECK(our_strpbrk(a, b) == strpbrk(a, b), "strpbrk \"%s\" \"%s\"", a, b);
}

static void compare_order(const char *a, const char *b)
{
    size_t n = random_below(LONGEST + 4);
    CHECK(sign(our_strcmp(a, b)) == sign(strcmp(a, b)), "strcmp \"%s\" \"%s\"", a, b);
    CHECK(sign(our_strcoll(a, b)) == sign(strcoll(a, b)), "strcoll \"%s\" \"%s\"", a, b);
    CHECK(sign(our_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "strncmp \"%s\" \"%s\" %zu", a, b, n);
    CHECK(sign(our_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "strcasecmp \"%s\" \"%s\"", a, b);
    CHECK(sign(our_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)), "strncasecmp \"%s\" \"%s\" %zu", a, b, n);
    CHECK(sign(our_strverscmp(a, b)) == sign(strverscmp(a, b)), "strverscmp \"%s\" \"%s\": %d %d", a, b,
          our_strverscmp(a, b), strverscmp(a, b));
}

// Runs a copying call of both libraries on equal buffers.
#define COMPARE_COPY(name, ...)                                                                                        \
    do {                                                                                                               \
        char theirs_buffer[ROOM], ours_buffer[ROOM], *to;                                                              \
        memset(theirs_buffer, '#', ROOM);                                                                              \
        strcpy(theirs_buffer, prefix);                                                                                 \
        memcpy(ours_buffer, theirs_buffer, ROOM);                                                                      \
        to = theirs_buffer;                                                                                            \
        ptrdiff_t theirs = (char *)name(__VA_ARGS__) - theirs_buffer;                                                  \
        to = ours_buffer;                                                                                              \
        ptrdiff_t ours = (char *)our_##name(__VA_ARGS__) - ours_buffer;                                                \
        CHECK(ours == theirs && memcmp(theirs_buffer, ours_buffer, ROOM) == 0, #name " \"%s\" %zu", a, n);             \
    } while (0)

static void compare_copying(const char *a, const char *prefix)
{
    size_t n = random_below(LONGEST + 4);
    COMPARE_COPY(strcpy, to, a);
    COMPARE_COPY(stpcpy, to, a);
    COMPARE_COPY(strncpy, to, a, n);
    COMPARE_COPY(stpncpy, to, a, n);
    COMPARE_COPY(strcat, to, a);
    COMPARE_COPY(strncat, to, a, n);
    char theirs[ROOM] = "", ours[ROOM] = "";
    size_t size = random_below(ROOM);
    CHECK(strxfrm(theirs, a, size) == our_strxfrm(ours, a, size), "strxfrm \"%s\"", a);
    CHECK(size <= strlen(a) || strcmp(theirs, ours) == 0, "strxfrm \"%s\"", a);
    CHECK(our_strnlen(a, n) == strnlen(a, n), "strnlen \"%s\" %zu", a, n);
    char *copy = our_strdup(a), *short_copy = our_strndup(a, n), *expected = strndup(a, n);
    CHECK(strcmp(copy, a) == 0 && strcmp(short_copy, expected) == 0, "strdup \"%s\" %zu", a, n);
    free(copy);
    free(short_copy);
    free(expected);
}

static void compare_bounded_copying(const char *a, const char *prefix)
{
    char buffer[ROOM];
    size_t size = random_below(2 * LONGEST);
    memset(buffer, '#', ROOM);
    CHECK(our_strlcpy(buffer, a, size) == strlen(a), "strlcpy \"%s\" %zu", a, size);
    CHECK(size == 0 ? buffer[0] == '#'
                    : strncmp(buffer, a, size - 1) == 0 && strlen(buffer) < size && buffer[size] == '#',
          "strlcpy \"%s\" %zu", a, size);
    memset(buffer, '#', ROOM);
    strcpy(buffer, prefix);
    size_t used = strnlen(buffer, size);
    CHECK(our_strlcat(buffer, a, size) == used + strlen(a), "strlcat \"%s\" %zu", a, size);
    if (used < size)
        CHECK(strlen(buffer) == (used + strlen(a) < size ? used + strlen(a) : size - 1), "strlcat \"%s\" %zu", a, size);
}

static void compare_tokens(const char *a)
{
    char theirs[ROOM], ours[ROOM], *their_rest, *our_rest;
    const char *delimiters = random_below(2) ? "a" : "ab.";
    strcpy(theirs, a);
    strcpy(ours, a);
    char *their_token = strtok_r(theirs, delimiters, &their_rest);
    char *our_token = random_below(2) ? our_strtok(ours, delimiters) : NULL;
    int with_state = our_token == NULL;
    if (with_state) {
        strcpy(ours, a);
        our_token = our_strtok_r(ours, delimiters, &our_rest);
    }
    while (their_token != NULL && our_token != NULL) {
        CHECK(strcmp(their_token, our_token) == 0, "strtok \"%s\"", a);
        their_token = strtok_r(NULL, delimiters, &their_rest);
        our_token = with_state ? our_strtok_r(NULL, delimiters, &our_rest) : our_strtok(NULL, delimiters);
    }
    CHECK(their_token == our_token, "strtok \"%s\": number of tokens", a);
    strcpy(theirs, a);
    strcpy(ours, a);
    their_rest = theirs;
    our_rest = ours;
    while ((their_token = strsep(&their_rest, delimiters)) != NULL) {
        our_token = our_strsep(&our_rest, delimiters);
        CHECK(our_token != NULL && strcmp(their_token, our_token) == 0, "strsep \"%s\"", a);
    }
    CHECK(our_strsep(&our_rest, delimiters) == NULL, "strsep \"%s\": number of tokens", a);
}

static void compare_paths(const char *path)
{
    char theirs[ROOM], ours[ROOM];
    CHECK(strcmp(gnu_basename(path), our_gnu_basename(path)) == 0, "basename \"%s\"", path);
    strcpy(theirs, path);
    strcpy(ours, path);
    CHECK(strcmp(__xpg_basename(theirs), our___xpg_basename(ours)) == 0, "__xpg_basename \"%s\"", path);
    strcpy(theirs, path);
    strcpy(ours, path);
    const char *a = dirname(theirs), *b = our_dirname(ours);
    CHECK(strcmp(a, b) == 0, "dirname \"%s\": %s, ours %s", path, a, b);
}

static int same_or_null(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

static void compare_texts(void)
{
    for (int number = -3; number < 150; number++) {
        char theirs[64] = "", ours[64] = "";
        size_t size = random_below(40);
        CHECK(strcmp(strerror(number), our_strerror(number)) == 0, "strerror %d", number);
        CHECK(strcmp(strsignal(number), our_strsignal(number)) == 0, "strsignal %d: %s", number, our_strsignal(number));
        CHECK(same_or_null(strerrorname_np(number), our_strerrorname_np(number)), "strerrorname_np %d", number);
        CHECK(same_or_null(strerrordesc_np(number), our_strerrordesc_np(number)), "strerrordesc_np %d", number);
        CHECK(same_or_null(sigabbrev_np(number), our_sigabbrev_np(number)), "sigabbrev_np %d", number);
        CHECK(same_or_null(sigdescr_np(number), our_sigdescr_np(number)), "sigdescr_np %d", number);
        CHECK(strcmp(strerror_r(number, theirs, size), our_strerror_r(number, ours, size)) == 0, "strerror_r %d",
              number);
        int expected = __xpg_strerror_r(number, theirs, size), got = our___xpg_strerror_r(number, ours, size);
        CHECK(expected == got && strcmp(theirs, ours) == 0, "__xpg_strerror_r %d %zu: %d %d", number, size, expected,
              got);
    }
}

void test_strings(void)
{
    static const char *alphabets[] = {"ab", "abAB.", "aAzZ[@`{", "0129a", "01.", "a\xff\x80"};
    for (int round = 0; round < ROUNDS; round++) {
        char first[ROOM], second[ROOM];
        const char *alphabet = alphabets[random_below(6)];
        size_t first_length = random_string(first, LONGEST, alphabet);
        size_t second_length = random_string(second, random_below(3) ? 3 : LONGEST, alphabet);
        if (random_below(4) == 0) { // a common beginning
            size_t common = random_below((unsigned)first_length + 1);
            memmove(second + common, second, second_length + 1);
            memcpy(second, first, common);
            second_length += common;
        }
        char *a = guarded_copy(0, first, first_length + 1), *b = guarded_copy(1, second, second_length + 1);
        compare_searching(a, b, first_length);
        compare_order(a, b);
        compare_copying(a, b);
        compare_bounded_copying(a, b);
        compare_tokens(a);
        random_string(first, 8, "/a.");
        compare_paths(first);
    }
    compare_texts();
}
