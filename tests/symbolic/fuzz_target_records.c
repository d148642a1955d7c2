// A target for fuzzers that reads records: a length, then as many bytes.
// flags: --entry LLVMFuzzerTestOneInput --max-len 3
// domain: data uchar = 0 1 2 3 4 255
// paths: 13
// findings: abort
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t at = 0;
    unsigned sum = 0;
    while (at < size) {
        size_t length = data[at++];
        if (length > size - at)
            return 0;
        for (size_t i = 0; i < length; i++)
            sum += data[at + i];
        at += length;
    }
    if (sum > 500)
        abort(); //~ abort
    return 0;
}
