// An argument of the program that starts with a long option and has a value of a given length.
// flags: --sym-args 0 2 12
#include <string.h>

static const char *after(const char *text, const char *prefix) {
    while (*prefix)
        if (*text++ != *prefix++)
            return NULL;
    return text;
}

int main(int count, char **words) {
    const char *level = NULL;
    int verbose = 0;
    for (int i = 1; i < count; i++) {
        const char *value = after(words[i], "--level=");
        if (value)
            level = value;
        else if (strcmp(words[i], "-v") == 0)
            verbose++;
    }
    if (level && verbose == 1 && strlen(level) == 3 && level[0] == level[2])
        return 1; //~ reached
    if (level && verbose == 2)
        return 2; //~ unreachable
    return 0;
}
