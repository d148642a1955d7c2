// The environment: getenv, setenv and their relatives over `environ`.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../internal.h"

char **__environ;
ALIAS(environ, __environ);
ALIAS(_environ, __environ);

char *secure_getenv(const char *name);

// The list that the runtime allocated last; `environ` may point elsewhere, to the initial one or one of the program's.
static char **own_list;

// Where the variable stands in the list; the terminating null pointer's place if it does not. -1: there is no list.
static long find(const char *name, size_t length)
{
    if (__environ == NULL)
        return -1;
    long place = 0;
    for (; __environ[place] != NULL; place++)
        if (strncmp(__environ[place], name, length) == 0 && __environ[place][length] == '=')
            break;
    return place;
}

char *getenv(const char *name)
{
    size_t length = strlen(name);
    long place = find(name, length);
    if (place < 0 || length == 0 || __environ[place] == NULL)
        return NULL;
    return __environ[place] + length + 1;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}
ALIAS(__secure_getenv, secure_getenv);

// Puts "NAME=value" where NAME stands, or at the end.
static int put(char *entry, size_t name_length)
{
    long place = find(entry, name_length);
    if (place >= 0 && __environ[place] != NULL) {
        __environ[place] = entry;
        return 0;
    }
    size_t count = place < 0 ? 0 : (size_t)place;
    char **list = malloc((count + 2) * sizeof *list);
    if (list == NULL)
        return -1;
    if (count != 0)
        memcpy(list, __environ, count * sizeof *list);
    list[count] = entry;
    list[count + 1] = NULL;
    free(own_list);
    __environ = own_list = list;
    return 0;
}

int setenv(const char *name, const char *value, int replace)
{
    if (name == NULL || *name == '\0' || strchr(name, '=') != NULL)
        return __symcrete_fail(EINVAL);
    size_t name_length = strlen(name), value_length = strlen(value);
    long place = find(name, name_length);
    if (!replace && place >= 0 && __environ[place] != NULL)
        return 0;
    char *entry = malloc(name_length + value_length + 2);
    if (entry == NULL)
        return -1;
    memcpy(entry, name, name_length);
    entry[name_length] = '=';
    memcpy(entry + name_length + 1, value, value_length + 1);
    return put(entry, name_length);
}

static void remove_all(const char *name, size_t length)
{
    for (;;) {
        long place = find(name, length);
        if (place < 0 || __environ[place] == NULL)
            return;
        for (; __environ[place] != NULL; place++)
            __environ[place] = __environ[place + 1];
    }
}

int unsetenv(const char *name)
{
    if (*name == '\0' || strchr(name, '=') != NULL)
        return __symcrete_fail(EINVAL);
    remove_all(name, strlen(name));
    return 0;
}

int putenv(char *entry)
{
    char *equals = strchr(entry, '=');
    if (equals != NULL)
        return put(entry, (size_t)(equals - entry));
    remove_all(entry, strlen(entry));
    return 0;
}

int clearenv(void)
{
    free(own_list);
    own_list = NULL;
    __environ = NULL;
    return 0;
}
