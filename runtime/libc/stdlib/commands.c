// What <stdlib.h> offers beyond the program itself (system: refused) and for its arguments (getsubopt).
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

// No other program can be run, and asking for a shell says so.
int system(const char *command)
{
    if (command == NULL)
        return 0;
    __symcrete_reaches_out("system");
    return __symcrete_fail(ENOSYS);
}

int getsubopt(char **restrict rest, char *const *restrict names, char **restrict value)
{
    char *start = *rest;
    if (*start == '\0')
        return -1;
    char *end = start + strcspn(start, ",");
    size_t name_length = 0;
    while (start + name_length < end && start[name_length] != '=')
        name_length++;
    char *after_name = start + name_length;
    *rest = end;
    if (*end != '\0') {
        *end = '\0';
        *rest = end + 1;
    }
    for (int i = 0; names[i] != NULL; i++) {
        if (strncmp(start, names[i], name_length) == 0 && names[i][name_length] == '\0') {
            *value = after_name != end ? after_name + 1 : NULL;
            return i;
        }
    }
    *value = start;
    return -1;
}
