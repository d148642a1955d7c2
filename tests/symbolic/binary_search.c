// A binary search in a fixed table, one path for each place where it can end.
// paths: 20
// findings: none
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static const unsigned short table[] = {2, 3, 5, 8, 13, 21, 34, 55, 89, 144};

int main(void) {
    unsigned short wanted;
    klee_make_symbolic(&wanted, sizeof wanted, "wanted");
    int low = 0, high = 9;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (table[middle] == wanted)
            return 100 + middle;
        if (table[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    assert(low == 10 || table[low] > wanted);
    return low;
}
