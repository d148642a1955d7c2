// The smallest integer divided by -1.
#include <limits.h>

int main(int argc, char **argv) {
    (void)argv;
    int smallest = INT_MIN + argc - 1;
    return smallest / -argc; //~ division overflow
}
