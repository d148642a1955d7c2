// Cases of 64 bits and of negative numbers, on values computed from two bytes.
// paths: 12
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x;
    unsigned char y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    long long product = (long long)x * 0x100000001LL;
    int answer = 0;
    switch (product) {
    case -0x300000003LL:
        answer = 1;
        break;
    case 0x7f0000007fLL:
        answer = 2;
        break;
    case 0x100000000LL: // no multiple
        answer = 3;
        break;
    case 0:
        answer = 4;
    }
    switch ((signed char)(x + y)) {
    case -128:
        return answer + 10;
    case -1:
        return answer + 20;
    default:
        return answer;
    }
}
