// Constructors and destructors with priorities, weak symbols, aliases, sections, visibility, tentative definitions.
#include <stdio.h>

static int trace;

__attribute__((constructor(101))) static void earliest(void) { trace = 1; }
__attribute__((constructor(200))) static void middle(void) { trace = trace * 10 + 2; }
__attribute__((constructor)) static void latest(void) { trace = trace * 10 + 3; }
__attribute__((destructor)) static void first_down(void) { printf("down first %d\n", trace); }
__attribute__((destructor(150))) static void last_down(void) { printf("down last\n"); }
__attribute__((constructor, destructor)) static void both(void) {
    static int calls;
    if (++calls == 2)
        printf("both, called the second time\n");
}

__attribute__((weak)) int overridable(void) { return 5; }
extern int never_defined(void) __attribute__((weak));
extern int never_there __attribute__((weak));
__attribute__((weak)) int weak_variable = 8;

int original(int value) { return value * 3; }
int renamed(int value) __attribute__((alias("original")));
int weakly_renamed(int value) __attribute__((weak, alias("original")));
int storage[4] = {1, 2, 3, 4};
extern int same_storage[4] __attribute__((alias("storage")));
__attribute__((visibility("hidden"))) int hidden_value = 6;
__attribute__((section("custom"))) int in_a_section = 7;
__attribute__((used)) static int kept = 9;
__attribute__((aligned(64))) static char aligned_buffer[3];
static int callee(void) __asm__("strangely_named_symbol");
static int callee(void) { return 11; }

int main(void) {
    printf("%d %d\n", trace, overridable());
    printf("%d %d %d\n", never_defined == 0, &never_there == 0, weak_variable);
    printf("%d %d %d\n", renamed(7), weakly_renamed(8), renamed == original);
    same_storage[2] = 30;
    printf("%d\n", storage[2]);
    printf("%d %d %d %d %d\n", hidden_value, in_a_section, kept, (int)((unsigned long)aligned_buffer % 64), callee());
    return 0;
}
