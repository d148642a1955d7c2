// Halves even numbers and triples odd ones until 1, at most eight times.
// paths: 70
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char start;
    klee_make_symbolic(&start, sizeof start, "start");
    unsigned number = start;
    int rounds = 0;
    while (number > 1 && rounds < 8) {
        if (number % 2 == 0)
            number /= 2;
        else
            number = 3 * number + 1;
        rounds++;
    }
    return number == 1 ? rounds : 50;
}
