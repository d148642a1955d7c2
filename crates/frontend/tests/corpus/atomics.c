/* Atomic operations and fences of all orderings, thread-local variables, volatile accesses. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

_Atomic int counter;
atomic_long big;
_Atomic(void *) head;
_Thread_local int per_thread = 7;
static __thread char buffer[16];
extern _Thread_local long elsewhere;
__attribute__((tls_model("initial-exec"))) _Thread_local int early;
volatile unsigned device;

int bump(void) { return atomic_fetch_add(&counter, 1) + atomic_load_explicit(&counter, memory_order_relaxed); }

long operations(long v)
{
    long r = atomic_fetch_sub_explicit(&big, v, memory_order_release);
    r += atomic_fetch_and_explicit(&big, v, memory_order_acquire);
    r += atomic_fetch_or_explicit(&big, v, memory_order_acq_rel);
    r += atomic_fetch_xor(&big, v);
    r += atomic_exchange(&big, v);
    r += __sync_fetch_and_nand((long *)&big, v);
    return r;
}

bool swap(int *expected, int wanted)
{
    return atomic_compare_exchange_strong(&counter, expected, wanted) ||
           atomic_compare_exchange_weak_explicit(&counter, expected, wanted, memory_order_acquire, memory_order_relaxed);
}

void push(void *node)
{
    void *old = atomic_load(&head);
    do
        *(void **)node = old;
    while (!atomic_compare_exchange_weak(&head, &old, node));
}

void fences(void)
{
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&counter, 3, memory_order_release);
}

unsigned poll(void)
{
    device = 1;
    while (!(device & 4))
        ;
    return device + early + (unsigned)elsewhere;
}

char touch(int i)
{
    per_thread += i;
    buffer[i & 15]++;
    return buffer[0];
}

__int128 wide_exchange(_Atomic __int128 *p) { return atomic_exchange(p, 5); }
