// The public names of the printf family.
#include "format.h"

// Calls `call` with the arguments that follow `last`.
#define WITH_ARGUMENTS(last, call)                                                                                     \
    do {                                                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, last);                                                                                     \
        int result = call;                                                                                             \
        va_end(arguments);                                                                                             \
        return result;                                                                                                 \
    } while (0)

int printf(const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_stream(stdout, format, arguments));
}

int fprintf(FILE *file, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_stream(file, format, arguments));
}

int sprintf(char *bytes, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_memory(bytes, SIZE_MAX, format, arguments));
}

int snprintf(char *bytes, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_memory(bytes, size, format, arguments));
}

int dprintf(int descriptor, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_descriptor(descriptor, format, arguments));
}

int asprintf(char **result_text, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_heap(result_text, format, arguments));
}

int __asprintf(char **result_text, const char *format, ...)
{
    WITH_ARGUMENTS(format, __format_to_heap(result_text, format, arguments));
}

int vprintf(const char *format, va_list arguments)
{
    return __format_to_stream(stdout, format, arguments);
}

int vfprintf(FILE *file, const char *format, va_list arguments)
{
    return __format_to_stream(file, format, arguments);
}

int vsprintf(char *bytes, const char *format, va_list arguments)
{
    return __format_to_memory(bytes, SIZE_MAX, format, arguments);
}

int vsnprintf(char *bytes, size_t size, const char *format, va_list arguments)
{
    return __format_to_memory(bytes, size, format, arguments);
}

int vdprintf(int descriptor, const char *format, va_list arguments)
{
    return __format_to_descriptor(descriptor, format, arguments);
}

int vasprintf(char **result_text, const char *format, va_list arguments)
{
    return __format_to_heap(result_text, format, arguments);
}
