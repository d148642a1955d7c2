// A parser of length-prefixed records with a mistake in it, and a harness for `(buf, len)` as fuzzers have it.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NAME = 1, CHECK = 2 };

// Parses records of the form KIND LENGTH BYTES. Returns the number of records, or -1.
static int parse(const uint8_t *data, size_t size)
{
    char name[4];
    int records = 0;
    size_t at = 0;
    while (at + 2 <= size) {
        uint8_t kind = data[at], length = data[at + 1];
        at += 2;
        if (length > size - at)
            return -1;
        if (kind == NAME) {
            if (length > sizeof name)
                return -1;
            memcpy(name, data + at, length);
            name[length] = 0;
        } else if (kind == CHECK) {
            if (length != 1 || data[at] != 0x5a)
                return -1;
        } else {
            return -1;
        }
        at += length;
        records++;
    }
    return records;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return parse(data, size) < 0;
}
