// A failing assertion.
// status: 134
#include <assert.h>

int main(int argc, char **argv) {
    (void)argv;
    assert(argc == 2); //~ assertion `argc == 2` failed
    return 0;
}
