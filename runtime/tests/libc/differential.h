// Comparing the runtime with the host's C library in one process: the runtime's symbols carry the prefix `our_`.
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include <stddef.h>
#include <stdint.h>

// Declares the runtime's version of a function that a header has declared.
#define OURS(name) extern __typeof(name) our_##name

extern unsigned long checks, failures;

uint64_t random_bits(void);
unsigned random_below(unsigned bound);

// A copy of the bytes that ends right before memory that cannot be read. Each of the eight slots holds one copy.
char *guarded_copy(unsigned slot, const void *bytes, size_t size);

// A random string of at most `most` characters from the alphabet.
size_t random_string(char *out, size_t most, const char *alphabet);

// What the runtime wrote to standard error since the last call.
const char *captured_messages(void);
// How the runtime ended the program, when it did so inside of RUN_TO_END.
extern int ended_with;
enum { STILL_RUNNING = -1, ABORTED = -2, ASSERTION_FAILED = -3 };

#define ENDS(call) (run_to_end_begin(), __builtin_setjmp(run_to_end_frame) == 0 ? (void)(call) : (void)0, ended_with)
extern void *run_to_end_frame[5];
void run_to_end_begin(void);

int *our___errno_location(void);
#define our_errno (*our___errno_location())

void report_failure(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        checks++;                                                                                                      \
        if (!(condition))                                                                                              \
            report_failure(__FILE__, __LINE__, __VA_ARGS__);                                                           \
    } while (0)

static inline int sign(int value)
{
    return (value > 0) - (value < 0);
}

void test_strings(void);
void test_memory(void);
void test_wide(void);
void test_classes(void);
void test_integers(void);
void test_floats(void);
void test_stdlib(void);
void test_random(void);
void test_getopt(void);
void test_time(void);
void test_files(void);
void test_network(void);
void test_endings(void);
void test_matching(void);
void test_complex(void);

#endif
