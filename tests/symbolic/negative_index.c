// A search that runs below its array when nothing is found.
// paths: 9
// findings: out-of-bounds
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char wanted;
    klee_make_symbolic(&wanted, sizeof wanted, "wanted");
    unsigned char sorted[5] = {3, 20, 20, 90, 200};
    int i = 4;
    while (sorted[i] > wanted) //~ out-of-bounds
        i--;
    return sorted[i] == wanted ? 10 + i : i;
}
