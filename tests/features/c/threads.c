// section: The C library and POSIX
// feature: threads, `fork`
// executed: no: a program with threads
#include <pthread.h>
void *g(void *p)
{
    return p;
}
int f(int x)
{
    pthread_t t;
    if (x == 2) {
        pthread_create(&t, 0, g, 0);
        pthread_join(t, 0);
    }
    return 0;
}
