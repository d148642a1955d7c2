// <err.h> and <error.h>: messages that begin with the program's name, and the end of the program.
#define _GNU_SOURCE
#include <err.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

// "program: message: error text". Without an error number (-1) the text is left out.
static void report(int error, const char *format, va_list arguments)
{
    __symcrete_complain(__progname, ": ", NULL);
    if (format != NULL)
        vfprintf(stderr, format, arguments);
    if (error >= 0)
        __symcrete_complain(format != NULL ? ": " : "", strerror(error), NULL);
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list arguments)
{
    report(errno, format, arguments);
}

void vwarnx(const char *format, va_list arguments)
{
    report(-1, format, arguments);
}

_Noreturn void verr(int status, const char *format, va_list arguments)
{
    report(errno, format, arguments);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, va_list arguments)
{
    report(-1, format, arguments);
    exit(status);
}

void warn(const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    report(error, format, arguments);
    va_end(arguments);
}

void warnx(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(-1, format, arguments);
    va_end(arguments);
}

_Noreturn void err(int status, const char *format, ...)
{
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    report(error, format, arguments);
    va_end(arguments);
    exit(status);
}

_Noreturn void errx(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(-1, format, arguments);
    va_end(arguments);
    exit(status);
}

// <error.h>
unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void name_program(void)
{
    fflush(stdout);
    if (error_print_progname != NULL)
        error_print_progname();
    else
        __symcrete_complain(__progname_full, ":", NULL);
}

static void finish(int status, int error, const char *format, va_list arguments)
{
    vfprintf(stderr, format, arguments);
    error_message_count++;
    if (error != 0)
        __symcrete_complain(": ", strerror(error), NULL);
    fputc('\n', stderr);
    fflush(stderr);
    if (status != 0)
        exit(status);
}

void error(int status, int error_number, const char *format, ...)
{
    va_list arguments;
    name_program();
    if (error_print_progname == NULL)
        fputc(' ', stderr);
    va_start(arguments, format);
    finish(status, error_number, format, arguments);
    va_end(arguments);
}

void error_at_line(int status, int error_number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && line == last_line
        && (file == last_file || (file && last_file && !strcmp(file, last_file))))
        return;
    last_file = file;
    last_line = line;
    va_list arguments;
    name_program();
    if (file != NULL)
        fprintf(stderr, "%s:%u: ", file, line);
    else
        fputc(' ', stderr);
    va_start(arguments, format);
    finish(status, error_number, format, arguments);
    va_end(arguments);
}
