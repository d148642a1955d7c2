// Eight tests of two bytes that mostly exclude each other: few of 256 combinations are paths.
// paths: 44
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int answer = 0;
    if (x > y)
        answer += 1;
    if (x + y > 255)
        answer += 2;
    if ((x ^ y) == 0x0f)
        answer += 4;
    if (x * 3 == y)
        answer += 8;
    if ((x & y) == 0)
        answer += 16;
    if (x - y == 17)
        answer += 32;
    if ((signed char)x < 0 && (signed char)y >= 0)
        answer += 64;
    if (x % 16 == y / 16)
        answer += 128;
    return answer;
}
