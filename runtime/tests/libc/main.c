// Runs all comparisons with a fixed seed (or the one given) and says how many differed.
#define _GNU_SOURCE
#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "differential.h"

unsigned long checks, failures;
static uint64_t random_state;

uint64_t random_bits(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

unsigned random_below(unsigned bound)
{
    return (unsigned)(random_bits() >> 32) % bound;
}

enum { SLOTS = 8, SLOT_SIZE = 16384 };

char *guarded_copy(unsigned slot, const void *bytes, size_t size)
{
    static char *ends[SLOTS];
    if (ends[slot] == NULL) {
        char *memory = mmap(NULL, SLOT_SIZE + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory + SLOT_SIZE, 4096, PROT_NONE) != 0)
            abort();
        ends[slot] = memory + SLOT_SIZE;
    }
    return memcpy(ends[slot] - size, bytes, size);
}

size_t random_string(char *out, size_t most, const char *alphabet)
{
    size_t length = random_below((unsigned)most + 1), letters = strlen(alphabet);
    for (size_t i = 0; i < length; i++)
        out[i] = alphabet[random_below((unsigned)letters)];
    out[length] = '\0';
    return length;
}

void report_failure(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    if (failures++ >= 40)
        return;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {
        {"strings", test_strings},   {"memory", test_memory}, {"wide", test_wide},     {"classes", test_classes},
        {"integers", test_integers}, {"floats", test_floats}, {"stdlib", test_stdlib}, {"random", test_random},
        {"getopt", test_getopt},     {"time", test_time},     {"files", test_files}, {"network", test_network},   {"endings", test_endings},
        {"matching", test_matching}, {"complex", test_complex},
    };
    random_state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    setenv("TZ", "UTC0", 1);
    tzset();
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        unsigned long checks_before = checks, failures_before = failures;
        if (argc > 2 && strcmp(argv[2], tests[i].name) != 0)
            continue;
        tests[i].run();
        printf("%-10s %8lu checks, %lu failures\n", tests[i].name, checks - checks_before, failures - failures_before);
    }
    // The runtime imitates glibc 2.36; another version may differ here and there.
    int other_version = strcmp(gnu_get_libc_version(), "2.36") != 0;
    if (other_version && failures != 0)
        printf("the host has glibc %s, and %lu of %lu checks differ from 2.36\n", gnu_get_libc_version(), failures,
               checks);
    return other_version ? failures > checks / 100 : failures != 0;
}
