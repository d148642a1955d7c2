// <threads.h> for a program with one thread. What needs another one (thrd_create, thrd_join, cnd_wait …) is
// deliberately missing, so that the engine ends the path with its name.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "../internal.h"

int __pthread_mutex_lock(pthread_mutex_t *mutex);
int __pthread_mutex_trylock(pthread_mutex_t *mutex);
int __pthread_mutex_unlock(pthread_mutex_t *mutex);
int __pthread_once(pthread_once_t *once, void (*function)(void));
int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
int __pthread_key_delete(pthread_key_t key);
void *__pthread_getspecific(pthread_key_t key);
int __pthread_setspecific(pthread_key_t key, const void *value);

static int status(int error)
{
    return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

// A mtx_t is a pthread_mutex_t underneath.
int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutex_t *inner = (pthread_mutex_t *)mutex;
    memset(inner, 0, sizeof *inner);
    inner->__data.__kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}

int mtx_lock(mtx_t *mutex)
{
    return status(__pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int mtx_trylock(mtx_t *mutex)
{
    return status(__pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    (void)until;
    int error = __pthread_mutex_trylock((pthread_mutex_t *)mutex);
    return error == EBUSY ? thrd_timedout : status(error);
}
TIME64_ALIAS(__mtx_timedlock64, mtx_timedlock);

int mtx_unlock(mtx_t *mutex)
{
    return status(__pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

void mtx_destroy(mtx_t *mutex)
{
    (void)mutex;
}

void call_once(once_flag *once, void (*function)(void))
{
    __pthread_once((pthread_once_t *)once, function);
}

int tss_create(tss_t *key, tss_dtor_t destroy)
{
    return status(__pthread_key_create(key, destroy));
}

void *tss_get(tss_t key)
{
    return __pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
    return status(__pthread_setspecific(key, value));
}

void tss_delete(tss_t key)
{
    __pthread_key_delete(key);
}

thrd_t thrd_current(void)
{
    return (thrd_t)1;
}

int thrd_equal(thrd_t left, thrd_t right)
{
    return left == right;
}

void thrd_yield(void)
{
}

_Noreturn void thrd_exit(int result)
{
    (void)result;
    exit(0);
}

int cnd_init(cnd_t *condition)
{
    memset(condition, 0, sizeof *condition);
    return thrd_success;
}

// Nobody waits.
int cnd_signal(cnd_t *condition)
{
    (void)condition;
    return thrd_success;
}
ALIAS(cnd_broadcast, cnd_signal);

void cnd_destroy(cnd_t *condition)
{
    (void)condition;
}
