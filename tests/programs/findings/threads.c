// Threads are not supported yet: the run ends there, with the line.
// status: 2
#include <pthread.h>
#include <stddef.h>

static void *work(void *argument) { return argument; }

int main(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, work, NULL); //~ a program with threads
}
