// A structure reached through a pointer in a structure behind another pointer.
// flags: --entry read_device
#include <stddef.h>

struct registers { unsigned status; unsigned short data[2]; };
struct device { int id; struct registers *registers; };

static int ready(const struct registers *registers) {
    return (registers->status & 0x81) == 0x81;
}

int read_device(struct device *device) {
    if (!device || !device->registers)
        return -1;
    struct registers *registers = device->registers;
    if (!ready(registers))
        return 0;
    if (device->id == 1201 && registers->data[0] + registers->data[1] == 100000)
        return 1; //~ reached
    registers->status &= ~1u;
    if (ready(registers))
        return 2; //~ unreachable
    return 3;
}
