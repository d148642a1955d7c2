// A binary search in a sorted array whose contents are inputs.
#include <symcrete.h>

#define N 7

static int find(const int *values, int wanted, int *probes) {
    int low = 0, high = N;
    *probes = 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        ++*probes;
        if (values[middle] == wanted)
            return middle;
        if (values[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(void) {
    int values[N], probes;
    symcrete_make_symbolic(values, sizeof values, "values");
    for (int i = 1; i < N; i++)
        symcrete_assume(values[i - 1] < values[i]);
    int wanted = symcrete_int("wanted");
    int place = find(values, wanted, &probes);
    if (place == 4 && values[3] + 1000000 == wanted && values[0] == wanted / 2)
        return 1; //~ reached
    if (probes > 3)
        return 2; //~ unreachable
    return 0;
}
