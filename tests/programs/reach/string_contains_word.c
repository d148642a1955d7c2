// A text that contains a word is at least as long as the word.
#include <string.h>
#include <symcrete.h>

static const char *first_error(const char *log) {
    return strstr(log, "bad");
}

int main(void) {
    char log[10];
    symcrete_make_symbolic(log, sizeof log, "log");
    log[9] = 0;
    const char *found = first_error(log);
    if (!found)
        return 0;
    if (strlen(log) < 3)
        return 1; //~ unreachable
    if (found - log == 4 && strlen(log) == 8)
        return 2; //~ reached
    return 3;
}
