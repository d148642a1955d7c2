// A function that runs when the program ends, after main, and looks at what main left behind.
#include <symcrete.h>

static int open_files;

static int close_all(int count) {
    int closed = 0;
    for (int i = 0; i < count && i < 10; i++)
        closed++;
    if (closed == 6)
        return -1; //~ reached
    return closed;
}

__attribute__((destructor)) static void finish(void) {
    if (open_files > 0)
        open_files = close_all(open_files);
}

int main(void) {
    open_files = symcrete_int("files");
    return 0;
}
