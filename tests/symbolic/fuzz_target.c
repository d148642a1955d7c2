// A target for fuzzers: the length is an input as well, and one byte is read without a look at it.
// flags: --entry LLVMFuzzerTestOneInput --max-len 2
// paths: 7
// findings: out-of-bounds
// exhaustive: yes
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    if (data[0] == 'F') {
        if (data[1] == 'U') //~ out-of-bounds
            return 0;
    } else if (size == 2 && data[0] + data[1] == 300) {
        return 0;
    }
    return 0;
}
