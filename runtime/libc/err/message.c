// Messages to standard error without printf: for failed assertions, fortified calls and getopt.
#include <stdarg.h>
#include <stdio.h>

#include "../internal.h"

void __symcrete_complain(const char *first, ...)
{
    va_list more;
    va_start(more, first);
    for (const char *text = first; text != NULL; text = va_arg(more, const char *))
        fputs(text, stderr);
    va_end(more);
}
