// section: The C library and POSIX
// feature: sockets, `dlopen`
// executed: no: `socket` is called but defined nowhere
#include <sys/socket.h>
int f(int x)
{
    if (x == 1)
        return socket(AF_INET, SOCK_STREAM, 0) < 0;
    return 0;
}
