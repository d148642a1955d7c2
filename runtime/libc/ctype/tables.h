// The character tables of the C locale; index 128 is character 0.
#ifndef SYMCRETE_CTYPE_TABLES_H
#define SYMCRETE_CTYPE_TABLES_H

#include <stdint.h>

extern const unsigned short __symcrete_classes[384];
extern const int32_t __symcrete_lower[384];
extern const int32_t __symcrete_upper[384];

#endif
