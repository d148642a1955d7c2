// The terminator of a string does not fit.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text) {
    char *fresh = malloc(strlen(text));
    strcpy(fresh, text); //~ heap buffer overflow: write of 1 byte
    return fresh;
}

int main(void) {
    char *text = copy("seven..");
    free(text);
    return 0;
}
