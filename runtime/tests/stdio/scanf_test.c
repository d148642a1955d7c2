// Differential test of the scanf family: random formats on random inputs, from strings and streams, the runtime against
// the C library. Usage: scanf_test SEED ROUNDS
#define _GNU_SOURCE
#include "testing.h"

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <string.h>

int sc_sscanf(const char *text, const char *format, ...) __asm__("sc___isoc99_sscanf");
int sc_fscanf(FILE *file, const char *format, ...) __asm__("sc___isoc99_fscanf");
int sc_old_sscanf(const char *text, const char *format, ...) __asm__("sc_sscanf");
int sc_new_sscanf(const char *text, const char *format, ...) __asm__("sc___isoc23_sscanf");
FILE *sc_fmemopen(void *bytes, size_t size, const char *mode);
int sc_fclose(FILE *file);
int sc_getc(FILE *file);
int sc_feof(FILE *file);
long sc_ftell(FILE *file);

enum { TARGETS = 6, TARGET_SIZE = 512, TEXT_SIZE = 400 };
static char expected[TARGETS][TARGET_SIZE] __attribute__((aligned(16)));
static char actual[TARGETS][TARGET_SIZE] __attribute__((aligned(16)));

static void report(const char *where, const char *format, const char *text, int expected_count, int actual_count)
{
    count_difference(where);
    fprintf(stderr, "  format \"%s\" input \"%s\"\n", format, text);
    fprintf(stderr, "  expected %d, actual %d\n", expected_count, actual_count);
    for (int i = 0; i < TARGETS; i++) {
        if (memcmp(expected[i], actual[i], TARGET_SIZE) != 0) {
            fprintf(stderr, "  argument %d: expected", i + 1);
            for (int j = 0; j < 16; j++) {
                fprintf(stderr, " %02x", (unsigned char)expected[i][j]);
            }
            fprintf(stderr, ", actual");
            for (int j = 0; j < 16; j++) {
                fprintf(stderr, " %02x", (unsigned char)actual[i][j]);
            }
            fprintf(stderr, "\n");
        }
    }
}

static void reset(void)
{
    memset(expected, '~', sizeof expected);
    memset(actual, '~', sizeof actual);
    errno = 0;
}

#define ALL(targets) targets[0], targets[1], targets[2], targets[3], targets[4], targets[5]

static void compare_strings(const char *format, const char *text)
{
    reset();
    int expected_count = sscanf(text, format, ALL(expected));
    int actual_count = sc_sscanf(text, format, ALL(actual));
    if (expected_count != actual_count || memcmp(expected, actual, sizeof expected) != 0) {
        report("sscanf", format, text, expected_count, actual_count);
    }
}

static void compare_streams(const char *format, char *text)
{
    reset();
    if (*text == '\0') {
        return;
    }
    FILE *expected_file = fmemopen(text, strlen(text), "r");
    FILE *actual_file = sc_fmemopen(text, strlen(text), "r");
    int expected_count = fscanf(expected_file, format, ALL(expected));
    int actual_count = sc_fscanf(actual_file, format, ALL(actual));
    bool same = expected_count == actual_count && memcmp(expected, actual, sizeof expected) == 0 &&
                feof(expected_file) == sc_feof(actual_file) && ftell(expected_file) == sc_ftell(actual_file) &&
                getc(expected_file) == sc_getc(actual_file);
    if (!same) {
        report("fscanf", format, text, expected_count, actual_count);
        fprintf(stderr, "  then at %ld and %ld\n", ftell(expected_file), sc_ftell(actual_file));
    }
    fclose(expected_file);
    sc_fclose(actual_file);
}

static void random_format(char *format)
{
    static const char *const lengths[] = {"hh", "h", "", "", "", "l", "ll", "j", "z", "t", "q", "L"};
    static const char *const sets[] = {"[abc]", "[^abc]", "[a-f0-9]", "[]a]", "[^]a]",
                                       "[-a]",  "[a-]",   "[z-a]",    "[^ \n]", "[0-9.]"};
    *format = '\0';
    for (unsigned i = 0, count = random_below(4) + 1; i < count; i++) {
        static const char *const between[] = {" ", "", "", ",", "a", "1", " x", "\n\t", "%%", "."};
        strcat(format, between[random_below(10)]);
        strcat(format, "%");
        strcat(format, random_chance(8) ? "*" : "");
        if (random_chance(3)) {
            sprintf(format + strlen(format), "%u", random_below(random_chance(3) ? 30 : 7));
        }
        switch (random_below(8)) {
        case 0:
            strcat(format, random_chance(4) ? "ls" : "s");
            break;
        case 1:
            strcat(format, random_chance(4) ? "lc" : "c");
            break;
        case 2:
            strcat(format, sets[random_below(10)]);
            break;
        case 3: {
            static const char *const letters[] = {"f", "lf", "Lf", "a", "le", "Lg", "E", "lG"};
            strcat(format, letters[random_below(8)]);
            break;
        }
        case 4:
            strcat(format, random_chance(3) ? "n" : "p");
            break;
        default:
            strcat(format, lengths[random_below(12)]);
            sprintf(format + strlen(format), "%c", "diuxXo"[random_below(6)]);
            break;
        }
    }
    strcat(format, random_chance(4) ? " " : "");
    strcat(format, random_chance(4) ? "z" : "");
}

static void append_number(char *text)
{
    char *end = text + strlen(text);
    switch (random_below(9)) {
    case 0:
        sprintf(end, "%d", (int)random_bits());
        break;
    case 1:
        sprintf(end, "%llu", (unsigned long long)random_bits() >> random_below(64));
        break;
    case 2:
        sprintf(end, "0x%llx", (unsigned long long)random_bits() >> random_below(64));
        break;
    case 3:
        sprintf(end, "0%o", random_below(10000));
        break;
    case 4:
        sprintf(end, "%.*g", (int)random_below(25), (double)random_bits() / (double)(random_bits() | 1));
        break;
    case 5:
        sprintf(end, "%a", (double)random_bits() * 1e-5);
        break;
    case 6:
        sprintf(end, "%u%u%u%u%ue%d", (unsigned)random_bits(), (unsigned)random_bits(), (unsigned)random_bits(),
                (unsigned)random_bits(), (unsigned)random_bits(), (int)random_below(800) - 400);
        break;
    case 7:
        sprintf(end, "-%llu", (unsigned long long)random_bits());
        break;
    default:
        sprintf(end, "%u", random_below(100));
        break;
    }
}

static void random_text(char *text)
{
    static const char *const pieces[] = {"inf", "infinity", "INFINIT", "nan",   "NaN(1)", "na",    "(nil)", "(NIL",
                                         "0x",  "0X.p",     "1e",      "1e+",   "1.5e-",  "0x1p",  "0x1p+", ".",
                                         "-.",  "+-",       "-",       "+",     "1..2",   "0b11",  "1e5.5"};
    *text = '\0';
    for (unsigned i = 0, count = random_below(6); i < count; i++) {
        switch (random_below(6)) {
        case 0:
        case 1:
            append_number(text);
            break;
        case 2:
            strcat(text, pieces[random_below(sizeof pieces / sizeof *pieces)]);
            break;
        case 3:
            strcat(text, random_chance(2) ? " " : random_chance(2) ? "\n \t" : "h\u00e9");
            break;
        default:
            for (unsigned j = random_below(8); j > 0; j--) {
                strncat(text, &"abcdefxz0123459.,-+% \n(npi]"[random_below(27)], 1);
            }
            break;
        }
    }
}

static void test_allocation(void)
{
    char *texts[4] = {NULL, NULL, NULL, NULL};
    char long_word[3000];
    memset(long_word, 'w', sizeof long_word);
    strcpy(long_word + sizeof long_word - 8, " [abc]");
    int count = sc_sscanf(long_word, "%ms %m[][a-c]%3mc", &texts[0], &texts[1], &texts[2]);
    if (count != 2 || strlen(texts[0]) != sizeof long_word - 8 || strcmp(texts[1], "[abc]") != 0) {
        count_difference("allocation");
    }
    for (int i = 0; i < 4; i++) {
        free(texts[i]);
    }
    float number = 0;
    count = sc_old_sscanf("word 2.5", "%as %a", &texts[0], &number);
    if (count != 2 || strcmp(texts[0], "word") != 0 || number != 2.5F) {
        count_difference("%as before C99");
    }
    free(texts[0]);
    int binary = 0;
    if (sc_new_sscanf("0b101", "%i", &binary) != 1 || binary != 5) {
        count_difference("0b in C23");
    }
    int first = 0, second = 0;
    if (sc_sscanf("1 2", "%2$d %1$d", &first, &second) != 2 || first != 2 || second != 1) {
        count_difference("numbered arguments");
    }
}

int main(int count, char **values)
{
    if (count != 3) {
        return 2;
    }
    setlocale(LC_CTYPE, "C.UTF-8");
    seed_random(strtoull(values[1], NULL, 10));
    test_allocation();
    for (long round = strtol(values[2], NULL, 10); round > 0; round--) {
        char format[200], text[TEXT_SIZE];
        random_format(format);
        random_text(text);
        compare_strings(format, text);
        if (random_chance(4)) {
            compare_streams(format, text);
        }
    }
    return differences == 0 ? 0 : 1;
}
