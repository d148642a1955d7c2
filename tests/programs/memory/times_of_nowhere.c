// `utimes` is a library function that looks at the times itself.
#include <stddef.h>
#include <sys/time.h>

static struct timeval *volatile low = (struct timeval *)8;

int main(void) {
    return utimes("missing", low); //~ null pointer dereference
}
