// Locks of <pthread.h> for a program with one thread: they count, but nobody ever waits.
// What would wait forever (locking a held lock again) fails with EDEADLK.
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "../internal.h"

enum { KIND_MASK = 3 };

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    memset(mutex, 0, sizeof *mutex);
    if (attributes != NULL)
        mutex->__data.__kind = attributes->__align & KIND_MASK;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->__data.__lock != 0 ? EBUSY : 0;
}

static int lock(pthread_mutex_t *mutex, int if_held)
{
    if (mutex->__data.__lock != 0) {
        if ((mutex->__data.__kind & KIND_MASK) != PTHREAD_MUTEX_RECURSIVE)
            return if_held;
        mutex->__data.__count++;
        return 0;
    }
    mutex->__data.__lock = 1;
    mutex->__data.__count = 1;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return lock(mutex, EDEADLK);
}
ALIAS(__pthread_mutex_lock, pthread_mutex_lock);

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return lock(mutex, EBUSY);
}
ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
    (void)until;
    return lock(mutex, ETIMEDOUT);
}
TIME64_ALIAS(__pthread_mutex_timedlock64, pthread_mutex_timedlock);

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (mutex->__data.__lock == 0)
        return (mutex->__data.__kind & KIND_MASK) == PTHREAD_MUTEX_NORMAL ? 0 : EPERM;
    if (--mutex->__data.__count == 0)
        mutex->__data.__lock = 0;
    return 0;
}
ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    if (kind < 0 || kind > KIND_MASK)
        return EINVAL;
    attributes->__align = kind;
    return 0;
}
ALIAS(__pthread_mutexattr_settype, pthread_mutexattr_settype);

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind)
{
    *kind = attributes->__align & KIND_MASK;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
    (void)attributes;
    (void)shared;
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
    (void)attributes;
    (void)protocol;
    return 0;
}

// Read-write locks: how many readers, and whether there is a writer.
int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    memset(lock, 0, sizeof *lock);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    (void)lock;
    return 0;
}

static int lock_for_reading(pthread_rwlock_t *lock, int if_held)
{
    if (lock->__data.__writers != 0)
        return if_held;
    lock->__data.__readers++;
    return 0;
}

static int lock_for_writing(pthread_rwlock_t *lock, int if_held)
{
    if (lock->__data.__writers != 0 || lock->__data.__readers != 0)
        return if_held;
    lock->__data.__writers = 1;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return lock_for_reading(lock, EDEADLK);
}
ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return lock_for_reading(lock, EBUSY);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return lock_for_writing(lock, EDEADLK);
}
ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return lock_for_writing(lock, EBUSY);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (lock->__data.__writers != 0)
        lock->__data.__writers = 0;
    else if (lock->__data.__readers != 0)
        lock->__data.__readers--;
    return 0;
}
ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 1;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

// A spin lock is 1 while it is free.
int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (*lock != 1)
        return EDEADLK;
    *lock = 0;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    if (*lock != 1)
        return EBUSY;
    *lock = 0;
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    *lock = 1;
    return 0;
}
