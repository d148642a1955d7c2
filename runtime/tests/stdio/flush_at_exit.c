// Linked to a program that runs on the runtime's stdio: flushes its streams at exit, as the runtime's exit does.
#include <stdlib.h>

void sc___symcrete_flush_all(void);

__attribute__((constructor)) static void prepare(void)
{
    atexit(sc___symcrete_flush_all);
}
