// Gives up.
// status: 134
#include <stdlib.h>

int main(void) {
    abort(); //~ aborted
}
