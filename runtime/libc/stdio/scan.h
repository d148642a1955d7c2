// What the files that implement the scanf family share: where input comes from, and what one conversion asks for.
#ifndef SYMCRETE_SCAN_H
#define SYMCRETE_SCAN_H

#include "stream.h"

// A stream or a string, read byte by byte. At most one byte is ever given back.
struct source {
    FILE *file; // or NULL
    const char *text;
    int consumed; // bytes read and not given back
};

static inline int source_get(struct source *source)
{
    int byte;
    if (source->file != NULL) {
        byte = stream_get(source->file);
        if (byte == EOF) {
            return EOF;
        }
    } else {
        byte = (unsigned char)*source->text;
        if (byte == '\0') {
            return EOF;
        }
        source->text++;
    }
    source->consumed++;
    return byte;
}

// Gives back the byte that source_get returned last.
static inline void source_unget(struct source *source, int byte)
{
    if (byte == EOF) {
        return;
    }
    source->consumed--;
    if (source->file != NULL) {
        source->file->_IO_read_ptr--;
    } else {
        source->text--;
    }
}

static inline bool scan_is_space(int byte)
{
    return byte == ' ' || (unsigned)byte - '\t' < 5;
}

enum scan_length { SCAN_INT, SCAN_CHAR, SCAN_SHORT, SCAN_LONG, SCAN_LONG_LONG };

struct scan_conversion {
    bool suppressed; // *: read, but store nothing
    bool allocates;  // m: store to memory from malloc
    int width;       // -1 if not given
    int argument;    // its number, or 0 for the next
    enum scan_length length;
    char letter;
    const char *set, *set_end; // of %[: what stands between the brackets
};

// How a conversion, or a whole scan, ended.
enum scan_result {
    SCAN_STORED, // counts
    SCAN_SILENT, // went well, does not count
    SCAN_NO_INPUT,
    SCAN_NO_MATCH,
    SCAN_FAILED, // for want of memory
};

// Which meanings the caller's standard gives to a format.
enum scan_dialect {
    SCAN_GNU, // %as allocates
    SCAN_C99, // %a reads a float
    SCAN_C23, // and 0b introduces binary numbers
};

// scan.c: the whole of scanf.
int __scan(struct source *source, enum scan_dialect dialect, const char *format, va_list arguments);

// scan_parse.c: parses what follows the %; returns what follows the conversion, or NULL if it ends too early.
const char *__scan_parse(const char *format, enum scan_dialect dialect, struct scan_conversion *conversion);

// scan_integer.c, scan_float.c, scan_text.c: one conversion each, storing through `target`.
enum scan_result __scan_integer(struct source *source, const struct scan_conversion *conversion,
                                enum scan_dialect dialect, void *target);
enum scan_result __scan_float(struct source *source, const struct scan_conversion *conversion, void *target);
enum scan_result __scan_text(struct source *source, const struct scan_conversion *conversion, void *target);

#endif
