// Runs a natively compiled program on every input of a domain and tells its paths apart, without any symbolic engine.
//
// The program is a shared object that calls __sanitizer_cov_trace_pc_guard in every basic block. A path is the sequence of blocks
// together with the way it ends, so that two cases of a switch with one target are one path. Inputs are enumerated like the
// digits of an odometer, one digit for each element that the program asks for, so that later inputs may depend on earlier ones.
// All runs share one process, whose memory is put back before each of them; a run that the address sanitiser ends takes the process
// along, and its parent goes on with the next input. tools/count-paths compiles and calls this.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_DIGITS = 256, MAX_INPUT = 64, MAX_DOMAINS = 32, MAX_NAME = 48, MAX_PATHS = 1 << 21, TABLE_SIZE = 1 << 22 };
static const uint64_t MAX_BLOCKS = 20000000;

struct domain {
    char name[MAX_NAME];
    unsigned width;
    uint64_t count, *values;
};

struct digit {
    uint64_t index, count;
};

struct path {
    uint64_t hash, inputs, place;
    char kind[24];
    unsigned length;
    unsigned char input[MAX_INPUT];
};

// Everything that must outlive a run that crashes.
struct shared {
    struct digit digits[MAX_DIGITS];
    unsigned known, used;
    uint64_t runs, rejected, paths, probes_left, random, hash, blocks;
    int done, probing, crashed;
    char kind[24];
    int64_t status;
    unsigned char statuses[256];
    uint64_t place;
    unsigned length;
    unsigned char input[MAX_INPUT];
    // Where the path of a hash stands in `found`, from 1 on; 0 is none.
    uint32_t slots[TABLE_SIZE];
    struct path found[MAX_PATHS];
};

static struct shared *shared;
static struct domain domains[MAX_DOMAINS];
static unsigned domain_count;
static jmp_buf run_ended;
static uintptr_t program_base, program_end;
static FILE *map_file;
// Where our own words go: the standard error belongs to the program and its sanitiser, and is not shown.
static int messages;

const char *__asan_get_report_description(void);
void __sanitizer_set_death_callback(void (*callback)(void));

static void fail(const char *why, const char *what) {
    dprintf(messages, "count-paths: %s%s\n", why, what);
    _exit(3);
}

// How a run ends.

static void note_end(const char *kind, int64_t status, uintptr_t place) {
    strncpy(shared->kind, kind, sizeof shared->kind - 1);
    shared->status = status;
    shared->place = place == 0 ? 0 : place - program_base;
}

__attribute__((noreturn)) static void end(const char *kind, int64_t status, uintptr_t place) {
    note_end(kind, status, place);
    longjmp(run_ended, 1);
}

#define CALLER ((uintptr_t)__builtin_return_address(0) - 1)

__attribute__((noreturn)) void oracle_exit(int status) { end("exit", status & 255, 0); }
__attribute__((noreturn)) void oracle_abort(void) { end("abort", 0, CALLER); }
__attribute__((noreturn)) void klee_silent_exit(int status) {
    (void)status;
    end("rejected", 0, 0);
}
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)file, (void)line, (void)message, (void)suffix;
    end("reported-error", 0, CALLER);
}
__attribute__((noreturn)) void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    (void)text, (void)file, (void)line, (void)function;
    end("assertion-failed", 0, CALLER);
}
__attribute__((noreturn)) void __ubsan_handle_divrem_overflow_minimal_abort(void) { end("division-by-zero", 0, CALLER); }
__attribute__((noreturn)) void __ubsan_handle_out_of_bounds_minimal_abort(void) { end("out-of-bounds", 0, CALLER); }
__attribute__((noreturn)) void __ubsan_handle_builtin_unreachable_minimal(void) { end("unreachable", 0, CALLER); }

static void on_sanitiser_death(void) {
    static const char *const names[][2] = {
        {"double-free", "double-free"},        {"heap-use-after-free", "use-after-free"},
        {"bad-free", "invalid-free"},          {"not malloc", "invalid-free"},
        {"stack-use-after", "use-after-return"}, {"overflow", "out-of-bounds"},
        {"underflow", "out-of-bounds"},        {"unknown-crash", "out-of-bounds"},
        {"param-overlap", "overlap"},
    };
    const char *description = __asan_get_report_description();
    const char *kind = description;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(description, names[i][0]) != NULL) {
            kind = names[i][1];
            break;
        }
    void *stack[64];
    int depth = backtrace(stack, 64);
    uintptr_t place = 0;
    for (int i = 0; i < depth && place == 0; i++)
        if ((uintptr_t)stack[i] >= program_base && (uintptr_t)stack[i] < program_end)
            place = (uintptr_t)stack[i] - 1;
    note_end(kind, 0, place);
    shared->crashed = 1;
}

static void on_signal(int signal, siginfo_t *information, void *context) {
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t place = (uintptr_t)registers[REG_RIP], address = (uintptr_t)information->si_addr;
    const char *kind = address < 4096 ? "null-dereference" : "wild-pointer";
    if (signal == SIGFPE)
        kind = "division-overflow"; // a zero divisor was caught by the sanitiser
    else if (signal == SIGILL)
        kind = "trap";
    else if (place == address) {
        kind = "bad-function-pointer";
        place = *(uintptr_t *)registers[REG_RSP] - 1;
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    end(kind, 0, place);
}

// What the instrumented program calls.

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    uint32_t number = 0;
    for (uint32_t *guard = start; guard < stop; guard++)
        *guard = ++number;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    uint64_t hash = (shared->hash ^ *guard) * 0x9e3779b97f4a7c15;
    shared->hash = hash ^ hash >> 29;
    if (++shared->blocks > MAX_BLOCKS)
        end("endless", 0, 0);
}

// Inputs.

static uint64_t random_word(void) {
    uint64_t z = shared->random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// A value that the domain may have forgotten: near a value of it, at a boundary, or anything.
static uint64_t probe_value(const uint64_t *values, uint64_t count, unsigned width) {
    unsigned bits = 8 * width;
    uint64_t near = values != NULL ? values[random_word() % count] : random_word() % count;
    switch (random_word() % 8) {
    case 0:
    case 1:
    case 2:
        return near;
    case 3:
        return near + 1 - 2 * (random_word() & 1);
    case 4:
        return 1ull << (random_word() % bits);
    case 5:
        return (1ull << (bits - 1)) - (random_word() & 1);
    case 6:
        return (int64_t)random_word() >> (64 - bits / 2);
    default:
        return random_word();
    }
}

static uint64_t next_digit(const uint64_t *values, uint64_t count, unsigned width) {
    if (shared->probing)
        return probe_value(values, count, width);
    if (shared->used == MAX_DIGITS)
        fail("too many inputs", "");
    struct digit *digit = &shared->digits[shared->used++];
    if (shared->used > shared->known) {
        shared->known = shared->used;
        digit->index = 0;
    }
    digit->count = count;
    return values != NULL ? values[digit->index] : digit->index;
}

static const struct domain *domain_of(const char *name) {
    for (unsigned i = 0; i < domain_count; i++) {
        size_t length = strlen(domains[i].name);
        int prefix = length > 0 && domains[i].name[length - 1] == '*';
        if (prefix ? strncmp(domains[i].name, name, length - 1) == 0 : strcmp(domains[i].name, name) == 0)
            return &domains[i];
    }
    return NULL;
}

static void put(unsigned char *place, uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        place[i] = (unsigned char)(value >> 8 * i);
        if (shared->length < MAX_INPUT)
            shared->input[shared->length++] = place[i];
    }
}

static void make_input(void *place, size_t size, const char *name) {
    unsigned char *bytes = place;
    const struct domain *domain = domain_of(name);
    unsigned width = domain != NULL ? domain->width : size == 2 ? 2 : 1;
    if (size % width != 0)
        fail("the width of the domain does not fit ", name);
    for (size_t i = 0; i < size; i += width) {
        uint64_t count = domain != NULL ? domain->count : 1ull << 8 * width;
        put(bytes + i, next_digit(domain != NULL ? domain->values : NULL, count, width), width);
    }
}

void klee_make_symbolic(void *place, size_t size, const char *name) { make_input(place, size, name); }
void symcrete_make_symbolic(void *place, size_t size, const char *name) { make_input(place, size, name); }
void klee_assume(uintptr_t condition) {
    if (!condition)
        end("rejected", 0, 0);
}
void symcrete_assume(int condition) { klee_assume((uintptr_t)condition); }
void __VERIFIER_assume(int condition) { klee_assume((uintptr_t)condition); }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}

int klee_int(const char *name) {
    int value;
    make_input(&value, sizeof value, name);
    return value;
}

int klee_range(int begin, int end_of_range, const char *name) {
    if (domain_of(name) != NULL) {
        int value = klee_int(name);
        klee_assume(value >= begin && value < end_of_range);
        return value;
    }
    uint64_t size = (uint64_t)((int64_t)end_of_range - begin);
    int value = begin + (int)(next_digit(NULL, size, 4) % size);
    unsigned char copy[4];
    put(copy, (uint64_t)(uint32_t)value, 4);
    return value;
}

#define NONDET(name, type)                                                                                                       \
    type __VERIFIER_nondet_##name(void) {                                                                                        \
        type value;                                                                                                              \
        make_input(&value, sizeof value, "nondet_" #name);                                                                       \
        return value;                                                                                                            \
    }
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(float, float)
NONDET(double, double)

_Bool __VERIFIER_nondet_bool(void) {
    _Bool value = next_digit(NULL, 2, 1) & 1;
    unsigned char copy[1];
    put(copy, value, 1);
    return value;
}

// One run.

// What the flags of `symcrete cover` ask for.
static struct {
    int has_arguments, is_fuzz_target;
    size_t fewest_arguments, most_arguments, argument_length, stdin_length, files, file_length, longest_data;
} wanted;
static void *entry;
static int stdin_copy;

static void make_file(char letter, size_t size) {
    static int files[26];
    char name[2] = {letter, 0};
    unsigned char text[MAX_INPUT];
    make_input(text, size, name);
    // Made once and kept open, since a disk may take a millisecond to make a file or to empty it.
    int *file = &files[letter - 'A'];
    if (*file == 0)
        *file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (*file < 0 || pwrite(*file, text, size, 0) != (ssize_t)size)
        fail("cannot write the file ", name);
}

static int make_arguments(char **argv) {
    static char storage[16][64];
    uint64_t choices = wanted.most_arguments - wanted.fewest_arguments + 1;
    int count = (int)wanted.fewest_arguments + (int)(choices == 1 ? 0 : next_digit(NULL, choices, 1) % choices);
    for (int i = 0; i < count; i++) {
        char name[16];
        sprintf(name, "arg%d", i);
        memset(storage[i], 0, sizeof storage[i]);
        make_input(storage[i], wanted.argument_length, name);
        argv[i] = storage[i];
    }
    return count;
}

static int call_main(void) {
    char *argv[17] = {"program"};
    int argc = 1 + (wanted.has_arguments ? make_arguments(argv + 1) : 0);
    for (size_t i = 0; i < wanted.files; i++)
        make_file((char)('A' + i), wanted.file_length);
    unsigned char text[MAX_INPUT];
    make_input(text, wanted.stdin_length, "stdin");
    if (pwrite(stdin_copy, text, wanted.stdin_length, 0) != (ssize_t)wanted.stdin_length)
        fail("cannot write the standard input", "");
    lseek(0, 0, SEEK_SET);
    __fpurge(stdin);
    clearerr(stdin);
    return ((int (*)(int, char **))entry)(argc, argv);
}

static int call_fuzz_target(void) {
    size_t size = next_digit(NULL, wanted.longest_data + 1, 1) % (wanted.longest_data + 1);
    unsigned char *data = malloc(size);
    make_input(data, size, "data");
    int status = ((int (*)(const unsigned char *, size_t))entry)(data, size);
    free(data);
    return status;
}

static void read_flags(char **flags) {
    for (; *flags != NULL; flags++) {
        if (strcmp(*flags, "--sym-args") == 0) {
            wanted.has_arguments = 1;
            wanted.fewest_arguments = strtoul(*++flags, NULL, 10);
            wanted.most_arguments = strtoul(*++flags, NULL, 10);
            wanted.argument_length = strtoul(*++flags, NULL, 10);
        } else if (strcmp(*flags, "--sym-stdin") == 0) {
            wanted.stdin_length = strtoul(*++flags, NULL, 10);
        } else if (strcmp(*flags, "--sym-files") == 0) {
            wanted.files = strtoul(*++flags, NULL, 10);
            wanted.file_length = strtoul(*++flags, NULL, 10);
        } else if (strcmp(*flags, "--max-len") == 0) {
            wanted.is_fuzz_target = 1;
            wanted.longest_data = strtoul(*++flags, NULL, 10);
        }
    }
}

struct region {
    unsigned char *start, *copy;
    size_t size;
};
static struct region regions[8];
static unsigned region_count;

static int find_regions(struct dl_phdr_info *information, size_t size, void *unused) {
    (void)size, (void)unused;
    if (information->dlpi_addr != program_base)
        return 0;
    for (int i = 0; i < information->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &information->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        struct region *region = &regions[region_count++];
        region->start = (unsigned char *)information->dlpi_addr + header->p_vaddr;
        region->size = header->p_memsz;
        program_end = (uintptr_t)region->start + region->size;
        region->copy = mmap(NULL, region->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    return 1;
}

// Not memcpy, in which the sanitiser would find the red zones of globals.
static void copy_plainly(volatile unsigned char *to, const unsigned char *from, size_t size) {
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
}

// One line of the map: the input, its path, and how it ends.
static void write_map(uint64_t path) {
    if (map_file == NULL || shared->probing)
        return;
    for (unsigned i = 0; i < shared->length; i++)
        fprintf(map_file, "%02x", shared->input[i]);
    fprintf(map_file, " %016llx %s", (unsigned long long)path, shared->kind);
    if (strcmp(shared->kind, "exit") == 0)
        fprintf(map_file, " %d", (int)(shared->status & 255));
    fputc('\n', map_file);
    fflush(map_file);
}

static void record(void) {
    shared->runs++;
    if (strcmp(shared->kind, "rejected") == 0) {
        shared->rejected++;
        write_map(0);
        return;
    }
    shared->statuses[shared->status & 255] |= strcmp(shared->kind, "exit") == 0;
    uint64_t hash = (shared->hash ^ shared->place) * 0x9e3779b97f4a7c15;
    for (const char *letter = shared->kind; *letter != 0; letter++)
        hash = (hash ^ (unsigned char)*letter) * 0x100000001b3;
    uint64_t slot = hash % TABLE_SIZE;
    while (shared->slots[slot] != 0 && shared->found[shared->slots[slot] - 1].hash != hash)
        slot = (slot + 1) % TABLE_SIZE;
    if (shared->slots[slot] == 0) {
        if (shared->paths == MAX_PATHS)
            fail("too many paths", "");
        struct path *new = &shared->found[shared->paths++];
        shared->slots[slot] = (uint32_t)shared->paths;
        new->hash = hash;
        new->place = shared->place;
        memcpy(new->kind, shared->kind, sizeof new->kind);
        new->length = shared->length;
        memcpy(new->input, shared->input, shared->length);
    }
    struct path *path = &shared->found[shared->slots[slot] - 1];
    if (!shared->probing)
        path->inputs++;
    write_map(hash);
}

static void advance(void) {
    if (shared->probing) {
        shared->done = --shared->probes_left == 0;
        return;
    }
    unsigned last = shared->used;
    while (last > 0 && shared->digits[last - 1].index + 1 >= shared->digits[last - 1].count)
        last--;
    if (last > 0)
        shared->digits[last - 1].index++;
    else if (shared->probes_left > 0)
        shared->probing = 1;
    else
        shared->done = 1;
    shared->known = last;
}

static void run_until_done(void) {
    while (!shared->done) {
        for (unsigned i = 0; i < region_count; i++)
            copy_plainly(regions[i].start, regions[i].copy, regions[i].size);
        shared->used = 0;
        shared->hash = shared->blocks = 0;
        shared->length = 0;
        errno = 0;
        if (setjmp(run_ended) == 0)
            oracle_exit(wanted.is_fuzz_target ? call_fuzz_target() : call_main());
        record();
        advance();
    }
    _exit(0);
}

static void read_domains(const char *file) {
    FILE *stream = fopen(file, "r");
    if (stream == NULL)
        fail("cannot read ", file);
    struct domain *domain = domains;
    unsigned long long count, value;
    while (fscanf(stream, "%47s %u %llu", domain->name, &domain->width, &count) == 3) {
        domain->count = count;
        domain->values = malloc(count * sizeof *domain->values);
        for (uint64_t i = 0; i < count; i++) {
            if (fscanf(stream, "%llu", &value) != 1)
                fail("bad domains in ", file);
            domain->values[i] = value;
        }
        domain++;
    }
    domain_count = (unsigned)(domain - domains);
    fclose(stream);
}

static void prepare(const char *program) {
    void *handle = dlopen(program, RTLD_NOW);
    if (handle == NULL)
        fail("cannot load the program: ", dlerror());
    entry = dlsym(handle, wanted.is_fuzz_target ? "LLVMFuzzerTestOneInput" : "main");
    if (entry == NULL)
        fail("the program has no entry", "");
    struct link_map *map;
    dlinfo(handle, RTLD_DI_LINKMAP, &map);
    program_base = map->l_addr;
    dl_iterate_phdr(find_regions, NULL);
    for (unsigned i = 0; i < region_count; i++)
        copy_plainly(regions[i].copy, regions[i].start, regions[i].size);
    stdin_copy = memfd_create("stdin", 0);
    dup2(stdin_copy, 0);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};
    action.sa_sigaction = on_signal;
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    __sanitizer_set_death_callback(on_sanitiser_death);
}

static void report(const char *file) {
    FILE *out = fopen(file, "w");
    if (out == NULL)
        fail("cannot write ", file);
    fprintf(out, "%llu %llu\n", (unsigned long long)shared->runs, (unsigned long long)shared->rejected);
    for (int i = 0; i < 256; i++)
        if (shared->statuses[i])
            fprintf(out, "%d ", i);
    fprintf(out, "\n");
    for (uint64_t i = 0; i < shared->paths; i++) {
        const struct path *path = &shared->found[i];
        fprintf(out, "%016llx %s %llx %llu ", (unsigned long long)path->hash, path->kind,
                (unsigned long long)path->place, (unsigned long long)path->inputs);
        for (unsigned j = 0; j < path->length; j++)
            fprintf(out, "%02x", path->input[j]);
        fprintf(out, "\n");
    }
    fclose(out);
}

// driver PROGRAM.so DOMAINS RESULT PROBES MAP|- [FLAGS OF SYMCRETE COVER]
int main(int argc, char **argv) {
    if (argc < 6)
        fail("usage: driver PROGRAM.so DOMAINS RESULT PROBES MAP [FLAGS]", "");
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED)
        fail("no memory", "");
    messages = dup(2);
    int nowhere = open("/dev/null", O_WRONLY);
    read_domains(argv[2]);
    shared->probes_left = strtoull(argv[4], NULL, 10);
    shared->random = 1;
    map_file = strcmp(argv[5], "-") == 0 ? NULL : fopen(argv[5], "w");
    read_flags(argv + 6);
    prepare(argv[1]);
    while (!shared->done) {
        pid_t child = fork();
        if (child == 0) {
            dup2(nowhere, 2);
            run_until_done();
        }
        int status;
        waitpid(child, &status, 0);
        if (shared->done)
            break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
            return 3;
        if (!shared->crashed)
            note_end(WIFSIGNALED(status) ? "killed" : "vanished", WIFSIGNALED(status) ? WTERMSIG(status) : 0, 0);
        shared->crashed = 0;
        record();
        advance();
    }
    report(argv[3]);
    return 0;
}
