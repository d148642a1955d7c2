// A loop that is left in three ways and skips some of its rounds.
// paths: 14
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char bytes[2];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    unsigned sum = 0;
    int i = 0;
    do {
        unsigned char step = bytes[i & 1];
        i++;
        if (step == 0)
            continue;
        if (step > 250)
            break;
        sum += step;
        if (sum > 300)
            return 1;
    } while (i < 5);
    return i == 5 ? 2 : 3;
}
