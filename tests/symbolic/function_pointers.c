// Calls through a table of functions, at an index that is an input.
// paths: 6
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int add(int x, int y) { return x + y; }
static int subtract(int x, int y) { return x - y; }
static int divide(int x, int y) { return y == 0 ? 77 : x / y; }

static int (*const operations[4])(int, int) = {add, subtract, divide, add};

int main(void) {
    unsigned char which, y;
    klee_make_symbolic(&which, sizeof which, "which");
    klee_make_symbolic(&y, sizeof y, "y");
    int result = operations[which & 3](20, y);
    if (result == 0)
        return 1;
    return result == 24 ? 2 : 0;
}
