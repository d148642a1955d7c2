// A pointer from a table of objects of different sizes; what is written through it is read by name.
// paths: at least 4
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    int first = 1, second[2] = {2, 3}, third[3] = {4, 5, 6};
    int *table[4] = {&first, &second[1], third, &first};
    unsigned char which, value;
    klee_make_symbolic(&which, sizeof which, "which");
    klee_make_symbolic(&value, sizeof value, "value");
    int *chosen = table[which & 3];
    int before = *chosen;
    *chosen = value;
    if (first == 77)
        return 1;
    if (second[1] == 200 && second[0] == 2)
        return 2;
    if (before == 4 && third[0] != value)
        return 99; // never
    return before;
}
