// The rest of <pthread.h> that makes sense with one thread. What needs another one (pthread_create, pthread_join,
// pthread_cond_wait …) is deliberately missing, so that the engine ends the path with its name.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

// Any value will do that is not zero.
pthread_t pthread_self(void)
{
    return (pthread_t)1;
}

int pthread_equal(pthread_t left, pthread_t right)
{
    return left == right;
}

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    if (*once == 0) {
        *once = 1;
        function();
        *once = 2;
    }
    return 0;
}
ALIAS(__pthread_once, pthread_once);

// Thread-specific values are plain values.
enum { KEYS = 128 };
static struct {
    int used;
    void *value;
} keys[KEYS];

// Destructors run when a thread ends before the program does, which the only one cannot.
int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    (void)destroy;
    for (unsigned i = 0; i < KEYS; i++) {
        if (!keys[i].used) {
            keys[i].used = 1;
            keys[i].value = NULL;
            *key = i;
            return 0;
        }
    }
    return EAGAIN;
}
ALIAS(__pthread_key_create, pthread_key_create);

int pthread_key_delete(pthread_key_t key)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].used = 0;
    return 0;
}
ALIAS(__pthread_key_delete, pthread_key_delete);

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].value = (void *)value;
    return 0;
}
ALIAS(__pthread_setspecific, pthread_setspecific);

void *pthread_getspecific(pthread_key_t key)
{
    return key < KEYS && keys[key].used ? keys[key].value : NULL;
}
ALIAS(__pthread_getspecific, pthread_getspecific);

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes)
{
    (void)attributes;
    memset(condition, 0, sizeof *condition);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}
ALIAS(pthread_cond_signal, pthread_cond_destroy); // nobody waits
ALIAS(pthread_cond_broadcast, pthread_cond_destroy);

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
    (void)attributes;
    (void)clock;
    return 0;
}

int pthread_attr_init(pthread_attr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    (void)attributes;
    (void)state;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    (void)attributes;
    (void)size;
    return 0;
}

int pthread_setcancelstate(int state, int *before)
{
    (void)state;
    if (before != NULL)
        *before = PTHREAD_CANCEL_ENABLE;
    return 0;
}

int pthread_setcanceltype(int type, int *before)
{
    (void)type;
    if (before != NULL)
        *before = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

void pthread_testcancel(void)
{
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)thread;
    (void)name;
    return 0;
}

int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    return 0;
}

int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *module);

int __register_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *module)
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    (void)module;
    return 0;
}

// The only thread's end is the program's.
_Noreturn void pthread_exit(void *result)
{
    (void)result;
    exit(0);
}
