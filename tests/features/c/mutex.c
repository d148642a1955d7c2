// section: The C library and POSIX
// feature: mutexes
// executed: yes
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int f(int x)
{
    pthread_mutex_lock(&m);
    int r = x == 2;
    pthread_mutex_unlock(&m);
    return r ? 4 : 5;
}
