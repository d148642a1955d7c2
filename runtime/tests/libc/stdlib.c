// Comparisons of <stdlib.h> and <search.h>: sorting, searching, random numbers, the environment, small helpers.
#define _GNU_SOURCE
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "differential.h"

OURS(qsort);
OURS(qsort_r);
OURS(bsearch);
OURS(lfind);
OURS(lsearch);
OURS(tsearch);
OURS(tfind);
OURS(tdelete);
OURS(twalk);
OURS(hcreate);
OURS(hsearch);
OURS(hdestroy);
OURS(abs);
OURS(labs);
OURS(div);
OURS(ldiv);
OURS(lldiv);
OURS(a64l);
OURS(l64a);
OURS(ecvt);
OURS(fcvt);
OURS(gcvt);
OURS(getsubopt);
OURS(getenv);
OURS(setenv);
OURS(unsetenv);
OURS(putenv);
OURS(posix_memalign);
OURS(aligned_alloc);
OURS(reallocarray);
OURS(rand);
OURS(srand);
OURS(rand_r);
OURS(random);
OURS(srandom);
OURS(initstate);
OURS(setstate);
OURS(random_r);
OURS(srandom_r);
OURS(initstate_r);
OURS(drand48);
OURS(erand48);
OURS(lrand48);
OURS(nrand48);
OURS(mrand48);
OURS(jrand48);
OURS(srand48);
OURS(seed48);
OURS(lcong48);
extern char **our_environ;

// Elements with a key and their first place; the trace of comparisons is compared too.
struct element {
    unsigned char key, place;
    unsigned char padding[62];
};

static uint64_t trace;

static int by_key(const void *left, const void *right)
{
    const struct element *a = left, *b = right;
    trace = trace * 31 + a->place * 257u + b->place;
    return a->key - b->key;
}

static int by_key_with(const void *left, const void *right, void *context)
{
    ++*(int *)context;
    return by_key(left, right);
}

static void compare_sorting(void)
{
    static unsigned char theirs[200 * 64], ours[200 * 64];
    size_t size = (size_t[]){2, 3, 4, 8, 16, 24, 64}[random_below(7)], count = random_below(random_below(4) ? 20 : 200);
    unsigned keys = 1 + random_below(random_below(2) ? 5 : 250);
    for (size_t i = 0; i < count; i++) {
        memset(theirs + i * size, (int)random_below(256), size);
        theirs[i * size] = (unsigned char)random_below(keys);
        theirs[i * size + 1] = (unsigned char)i;
    }
    memcpy(ours, theirs, sizeof ours);
    trace = 0;
    qsort(theirs, count, size, by_key);
    uint64_t expected = trace;
    int calls = 0;
    trace = 0;
    if (random_below(2))
        our_qsort(ours, count, size, by_key);
    else
        our_qsort_r(ours, count, size, by_key_with, &calls);
    CHECK(memcmp(theirs, ours, count * size) == 0, "qsort of %zu elements of %zu bytes", count, size);
    CHECK(trace == expected, "comparisons of qsort, %zu elements of %zu bytes", count, size);
    unsigned char wanted[64] = {(unsigned char)random_below(keys), 255};
    CHECK(bsearch(wanted, ours, count, size, by_key) == our_bsearch(wanted, ours, count, size, by_key), "bsearch");
    size_t found_count = count;
    CHECK(lfind(wanted, ours, &count, size, by_key) == our_lfind(wanted, ours, &found_count, size, by_key), "lfind");
}

static char walked[2][4096];
static int walking;

static void note(const void *node, VISIT visit, int depth)
{
    (void)depth;
    if (visit == postorder || visit == leaf) {
        char *out = walked[walking] + strlen(walked[walking]);
        sprintf(out, "%d,", **(int *const *)node);
    }
}

static int by_number(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static void compare_trees(void)
{
    static int numbers[64];
    void *theirs = NULL, *ours = NULL;
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    for (int step = 0; step < 150; step++) {
        int *key = &numbers[random_below(64)];
        if (random_below(3)) {
            int *expected = *(int **)tsearch(key, &theirs, by_number),
                *got = *(int **)our_tsearch(key, &ours, by_number);
            CHECK(expected == got, "tsearch");
        } else {
            void *expected = tdelete(key, &theirs, by_number), *got = our_tdelete(key, &ours, by_number);
            CHECK((expected == NULL) == (got == NULL), "tdelete");
        }
        CHECK((tfind(key, &theirs, by_number) == NULL) == (our_tfind(key, &ours, by_number) == NULL), "tfind");
        walked[0][0] = walked[1][0] = '\0';
        walking = 0;
        twalk(theirs, note);
        walking = 1;
        our_twalk(ours, note);
        CHECK(strcmp(walked[0], walked[1]) == 0, "twalk: %s, ours %s", walked[0], walked[1]);
    }
    for (int i = 0; i < 64; i++) {
        tdelete(&numbers[i], &theirs, by_number);
        our_tdelete(&numbers[i], &ours, by_number);
    }
    CHECK(ours == NULL, "an empty tree");
}

static void check_hash_table(void)
{
    static char names[100][8];
    our_hcreate(100);
    for (long i = 0; i < 100; i++) {
        sprintf(names[i], "n%ld", i);
        ENTRY *entry = our_hsearch((ENTRY){names[i], (void *)i}, ENTER);
        CHECK(entry != NULL && entry->data == (void *)i, "hsearch ENTER");
    }
    for (long i = 0; i < 100; i++) {
        ENTRY *entry = our_hsearch((ENTRY){names[i], NULL}, FIND);
        CHECK(entry != NULL && entry->data == (void *)i, "hsearch FIND");
    }
    CHECK(our_hsearch((ENTRY){(char *)"absent", NULL}, FIND) == NULL, "hsearch FIND of what is not there");
    our_hdestroy();
}

static void compare_small_helpers(void)
{
    int n = (int)random_bits(), d = (int)random_bits() >> random_below(31);
    d = d == 0 || d == -1 ? 3 : d;
    div_t a = div(n, d), b = our_div(n, d);
    ldiv_t c = ldiv(n * 1048576L, d), e = our_ldiv(n * 1048576L, d);
    CHECK(a.quot == b.quot && a.rem == b.rem && c.quot == e.quot && c.rem == e.rem, "div %d %d", n, d);
    CHECK(n == INT32_MIN || abs(n) == our_abs(n), "abs %d", n);
    char text[16];
    random_string(text, 8, "./09AZaz!");
    CHECK(a64l(text) == our_a64l(text), "a64l %s", text);
    CHECK(strcmp(l64a(n), our_l64a(n)) == 0, "l64a %d", n);
    static const char *values[] = {"0", "0.0001234", "123.456", "-9.9999", "1e20", "5e-7", "0.5", "99.5", "1"};
    double value = strtod(values[random_below(9)], NULL);
    int digits = (int)random_below(12), their_point, our_point, their_sign, our_sign;
    char theirs[64], ours[64];
    strcpy(theirs, ecvt(value, digits, &their_point, &their_sign));
    strcpy(ours, our_ecvt(value, digits, &our_point, &our_sign));
    CHECK(strcmp(theirs, ours) == 0 && their_point == our_point && their_sign == our_sign,
          "ecvt %g %d: %s %d, ours %s %d", value, digits, theirs, their_point, ours, our_point);
    strcpy(theirs, fcvt(value, digits, &their_point, &their_sign));
    strcpy(ours, our_fcvt(value, digits, &our_point, &our_sign));
    CHECK(strcmp(theirs, ours) == 0 && their_point == our_point && their_sign == our_sign,
          "fcvt %g %d: %s %d, ours %s %d", value, digits, theirs, their_point, ours, our_point);
    CHECK(strcmp(gcvt(value, digits + 1, theirs), our_gcvt(value, digits + 1, ours)) == 0, "gcvt %g %d", value, digits);
}

static void compare_suboptions(void)
{
    static char *const names[] = {(char *)"ro", (char *)"rw", (char *)"size", NULL};
    char theirs[64], ours[64];
    random_string(theirs, 20, "rows=iz,,");
    if (random_below(2))
        strcpy(theirs, (const char *[]){"ro,size=4,rw", "size=,x", "rw=1=2,,ro"}[random_below(3)]);
    strcpy(ours, theirs);
    char *their_rest = theirs, *our_rest = ours;
    while (*their_rest != '\0') {
        char *their_value = NULL, *our_value = NULL;
        int expected = getsubopt(&their_rest, names, &their_value), got = our_getsubopt(&our_rest, names, &our_value);
        CHECK(expected == got && their_rest - theirs == our_rest - ours, "getsubopt");
        CHECK(their_value == NULL || our_value == NULL ? their_value == our_value : strcmp(their_value, our_value) == 0,
              "value of getsubopt");
    }
}

static void compare_environment(void)
{
    static char *own[] = {(char *)"A=1", (char *)"AB=2", (char *)"EMPTY=", NULL};
    static char changed[] = "AB=changed", bare[] = "A";
    our_environ = own;
    CHECK(strcmp(our_getenv("A"), "1") == 0 && strcmp(our_getenv("AB"), "2") == 0, "getenv");
    CHECK(*our_getenv("EMPTY") == '\0' && our_getenv("B") == NULL && our_getenv("") == NULL, "getenv");
    CHECK(our_setenv("B", "x", 0) == 0 && strcmp(our_getenv("B"), "x") == 0, "setenv of a new name");
    CHECK(our_setenv("B", "y", 0) == 0 && strcmp(our_getenv("B"), "x") == 0, "setenv without overwriting");
    CHECK(our_setenv("B", "y", 1) == 0 && strcmp(our_getenv("B"), "y") == 0, "setenv with overwriting");
    CHECK(our_setenv("B=C", "y", 1) == -1 && our_setenv("", "y", 1) == -1, "setenv of bad names");
    CHECK(our_putenv(changed) == 0 && strcmp(our_getenv("AB"), "changed") == 0, "putenv");
    changed[3] = 'C';
    CHECK(strcmp(our_getenv("AB"), "Changed") == 0, "putenv keeps the string itself");
    CHECK(our_putenv(bare) == 0 && our_getenv("A") == NULL, "putenv without a value removes");
    CHECK(our_unsetenv("B") == 0 && our_getenv("B") == NULL && our_getenv("EMPTY") != NULL, "unsetenv");
}

static void check_allocation(void)
{
    void *memory = NULL;
    CHECK(our_posix_memalign(&memory, 64, 100) == 0 && (uintptr_t)memory % 64 == 0, "posix_memalign");
    free(memory);
    CHECK(our_posix_memalign(&memory, 24, 100) != 0 && our_posix_memalign(&memory, 2, 100) != 0, "posix_memalign");
    volatile size_t large = (size_t)-1 / 2;
    CHECK(our_reallocarray(NULL, large, 3) == NULL, "reallocarray with overflow");
}

void test_stdlib(void)
{
    for (int round = 0; round < 5000; round++) {
        compare_sorting();
        compare_small_helpers();
        compare_suboptions();
    }
    for (int round = 0; round < 20; round++)
        compare_trees();
    check_hash_table();
    compare_environment();
    check_allocation();
}

static void compare_48_bits(void)
{
    unsigned short theirs[3], ours[3], parameters[7];
    for (int i = 0; i < 3; i++)
        theirs[i] = ours[i] = (unsigned short)random_bits();
    for (int i = 0; i < 7; i++)
        parameters[i] = (unsigned short)random_bits();
    switch (random_below(4)) {
    case 0: {
        long seed = (long)random_bits();
        srand48(seed);
        our_srand48(seed);
        break;
    }
    case 1:
        CHECK(memcmp(seed48(theirs), our_seed48(ours), 6) == 0, "seed48");
        break;
    case 2:
        lcong48(parameters);
        our_lcong48(parameters);
        break;
    default:
        break;
    }
    for (int i = 0; i < 10; i++) {
        CHECK(drand48() == our_drand48() && lrand48() == our_lrand48() && mrand48() == our_mrand48(), "drand48");
        CHECK(erand48(theirs) == our_erand48(ours) && nrand48(theirs) == our_nrand48(ours), "erand48");
        CHECK(jrand48(theirs) == our_jrand48(ours) && memcmp(theirs, ours, 6) == 0, "jrand48");
    }
}

void test_random(void)
{
    for (int i = 0; i < 1000; i++)
        CHECK(rand() == our_rand(), "rand without a seed");
    for (int round = 0; round < 300; round++) {
        unsigned seed = round < 3 ? (unsigned)round : (unsigned)random_bits(), theirs = seed, ours = seed;
        if (random_below(2)) {
            srand(seed);
            our_srand(seed);
        } else {
            srandom(seed);
            our_srandom(seed);
        }
        for (int i = 0; i < 100; i++) {
            CHECK(random() == our_random() && rand() == our_rand(), "random, seed %u", seed);
            CHECK(rand_r(&theirs) == our_rand_r(&ours) && theirs == ours, "rand_r");
        }
        compare_48_bits();
    }
    static char their_memory[6][256], our_memory[6][256];
    for (int round = 0; round < 300; round++) {
        unsigned which = random_below(6), seed = (unsigned)random_bits();
        size_t size = (size_t[]){8, 32, 64, 128, 256, 40}[which];
        if (their_memory[which][255] == 0 || random_below(3) == 0) {
            CHECK((initstate(seed, their_memory[which], size) == NULL)
                      == (our_initstate(seed, our_memory[which], size) == NULL),
                  "initstate");
            their_memory[which][255] = size < 256 ? 1 : their_memory[which][255];
        } else if (size < 256) {
            CHECK((setstate(their_memory[which]) == NULL) == (our_setstate(our_memory[which]) == NULL), "setstate");
        }
        for (unsigned i = random_below(100); i > 0; i--)
            CHECK(random() == our_random(), "random with %zu bytes of state", size);
    }
}
