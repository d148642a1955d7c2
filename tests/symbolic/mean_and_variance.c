// Mean and variance of eight floats, computed in loops.
// paths: 6
// findings: none
// oracle: none
#include <symcrete.h>

int main(void) {
    float values[8];
    symcrete_make_symbolic(values, sizeof values, "values");
    float sum = 0, squares = 0;
    for (int i = 0; i < 8; i++)
        sum += values[i];
    float mean = sum / 8;
    for (int i = 0; i < 8; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    float variance = squares / 8;
    if (mean > 10 && mean < 11 && variance > 2 && variance < 2.5f && values[0] < 9)
        return 1;
    return 0;
}
