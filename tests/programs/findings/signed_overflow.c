// Adds one to the largest integer; a finding only on request.
// flags: --overflow
#include <limits.h>

int main(int argc, char **argv) {
    (void)argv;
    int largest = INT_MAX - 1 + argc;
    return largest + argc > 0; //~ signed integer overflow
}
