// setjmp and longjmp: out of deep recursion, nested, in loops, with volatile locals, as exceptions, as a scheduler's exit.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf top;

static void descend(int depth) {
    char used[32];
    memset(used, depth, sizeof used);
    if (depth == 0)
        longjmp(top, 7);
    descend(depth - 1);
    printf("never here %d\n", used[0]);
}

static void loops(void) {
    volatile int round = 0;
    int code = setjmp(top);
    printf("code %d round %d\n", code, round);
    if (round < 5) {
        round++;
        longjmp(top, round * 10);
    }
    for (volatile int index = 0; index < 3; index++) {
        jmp_buf local;
        volatile int hits = 0;
        if (setjmp(local) < 3) {
            hits++;
            longjmp(local, hits);
        }
        printf("index %d hits %d\n", index, hits);
    }
}

/* Exceptions in the classical style: a chain of handlers. */
struct handler { jmp_buf place; struct handler *outer; };
static struct handler *handlers;
static const char *message;

static void throw(int code, const char *text) {
    struct handler *handler = handlers;
    message = text;
    handlers = handler->outer;
    longjmp(handler->place, code);
}

static int safe_divide(int top_value, int bottom) {
    if (bottom == 0)
        throw(1, "division by zero");
    return top_value / bottom;
}

static int attempt(int value, int depth) {
    struct handler handler;
    handler.outer = handlers;
    handlers = &handler;
    int code = setjmp(handler.place);
    if (code == 0) {
        int result = depth ? attempt(value - 1, depth - 1) : safe_divide(100, value);
        if (result > 40)
            throw(2, "too large");
        handlers = handler.outer;
        return result;
    }
    printf("caught %d (%s) at depth %d\n", code, message, depth);
    if (depth == 1)
        throw(code + 10, "rethrown");
    return -code;
}

static int counted(jmp_buf *place, volatile int *counter) {
    ++*counter;
    if (*counter % 4)
        longjmp(*place, *counter);
    return *counter;
}

static int retry(void) {
    jmp_buf place;
    volatile int counter = 0;
    static int seen;
    seen = setjmp(place);
    int result = counted(&place, &counter);
    return result * 100 + seen;
}

int main(void) {
    int code = setjmp(top);
    if (code == 0)
        descend(50);
    printf("back with %d\n", code);
    switch (setjmp(top)) {
    case 0: longjmp(top, 0);
    case 1: puts("zero becomes one"); break;
    default: puts("wrong");
    }
    loops();
    struct handler outermost = {.outer = NULL};
    handlers = &outermost;
    if (setjmp(outermost.place) == 0)
        for (int value = 0; value < 5; value++)
            printf("%d\n", attempt(value, value % 3));
    else
        printf("outermost: %s\n", message);
    printf("%d\n", retry());
    sigjmp_buf with_mask;
    volatile int times = 0;
    if (sigsetjmp(with_mask, 1) < 2)
        siglongjmp(with_mask, ++times);
    printf("%d\n", times);
    return 0;
}
