// Bubble sort of COUNT symbolic ints. Each comparison forks where both orders are still possible.
//
// Number of paths: COUNT!. The outcomes of the comparisons determine the permutation that sorts the numbers stably, since equal
// neighbours are not exchanged, and each of the COUNT! permutations is that of some distinct numbers. So ties add no path.
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    int numbers[COUNT];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    for (int end = COUNT - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (numbers[i] > numbers[i + 1]) {
                int larger = numbers[i];
                numbers[i] = numbers[i + 1];
                numbers[i + 1] = larger;
            }
    return 0;
}
