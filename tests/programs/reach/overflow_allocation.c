// The size of a table computed in 32 bits: with enough rows it wraps around and passes the check.
#include <stdint.h>
#include <symcrete.h>

#define LIMIT 4096u

static uint32_t table_size(uint32_t rows, uint32_t columns) {
    return rows * columns * 8u + 16u;
}

int main(void) {
    uint32_t rows = symcrete_uint("rows"), columns = symcrete_uint("columns");
    if (rows == 0 || columns == 0)
        return 0;
    uint32_t size = table_size(rows, columns);
    if (size > LIMIT)
        return 1;
    if (columns == 3 && rows > 1000000)
        return 2; //~ reached
    if (size == 4094)
        return 3; //~ unreachable
    return 4;
}
