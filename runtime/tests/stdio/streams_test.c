// Differential test of streams: the same random operations on two files, one through the runtime and one through the C
// library, compared call by call and in the end byte by byte. Usage: streams_test SEED ROUNDS
#define _GNU_SOURCE
#include "testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

// Every function that the test uses: name, result, parameters.
#define FUNCTIONS(X)                                                                                                   \
    X(fopen, FILE *, (const char *, const char *))                                                                     \
    X(fdopen, FILE *, (int, const char *))                                                                             \
    X(freopen, FILE *, (const char *, const char *, FILE *))                                                           \
    X(fmemopen, FILE *, (void *, size_t, const char *))                                                                \
    X(open_memstream, FILE *, (char **, size_t *))                                                                     \
    X(tmpfile, FILE *, (void))                                                                                         \
    X(fclose, int, (FILE *))                                                                                           \
    X(fflush, int, (FILE *))                                                                                           \
    X(setvbuf, int, (FILE *, char *, int, size_t))                                                                     \
    X(fread, size_t, (void *, size_t, size_t, FILE *))                                                                 \
    X(fwrite, size_t, (const void *, size_t, size_t, FILE *))                                                          \
    X(fgetc, int, (FILE *))                                                                                            \
    X(fputc, int, (int, FILE *))                                                                                       \
    X(ungetc, int, (int, FILE *))                                                                                      \
    X(fgets, char *, (char *, int, FILE *))                                                                            \
    X(fputs, int, (const char *, FILE *))                                                                              \
    X(getline, ssize_t, (char **, size_t *, FILE *))                                                                   \
    X(fseek, int, (FILE *, long, int))                                                                                 \
    X(ftell, long, (FILE *))                                                                                           \
    X(rewind, void, (FILE *))                                                                                          \
    X(feof, int, (FILE *))                                                                                             \
    X(ferror, int, (FILE *))                                                                                           \
    X(clearerr, void, (FILE *))                                                                                        \
    X(fprintf, int, (FILE *, const char *, ...))                                                                       \
    X(fscanf, int, (FILE *, const char *, ...))                                                                        \
    X(__fpending, size_t, (FILE *))                                                                                    \
    X(__fwriting, int, (FILE *))                                                                                       \
    X(remove, int, (const char *))                                                                                     \
    X(rename, int, (const char *, const char *))

#define DECLARE(name, result, parameters) result sc_##name parameters;
FUNCTIONS(DECLARE)

struct library {
#define MEMBER(name, result, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
};

static const struct library libraries[2] = {
    {
#define PLAIN(name, result, parameters) .name = name,
        FUNCTIONS(PLAIN)},
    {
#define PREFIXED(name, result, parameters) .name = sc_##name,
        FUNCTIONS(PREFIXED)},
};

enum { DATA_SIZE = 12000 };
static char data[2][DATA_SIZE];
static char user_buffer[2][9000];
static char history[20000]; // of the current scenario, for a report

static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t used = strlen(history);
    vsnprintf(history + used, sizeof history - used, format, arguments);
    va_end(arguments);
}

static void differ(const char *what)
{
    count_difference(what);
    fprintf(stderr, "  after%s\n", history);
    exit(1);
}

static void expect_same(const char *what, long first, long second)
{
    if (first != second) {
        note(" [%ld, %ld]", first, second);
        differ(what);
    }
}

static const char *name_of(int which)
{
    return which == 0 ? "file.libc" : "file.runtime";
}

static void write_file(const char *name, size_t size, uint64_t seed)
{
    FILE *file = fopen(name, "w");
    for (size_t i = 0; i < size; i++) {
        seed = seed * 6364136223846793005ULL + 1;
        unsigned byte = (unsigned)(seed >> 40) % 64;
        fputc(byte == 0 ? '\n' : (int)byte + 32, file);
    }
    fclose(file);
}

static void compare_files(void)
{
    FILE *first = fopen(name_of(0), "r");
    FILE *second = fopen(name_of(1), "r");
    if ((first == NULL) != (second == NULL)) {
        differ("existence");
    }
    if (first == NULL) {
        return;
    }
    int byte;
    do {
        byte = fgetc(first);
        if (byte != fgetc(second)) {
            note(" at %ld", ftell(first));
            differ("contents");
        }
    } while (byte != EOF);
    fclose(first);
    fclose(second);
}

// What the standard allows next: a change of direction needs a seek or a flush in between.
enum direction { EITHER, READING, WRITING };

static bool pushed_back; // since the last seek
static bool has_read;    // since the last seek or flush
static bool hard_to_push_back;

static void step_reading(FILE **files)
{
    unsigned size = random_chance(3) ? random_below(DATA_SIZE) : random_below(50);
    unsigned choice = random_below(6);
    // The position after pushing back at the start of a file is indeterminate. The C library may crash on pushing back
    // more than the one byte that is sure to fit, or before it has read, or if it can write too.
    if (choice == 4 && (!has_read || pushed_back || hard_to_push_back || ftell(files[0]) <= 0)) {
        choice = 0;
    }
    has_read = true;
    pushed_back = pushed_back || choice == 4;
    note(" read%u(%u)", choice, size);
    long results[2];
    char *lines[2] = {NULL, NULL};
    memset(data, 0, sizeof data);
    int byte = (int)random_below(256);
    for (int i = 0; i < 2; i++) {
        const struct library *library = &libraries[i];
        size_t line_size = 0;
        switch (choice) {
        case 0:
            results[i] = library->fgetc(files[i]);
            break;
        case 1:
            results[i] = (long)library->fread(data[i], size % 7 + 1, size / 7, files[i]);
            break;
        case 2:
            results[i] = library->fgets(data[i], (int)size, files[i]) != NULL;
            break;
        case 3:
            results[i] = library->getline(&lines[i], &line_size, files[i]);
            break;
        case 4:
            results[i] = library->ungetc(byte, files[i]);
            break;
        default:
            results[i] = library->fscanf(files[i], " %39s %d", data[i], (int *)(void *)(data[i] + 40));
            break;
        }
    }
    expect_same("result of reading", results[0], results[1]);
    bool same_lines = results[0] <= 0 || lines[0] == NULL || strcmp(lines[0], lines[1]) == 0;
    if (!same_lines || memcmp(data[0], data[1], DATA_SIZE) != 0) {
        differ("data read");
    }
    free(lines[0]);
    free(lines[1]);
}

static void step_writing(FILE **files)
{
    unsigned size = random_chance(4) ? random_below(DATA_SIZE - 1) : random_below(60);
    unsigned choice = random_below(4);
    note(" write%u(%u)", choice, size);
    for (unsigned i = 0; i < size; i++) {
        data[0][i] = random_chance(500) ? '\n' : (char)('a' + random_below(26));
    }
    data[0][size] = '\0';
    long results[2];
    for (int i = 0; i < 2; i++) {
        const struct library *library = &libraries[i];
        switch (choice) {
        case 0:
            results[i] = library->fputc((unsigned char)data[0][0], files[i]);
            break;
        case 1:
            results[i] = (long)library->fwrite(data[0], 1, size, files[i]);
            break;
        case 2:
            results[i] = library->fputs(data[0], files[i]);
            break;
        default:
            results[i] = library->fprintf(files[i], "<%.900s %d %g>", data[0], (int)size, size * 0.37);
            break;
        }
    }
    expect_same("result of writing", results[0], results[1]);
}

// Operations that leave the direction open, and those that change nothing.
static enum direction step_between(FILE **files, enum direction direction)
{
    unsigned choice = random_below(6);
    long offset = (long)random_below(10000) - (random_chance(4) ? 2000 : 0);
    int whence = (int)random_below(3);
    if ((choice == 0 || choice == 2) && pushed_back) {
        choice = 1; // the two treat what was pushed back differently on a flush or a failed seek
    }
    note(" between%u(%ld,%d)", choice, offset, whence);
    long results[2];
    for (int i = 0; i < 2; i++) {
        const struct library *library = &libraries[i];
        FILE *file = files[i];
        switch (choice) {
        case 0:
            results[i] = library->fseek(file, whence == SEEK_END ? -offset : offset, whence);
            break;
        case 1:
            library->rewind(file);
            results[i] = 0;
            break;
        case 2:
            results[i] = library->fflush(file);
            break;
        case 3:
            results[i] = library->ftell(file);
            break;
        case 4:
            results[i] = (library->feof(file) != 0) + 2 * (library->ferror(file) != 0);
            break;
        default:
            library->clearerr(file);
            results[i] = 0;
            break;
        }
    }
    expect_same("result between", results[0], results[1]);
    bool opens = (choice == 0 && results[0] == 0) || choice == 1 || (choice == 2 && direction == WRITING);
    pushed_back = pushed_back && !opens;
    has_read = has_read && !opens;
    return opens ? EITHER : direction;
}

static void run_scenario(void)
{
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+", "rb", "w+b"};
    static const int bufferings[] = {_IOFBF, _IOLBF, _IONBF};
    const char *mode = modes[random_below(8)];
    history[0] = '\0';
    uint64_t seed = random_bits();
    size_t size = random_chance(3) ? 0 : random_below(10000);
    note(" open(%s) of %zu", mode, size);
    FILE *files[2];
    bool buffered = random_chance(3);
    int buffering = bufferings[random_below(3)];
    size_t buffer_size = random_chance(2) ? 0 : random_below(9000);
    for (int i = 0; i < 2; i++) {
        write_file(name_of(i), size, seed);
        files[i] = libraries[i].fopen(name_of(i), mode);
        if (buffered) {
            note(" setvbuf(%d,%zu)", buffering, buffer_size);
            libraries[i].setvbuf(files[i], buffer_size > 0 ? user_buffer[i] : NULL, buffering, buffer_size);
        }
    }
    enum direction direction = EITHER;
    pushed_back = has_read = false;
    hard_to_push_back = mode[0] != 'r' || strchr(mode, '+') != NULL || (buffered && buffering == _IONBF);
    bool reads = mode[0] == 'r' || strchr(mode, '+') != NULL;
    for (unsigned steps = random_below(30); steps > 0; steps--) {
        if (random_chance(4)) {
            direction = step_between(files, direction);
        } else if (direction == READING || (direction == EITHER && (random_chance(2) || !strchr(mode, '+')) && reads)) {
            direction = READING;
            step_reading(files);
        } else {
            direction = WRITING;
            step_writing(files);
        }
    }
    expect_same("fclose", libraries[0].fclose(files[0]), libraries[1].fclose(files[1]));
    compare_files();
}

// Compares the sizes of the single writes, which a packet pipe keeps apart. Such a pipe has room for 256 of them.
static void run_packets(void)
{
    static const int bufferings[] = {_IOFBF, _IOLBF, _IONBF};
    int pipes[2][2];
    FILE *files[2];
    int buffering = bufferings[random_below(3)];
    size_t size = random_chance(2) ? 0 : random_below(7000) + 1024;
    history[0] = '\0';
    note(" pipe setvbuf(%d,%zu)", buffering, size);
    for (int i = 0; i < 2; i++) {
        if (pipe2(pipes[i], O_DIRECT) != 0 || fcntl(pipes[i][1], F_SETPIPE_SZ, 1 << 20) < 0) {
            fputs("no packet pipes here\n", stderr);
            exit(1);
        }
        files[i] = libraries[i].fdopen(pipes[i][1], "w");
        libraries[i].setvbuf(files[i], size > 0 ? user_buffer[i] : NULL, buffering, size);
        libraries[i].fputc('x', files[i]); // the C library splits lines otherwise when it starts with several
    }
    for (unsigned steps = random_below(8); steps > 0; steps--) {
        step_writing(files);
        expect_same("pending", (long)__fpending(files[0]), (long)sc___fpending(files[1]));
    }
    expect_same("fclose", fclose(files[0]), sc_fclose(files[1]));
    for (long got[2] = {1, 1}; got[0] > 0;) {
        for (int i = 0; i < 2; i++) {
            got[i] = read(pipes[i][0], data[i], DATA_SIZE);
        }
        expect_same("size of a write", got[0], got[1]);
        if (got[0] > 0 && memcmp(data[0], data[1], (size_t)got[0]) != 0) {
            differ("contents of a write");
        }
    }
    close(pipes[0][0]);
    close(pipes[1][0]);
}

static void run_memory(void)
{
    static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+"};
    const char *mode = modes[random_below(6)];
    char memory[2][64];
    FILE *files[2];
    // What appending does at the end of the memory depends on what the C library happens to have read ahead.
    bool appends = mode[0] == 'a';
    size_t size = appends ? 60 : random_below(60) + 1;
    history[0] = '\0';
    note(" fmemopen(%zu, %s)", size, mode);
    for (int i = 0; i < 2; i++) {
        memset(memory[i], '~', sizeof memory[i]);
        strcpy(memory[i], "some text");
        files[i] = libraries[i].fmemopen(memory[i], size, mode);
    }
    enum direction direction = EITHER;
    for (unsigned steps = random_below(12); steps > 0; steps--) {
        unsigned choice = random_below(4);
        int count = (int)random_below(appends ? 4 : 20);
        long results[2];
        char text[2][32] = {"", ""};
        if (choice == 0 && direction != WRITING && (mode[0] == 'r' || mode[1] == '+')) {
            direction = READING;
            note(" fgets(%d)", count);
            for (int i = 0; i < 2; i++) {
                results[i] = libraries[i].fgets(text[i], count, files[i]) != NULL;
            }
        } else if (choice == 1 && direction != READING && strcmp(mode, "r") != 0) {
            direction = WRITING;
            note(" fprintf(%d)+fflush", count);
            for (int i = 0; i < 2; i++) {
                results[i] = libraries[i].fprintf(files[i], "%.*s", count, "0123456789abcdefghij");
                results[i] = results[i] * 10 + libraries[i].fflush(files[i]);
            }
        } else {
            direction = EITHER;
            int whence = (int)random_below(3);
            note(" fseek(%d,%d)+ftell", count - 5, whence);
            for (int i = 0; i < 2; i++) {
                results[i] = libraries[i].fseek(files[i], count - 5, whence);
                if (results[i] != 0) {
                    libraries[i].rewind(files[i]); // a failed seek leaves the two at different places
                }
                results[i] = results[i] * 1000 + libraries[i].ftell(files[i]);
            }
        }
        expect_same("result", results[0], results[1]);
        if (memcmp(text[0], text[1], sizeof text[0]) != 0) {
            differ("text read");
        }
        libraries[0].clearerr(files[0]);
        libraries[1].clearerr(files[1]);
    }
    fclose(files[0]);
    sc_fclose(files[1]);
    if (memcmp(memory[0], memory[1], sizeof memory[0]) != 0) {
        note(" \"%.64s\" \"%.64s\"", memory[0], memory[1]);
        differ("memory");
    }
}

static void test_growing_memory(void)
{
    char *texts[2];
    size_t sizes[2];
    FILE *files[2];
    history[0] = '\0';
    note(" open_memstream");
    for (int i = 0; i < 2; i++) {
        files[i] = libraries[i].open_memstream(&texts[i], &sizes[i]);
    }
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 2; i++) {
            libraries[i].fprintf(files[i], "%0*d", step * 30 + 1, step);
            if (step == 20) {
                libraries[i].fseek(files[i], -100, SEEK_END);
            }
            libraries[i].fflush(files[i]);
        }
        expect_same("size", (long)sizes[0], (long)sizes[1]);
        if (strcmp(texts[0], texts[1]) != 0) {
            differ("text");
        }
    }
    for (int i = 0; i < 2; i++) {
        libraries[i].fseek(files[i], 30000, SEEK_SET);
        libraries[i].fputs("end", files[i]);
        libraries[i].fclose(files[i]);
    }
    expect_same("final size", (long)sizes[0], (long)sizes[1]);
    if (memcmp(texts[0], texts[1], sizes[0] + 1) != 0) {
        differ("final text");
    }
    free(texts[0]);
    free(texts[1]);
}

static void test_fixed_cases(void)
{
    history[0] = '\0';
    for (int i = 0; i < 2; i++) {
        const struct library *library = &libraries[i];
        note(" library %d", i);
        expect_same("fopen of nothing", library->fopen("missing/file", "r") == NULL && errno == ENOENT, 1);
        expect_same("fopen with a bad mode", library->fopen("file", "q") == NULL && errno == EINVAL, 1);
        write_file(name_of(i), 5000, 7);
        expect_same("exclusive fopen", library->fopen(name_of(i), "wx") == NULL && errno == EEXIST, 1);
        FILE *file = library->fopen(name_of(i), "r");
        expect_same("fputc to a read-only stream", library->fputc('x', file) == EOF && library->ferror(file), 1);
        int descriptor = file->_fileno;
        file = library->freopen(name_of(1 - i), "a+", file);
        expect_same("freopen keeps its descriptor", file->_fileno, descriptor);
        library->fclose(file);
        file = library->tmpfile();
        library->fputs("temporary", file);
        library->rewind(file);
        char text[16];
        expect_same("tmpfile", library->fgets(text, 16, file) != NULL && strcmp(text, "temporary") == 0, 1);
        library->fclose(file);
        expect_same("rename", library->rename(name_of(i), "renamed"), 0);
        expect_same("remove", library->remove("renamed"), 0);
        expect_same("remove again", library->remove("renamed") == -1 && errno == ENOENT, 1);
    }
    FILE *file = sc_fopen("file", "w+");
    sc_fputs("abc", file);
    sc_rewind(file);
    sc_fgetc(file);
    for (int i = 0; i < 16; i++) {
        expect_same("ungetc of many", sc_ungetc('0' + i, file), '0' + i);
    }
    char text[32] = "";
    sc_fgets(text, 32, file);
    expect_same("what many ungetc leave", strcmp(text, "?>=<;:9876543210bc"), 0);
    sc_fclose(file);
}

int main(int count, char **values)
{
    if (count != 3) {
        return 2;
    }
    seed_random(strtoull(values[1], NULL, 10));
    test_fixed_cases();
    test_growing_memory();
    for (long round = strtol(values[2], NULL, 10); round > 0; round--) {
        run_scenario();
        run_packets();
        run_memory();
    }
    return differences == 0 ? 0 : 1;
}
