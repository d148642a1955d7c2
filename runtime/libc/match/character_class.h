// Named character classes ("[:alpha:]") in patterns and regular expressions.
#ifndef SYMCRETE_CHARACTER_CLASS_H
#define SYMCRETE_CHARACTER_CLASS_H

#include <stddef.h>

// The <ctype.h> bits of the class that the text (after "[:") names, and the length up to and including ":]"; 0 if none.
int __symcrete_class_bits(const char *text, size_t *length);

int __symcrete_in_class(int c, int bits);

#endif
