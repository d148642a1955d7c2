// atexit handlers in reverse order, output flushed at exit, the environment, and the exit status.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth;

static void first(void) { printf("first registered, run last (%d)\n", depth); }
static void second(void) { printf("second\n"); }
static void late(void) { printf("registered during exit\n"); }
static void third(void) {
    printf("third\n");
    atexit(late);
}
__attribute__((destructor)) static void destroyed(void) { printf("destructor after the handlers\n"); }

static void environment(void) {
    printf("%d\n", getenv("SURELY_NOT_SET_ANYWHERE") == NULL);
    setenv("SYMCRETE_TEST_A", "one", 1);
    setenv("SYMCRETE_TEST_A", "two", 0);
    setenv("SYMCRETE_TEST_B", "", 1);
    printf("%s [%s]\n", getenv("SYMCRETE_TEST_A"), getenv("SYMCRETE_TEST_B"));
    setenv("SYMCRETE_TEST_A", "three", 1);
    static char entry[] = "SYMCRETE_TEST_C=put=there";
    putenv(entry);
    printf("%s %s\n", getenv("SYMCRETE_TEST_A"), getenv("SYMCRETE_TEST_C"));
    unsetenv("SYMCRETE_TEST_A");
    printf("%d\n", getenv("SYMCRETE_TEST_A") == NULL);
    extern char **environ;
    int mine = 0;
    for (char **at = environ; *at; at++)
        mine += strncmp(*at, "SYMCRETE_TEST_", 14) == 0;
    printf("%d\n", mine);
}

static void leave(int level) {
    depth = level;
    if (level == 10) {
        printf("no newline at the end, still shown");
        exit(300 + level);
    }
    leave(level + 1);
}

int main(void) {
    environment();
    atexit(first);
    atexit(second);
    atexit(third);
    atexit(second);
    leave(0);
    return 1;
}
