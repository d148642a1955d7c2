// Sorts four numbers: each order of distinct numbers has a path, and ties take one of those. 4! = 24.
// domain: numbers int = 0..3
// paths: 24
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    int numbers[4];
    klee_make_symbolic(numbers, sizeof numbers, "numbers");
    for (int end = 3; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (numbers[i] > numbers[i + 1]) {
                int larger = numbers[i];
                numbers[i] = numbers[i + 1];
                numbers[i + 1] = larger;
            }
    return 0;
}
