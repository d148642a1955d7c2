// Thread-local variables and C11 atomics, as a single thread sees them.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Thread_local int counter = 40;
_Thread_local long zeroed;
static __thread struct { int values[4]; char name[8]; } local = {{1, 2, 3}, "thread"};
static _Thread_local int *own_pointer;

static int next(void) {
    static _Thread_local int calls;
    return ++calls * 10 + counter++;
}

static atomic_int shared = 5;
static atomic_uchar byte = 250;
static _Atomic uint16_t half = 65530;
static _Atomic uint64_t wide = 1ull << 40;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(int *) pointer;
static atomic_bool ready;

struct pair { int32_t a, b; };
static _Atomic struct pair pair;

static void arithmetic(void) {
    printf("%d ", atomic_fetch_add(&shared, 7));
    printf("%d ", atomic_fetch_sub(&shared, 2));
    printf("%d ", atomic_fetch_or(&shared, 0x30));
    printf("%d ", atomic_fetch_and(&shared, ~0x11));
    printf("%d ", atomic_fetch_xor(&shared, 0xff));
    printf("%d ", atomic_exchange(&shared, -9));
    printf("%d ", atomic_load(&shared));
    for (int step = 0; step < 8; step++)
        printf("%u %u %lu ", atomic_fetch_add(&byte, 3), (unsigned)atomic_fetch_add_explicit(&half, 2, memory_order_relaxed),
               (unsigned long)atomic_fetch_sub(&wide, 1000));
    shared++;
    --shared;
    shared += 3;
    shared ^= 5;
    printf("%d\n", shared);
}

static void exchanges(void) {
    int expected = 1;
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 100));
    printf("%d ", expected);
    printf("%d ", atomic_compare_exchange_strong(&shared, &expected, 100));
    printf("%d ", atomic_load_explicit(&shared, memory_order_acquire));
    int old = atomic_load(&shared), tries = 0;
    while (!atomic_compare_exchange_weak_explicit(&shared, &old, old * 2, memory_order_acq_rel, memory_order_relaxed))
        tries++;
    printf("%d %d ", tries, shared);
    printf("%d ", atomic_flag_test_and_set(&flag));
    printf("%d ", atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d ", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_store(&ready, 17);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_release);
    printf("%d %d\n", ready, atomic_is_lock_free(&shared));
}

static void structures(void) {
    struct pair value = atomic_load(&pair);
    struct pair wanted = {value.a + 3, value.b - 4};
    printf("%d ", atomic_compare_exchange_strong(&pair, &value, wanted));
    atomic_store(&pair, ((struct pair){wanted.a * 2, 9}));
    value = atomic_exchange(&pair, ((struct pair){1, 1}));
    printf("%d %d\n", value.a, value.b);
}

static void builtins(void) {
    long value = 10;
    printf("%ld ", __sync_fetch_and_add(&value, 5));
    printf("%ld ", __sync_add_and_fetch(&value, 5));
    printf("%d ", __sync_bool_compare_and_swap(&value, 20, 30));
    printf("%ld ", __sync_val_compare_and_swap(&value, 20, 40));
    printf("%ld ", __atomic_fetch_nand(&value, 6, __ATOMIC_SEQ_CST));
    printf("%ld\n", __atomic_load_n(&value, __ATOMIC_RELAXED));
    __sync_synchronize();
}

int main(void) {
    for (int step = 0; step < 4; step++)
        printf("%d ", next());
    own_pointer = &local.values[2];
    *own_pointer += 30;
    zeroed -= 5;
    printf("%d %ld %d %s\n", counter, zeroed, local.values[2], local.name);
    arithmetic();
    exchanges();
    structures();
    builtins();
    int array[4] = {1, 2, 3, 4};
    atomic_store(&pointer, array);
    atomic_fetch_add(&pointer, 2);
    printf("%d\n", *atomic_load(&pointer));
    return 0;
}
