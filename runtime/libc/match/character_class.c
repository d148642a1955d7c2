// Named character classes ("[:alpha:]") in patterns and regular expressions.
#include "character_class.h"

#include <ctype.h>
#include <string.h>

#include "../ctype/tables.h"

int __symcrete_class_bits(const char *text, size_t *length)
{
    static const struct {
        const char *name;
        int bits;
    } classes[] = {
        {"alnum:]", _ISalnum}, {"alpha:]", _ISalpha}, {"blank:]", _ISblank}, {"cntrl:]", _IScntrl},
        {"digit:]", _ISdigit}, {"graph:]", _ISgraph}, {"lower:]", _ISlower}, {"print:]", _ISprint},
        {"punct:]", _ISpunct}, {"space:]", _ISspace}, {"upper:]", _ISupper}, {"xdigit:]", _ISxdigit},
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        *length = strlen(classes[i].name);
        if (strncmp(text, classes[i].name, *length) == 0)
            return classes[i].bits;
    }
    return 0;
}

int __symcrete_in_class(int c, int bits)
{
    return (__symcrete_classes[128 + c] & bits) != 0;
}
