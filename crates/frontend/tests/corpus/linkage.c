/* Every kind of symbol: weak, alias, ifunc, common, hidden, sections, constructors, inline functions.
 * flags: -fcommon */
#include <stddef.h>

int tentative;
char tentative_array[100];
static int internal_counter = 1;
const int read_only = 42;
extern int declared_elsewhere;
extern const char *const names_elsewhere[];
__attribute__((weak)) int weak_variable = 5;
extern int weak_reference __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden_variable;
__attribute__((visibility("protected"))) int protected_variable = 9;
__attribute__((section("my_section"), used)) int in_section = 3;
__attribute__((aligned(64))) char aligned_buffer[64];
static const char *const message __attribute__((used)) = "kept";

__attribute__((weak)) int weak_function(void) { return weak_variable; }

int real_function(int x) { return x + internal_counter++; }
extern int alias_function(int) __attribute__((alias("real_function")));
extern int weak_alias_function(int) __attribute__((weak, alias("real_function")));
extern int alias_variable __attribute__((alias("weak_variable")));

static int fast_version(int x) { return x * 2; }
static int slow_version(int x) { return x + x; }
static int (*choose_version(void))(int) { return read_only > 40 ? fast_version : slow_version; }
int dispatched(int x) __attribute__((ifunc("choose_version")));

__attribute__((constructor(200))) static void begin(void) { internal_counter = 10; }
__attribute__((constructor)) static void begin_later(void) { internal_counter++; }
__attribute__((destructor)) static void finish(void) { internal_counter = 0; }

static inline int helper(int x) { return x - 1; }
inline int external_inline(int x) { return helper(x); }
extern int external_inline(int x);
__attribute__((always_inline)) static inline int forced(int x) { return x * x; }
__attribute__((noinline, cold, section(".text.rare"))) int rare(int x) { return forced(x) + dispatched(x); }
__attribute__((returns_twice)) int fork_like(void);
__attribute__((malloc, alloc_size(1))) void *allocate(size_t);
__attribute__((pure)) int pure_function(int);
__attribute__((const)) int const_function(int);
_Noreturn void die(const char *why, ...) __attribute__((format(printf, 1, 2)));

int use_all(int n)
{
    if (n < 0)
        die("negative: %d %s", n, names_elsewhere[0]);
    int *p = allocate(n * sizeof *p);
    return (&weak_reference ? weak_reference : declared_elsewhere) + fork_like() + pure_function(n) + const_function(n) +
           alias_function(1) + weak_alias_function(2) + alias_variable + hidden_variable + protected_variable +
           weak_function() + external_inline(3) + rare(4) + tentative + tentative_array[n] + aligned_buffer[1] + p[0];
}

__asm__(".globl from_assembly\nfrom_assembly:\n\tret");
