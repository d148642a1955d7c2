/* The test of this process: read from the file that SYMCRETE_REPLAY_TEST names, handed out piece by piece.
 *
 * The file (all numbers little-endian):
 *   "SYMCREPL", u32 version 1
 *   u32 objects, each:  value
 *   u32 globals, each:  string name, value
 *   u32 calls, each:    string function, u32 parameters, each: value
 *   u32 inputs, each:   string name, u32 form (0 bytes, 1 text), u64 size, bytes
 *   u32 answers of klee_is_symbolic and the like, each: u64
 * string: u32 length, bytes.   value: u64 size, bytes, u32 pointers, each: u64 at, i64 object (-1: null), i64 offset.
 *
 * Malloc is called for objects and parameters only, so that a sanitizer sees their borders and the program's heap
 * looks the same. */

#define _GNU_SOURCE
/* Numbers of files may be larger than 32-bit programs take without it. */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay.h"

#ifdef SYMCRETE_SANITIZED
extern void *__asan_region_is_poisoned(void *begin, size_t size) __attribute__((weak));
#endif

static const unsigned char *file_at, *file_end;
static const unsigned char *globals_at, *calls_at, *inputs_at, *parameters_at;
static const unsigned char *answers_at;
static uint32_t global_count, call_count, input_count, inputs_taken, parameter_count, answers_left;
static unsigned char **objects;
static char report_path[4096];
static int is_loaded;

static void broken(void)
{
    replay_report("broken", "the file of the test cannot be read");
    replay_end(120);
}

static const unsigned char *skip(size_t count)
{
    const unsigned char *at = file_at;
    if (count > (size_t)(file_end - file_at))
        broken();
    file_at += count;
    return at;
}

static uint32_t read_u32(void)
{
    uint32_t number;
    memcpy(&number, skip(sizeof number), sizeof number);
    return number;
}

static uint64_t read_u64(void)
{
    uint64_t number;
    memcpy(&number, skip(sizeof number), sizeof number);
    return number;
}

static void skip_value(void)
{
    skip(read_u64());
    skip((size_t)read_u32() * 24);
}

/* A value in memory of its own, with its pointers set. */
static unsigned char *make_value(unsigned char *memory, uint64_t *size_out)
{
    uint64_t size = read_u64();
    const unsigned char *bytes = skip(size);
    if (!memory)
        memory = malloc(size);
    if (!memory && size)
        broken();
    if (size)
        memcpy(memory, bytes, size);
    uint32_t pointers = read_u32();
    for (uint32_t i = 0; i < pointers; i++) {
        uint64_t at = read_u64();
        int64_t object = (int64_t)read_u64();
        int64_t offset = (int64_t)read_u64();
        unsigned char *target = object < 0 ? NULL : objects[object] + offset;
        if (at + sizeof target > size)
            broken();
        memcpy(memory + at, &target, sizeof target);
    }
    if (size_out)
        *size_out = size;
    return memory;
}

static void make_objects(void)
{
    uint32_t count = read_u32();
    const unsigned char *start = file_at;
    if (!count)
        return;
    objects = calloc(count, sizeof *objects);
    if (!objects)
        broken();
    /* All objects exist before the first pointer to one is set. */
    for (uint32_t i = 0; i < count; i++) {
        uint64_t size;
        memcpy(&size, file_at, sizeof size);
        objects[i] = malloc(size);
        if (!objects[i] && size)
            broken();
        skip_value();
    }
    file_at = start;
    for (uint32_t i = 0; i < count; i++)
        make_value(objects[i], NULL);
}

static void map_file(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        broken();
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (memory == MAP_FAILED)
        broken();
    file_at = memory;
    file_end = file_at + status.st_size;
}

/* Once, from a constructor or the first question of the program, whichever comes first. */
void replay_load(void)
{
    if (is_loaded)
        return;
    is_loaded = 1;
    const char *report = getenv("SYMCRETE_REPLAY_REPORT");
    if (report && strlen(report) < sizeof report_path)
        strcpy(report_path, report);
    const char *path = getenv("SYMCRETE_REPLAY_TEST");
    if (!path) {
        /* Started by hand: a program that asks for nothing works, and one that asks is told. */
        return;
    }
    map_file(path);
    if (memcmp(skip(8), "SYMCREPL", 8) != 0 || read_u32() != 1)
        broken();
    make_objects();
    global_count = read_u32();
    globals_at = file_at;
    for (uint32_t i = 0; i < global_count; i++) {
        skip(read_u32());
        skip_value();
    }
    call_count = read_u32();
    calls_at = file_at;
    for (uint32_t i = 0; i < call_count; i++) {
        skip(read_u32());
        for (uint32_t left = read_u32(); left > 0; left--)
            skip_value();
    }
    input_count = read_u32();
    inputs_at = file_at;
    for (uint32_t i = 0; i < input_count; i++) {
        skip(read_u32());
        read_u32();
        skip(read_u64());
    }
    answers_left = read_u32();
    answers_at = skip((size_t)answers_left * sizeof(uint64_t));
    unsetenv("SYMCRETE_REPLAY_TEST");
    unsetenv("SYMCRETE_REPLAY_REPORT");
}

void replay_report(const char *word, const char *detail)
{
    int saved = errno;
    int fd = report_path[0] ? open(report_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : 2;
    char line[1024];
    size_t length = 0;
    const char *parts[] = {word, " ", detail};
    for (int i = 0; i < 3; i++)
        for (const char *c = parts[i]; *c && length < sizeof line - 1; c++)
            line[length++] = *c == '\n' ? ' ' : *c;
    line[length++] = '\n';
    if (fd >= 0) {
        ssize_t written = write(fd, line, length);
        (void)written;
        if (fd != 2)
            close(fd);
    }
    errno = saved;
}

static void diverged(const char *text)
{
    replay_report("diverged", text);
    replay_end(121);
}

/* The name that the test has, against the one that the program uses. Numbers at the end tell inputs of one name
 * apart. */
static int is_same_name(const char *in_test, size_t length, const char *name)
{
    size_t expected = strlen(name);
    if (length == 0 || expected == 0)
        return 1;
    if (length < expected || memcmp(in_test, name, expected) != 0)
        return 0;
    const char *rest = in_test + expected, *end = in_test + length;
    if (rest == end)
        return 1;
    if (!memchr("_#@$.:![", *rest, 8))
        return 0;
    for (rest++; rest < end; rest++)
        if ((*rest < '0' || *rest > '9') && *rest != ']')
            return 0;
    return 1;
}

static void convert_text(void *memory, size_t size, const char *text, size_t length, enum replay_form form)
{
    char buffer[128], complaint[256], *end = buffer;
    if (length < sizeof buffer) {
        memcpy(buffer, text, length);
        buffer[length] = 0;
        if (form == REPLAY_FLOAT) {
            float narrow = strtof(buffer, &end);
            double number = strtod(buffer, &end);
            long double wide = strtold(buffer, &end);
            if (size == sizeof narrow)
                memcpy(memory, &narrow, size);
            else if (size == sizeof number)
                memcpy(memory, &number, size);
            else
                memcpy(memory, &wide, size < sizeof wide ? size : sizeof wide);
        } else if (size <= 8) {
            unsigned long long number;
            if (buffer[0] == '\'' && length >= 3) {
                number = (unsigned long long)(long long)(signed char)buffer[1];
                end = buffer + 3;
            } else if (strcmp(buffer, "true") == 0 || strcmp(buffer, "false") == 0) {
                number = buffer[0] == 't';
                end = buffer + length;
            } else {
                number = buffer[0] == '-' ? (unsigned long long)strtoll(buffer, &end, 0) : strtoull(buffer, &end, 0);
                if (*end == '.' || *end == 'e')
                    number = (unsigned long long)(long long)strtod(buffer, &end);
            }
            memcpy(memory, &number, size);
        }
    }
    if (end == buffer) {
        snprintf(complaint, sizeof complaint, "the program asks for %zu bytes, and the test has the text %.*s", size,
                 (int)(length < 100 ? length : 100), text);
        diverged(complaint);
    }
}

uint64_t replay_answer(void)
{
    uint64_t answer = 0;
    replay_load();
    if (answers_left == 0)
        return 0;
    answers_left--;
    memcpy(&answer, answers_at, sizeof answer);
    answers_at += sizeof answer;
    return answer;
}

int replay_is_next(size_t size, const char *name)
{
    replay_load();
    if (inputs_taken == input_count)
        return 0;
    file_at = inputs_at;
    uint32_t length = read_u32();
    const char *in_test = (const char *)skip(length);
    uint32_t is_text = read_u32();
    return !is_text && read_u64() == size && is_same_name(in_test, length, name ? name : "");
}

/* Goes wrong where the input would, before it is taken: a test that shows such an error does not have the input. Writes what is
 * there; where addresses are watched, the C library's functions are. */
static void check_memory(void *memory, size_t size)
{
#ifdef SYMCRETE_SANITIZED
    void *(*volatile fill)(void *, int, size_t) = memset;
    if (__asan_region_is_poisoned && __asan_region_is_poisoned(memory, size))
        fill(memory, 0, size);
#endif
    for (size_t i = 0; i < size; i++) {
        volatile unsigned char *byte = (unsigned char *)memory + i;
        *byte = *byte;
    }
}

void replay_take(void *memory, size_t size, const char *name, const char *function, enum replay_form form)
{
    char complaint[512];
    replay_load();
    if (form == REPLAY_BYTES)
        check_memory(memory, size);
    if (inputs_taken == input_count) {
        snprintf(complaint, sizeof complaint,
                 "the program asks for one more input, %s (%s), than the %u that the test has",
                 name && *name ? name : "without a name", function, input_count);
        diverged(complaint);
    }
    file_at = inputs_at;
    uint32_t length = read_u32();
    const char *in_test = (const char *)skip(length);
    uint32_t is_text = read_u32();
    uint64_t in_test_size = read_u64();
    const unsigned char *bytes = skip(in_test_size);
    inputs_at = file_at;
    inputs_taken++;
    int shown = (int)(length < 100 ? length : 100);
    /* A question without a name of its own is known by the function, if the test names inputs so. */
    int is_nondet = length > 18 && memcmp(in_test, "__VERIFIER_nondet_", 18) == 0;
    const char *expected = name ? name : is_nondet ? function : "";
    if (!is_text && !is_same_name(in_test, length, expected)) {
        snprintf(complaint, sizeof complaint,
                 "the program asks for the input %.100s, and the next one of the test is %.*s", expected, shown, in_test);
        diverged(complaint);
    }
    if (is_text) {
        convert_text(memory, size, (const char *)bytes, in_test_size, form);
    } else if (form == REPLAY_FLOAT && in_test_size == 10 && size > 10) {
        /* A long double without the bytes that only fill it up. */
        memset(memory, 0, size);
        memcpy(memory, bytes, in_test_size);
    } else if (in_test_size != size) {
        snprintf(complaint, sizeof complaint,
                 "the program asks for %zu bytes (%s), and the input %.*s of the test has %llu", size, function, shown,
                 in_test, (unsigned long long)in_test_size);
        diverged(complaint);
    } else {
        memcpy(memory, bytes, size);
    }
}

unsigned symcrete_replay_calls(void)
{
    replay_load();
    return call_count;
}

/* The name of a call's function; its parameters can be asked for then. */
const char *symcrete_replay_begin_call(unsigned call)
{
    static char name[512];
    file_at = calls_at;
    for (unsigned i = 0;; i++) {
        uint32_t length = read_u32();
        const unsigned char *text = skip(length);
        parameter_count = read_u32();
        parameters_at = file_at;
        if (i == call) {
            length = length < sizeof name ? length : sizeof name - 1;
            memcpy(name, text, length);
            name[length] = 0;
            errno = 0;
            return name;
        }
        for (uint32_t left = parameter_count; left > 0; left--)
            skip_value();
    }
}

static void find_parameter(unsigned parameter)
{
    if (parameter >= parameter_count)
        diverged("the function has more parameters than the test");
    file_at = parameters_at;
    while (parameter-- > 0)
        skip_value();
}

size_t symcrete_replay_parameter_size(unsigned parameter)
{
    find_parameter(parameter);
    return (size_t)read_u64();
}

void *symcrete_replay_parameter(unsigned parameter, size_t size)
{
    /* Reachable until the end, so that no parameter is taken for a leak. */
    static void *kept[256];
    static unsigned kept_count;
    uint64_t in_test;
    find_parameter(parameter);
    unsigned char *memory = make_value(NULL, &in_test);
    if (in_test == 10 && (size == 12 || size == 16)) {
        /* A long double without the bytes that only fill it up. */
        unsigned char *whole = calloc(1, size);
        if (!whole)
            broken();
        memcpy(whole, memory, in_test);
        free(memory);
        memory = whole;
    } else if (in_test != size)
        diverged("a parameter of the function has another size than in the test");
    if (kept_count < sizeof kept / sizeof *kept)
        kept[kept_count++] = memory;
    errno = 0;
    return memory;
}

/* Sets a global variable if the test has a value for it. The size is not checked where it is not known, (size_t)-1. */
void symcrete_replay_global(const char *name, void *memory, size_t size)
{
    replay_load();
    file_at = globals_at;
    for (uint32_t i = 0; i < global_count; i++) {
        uint32_t length = read_u32();
        const unsigned char *text = skip(length);
        if (length != strlen(name) || memcmp(text, name, length) != 0) {
            skip_value();
            continue;
        }
        uint64_t in_test;
        memcpy(&in_test, file_at, sizeof in_test);
        if (!memory) {
            replay_report("broken", "a global variable of the test cannot be seen from outside of its file");
            replay_end(120);
        }
        if (size != (size_t)-1 && in_test != size)
            diverged("a global variable has another size than in the test");
        make_value(memory, NULL);
    }
}

void symcrete_replay_returned(void)
{
    replay_report("returned", "");
}
