// _Exit leaves without handlers and without flushing; quick_exit runs only its own.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { puts("an atexit handler must not run"); }
static void quick(void) {
    puts("a quick handler");
    fflush(stdout);
}

int main(void) {
    atexit(never);
    at_quick_exit(quick);
    at_quick_exit(quick);
    puts("before");
    quick_exit(17);
}
