// A string with a given prefix, a given length and a number at its end.
#include <string.h>
#include <symcrete.h>

static int port(const char *url) {
    const char *colon = strrchr(url, ':');
    int number = 0;
    for (const char *digit = colon + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9')
            return -1;
        number = number * 10 + *digit - '0';
    }
    return number;
}

int main(void) {
    char url[20];
    symcrete_make_symbolic(url, sizeof url, "url");
    url[sizeof url - 1] = 0;
    if (strncmp(url, "ftp://", 6) != 0)
        return 0;
    if (strlen(url) == 14 && port(url) == 2121)
        return 1; //~ reached
    if (strlen(url) < 6)
        return 2; //~ unreachable
    return 0;
}
