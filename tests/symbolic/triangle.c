// What kind of triangle has these sides; the parameters of a function are the inputs.
// flags: --entry classify
// domain: side* int = -2147483648 -2147483647 -1 0 1 2 3 4 5 1073741824 2147483646 2147483647
// paths: 11
// findings: none
enum kind { NONE, EQUILATERAL, ISOSCELES, SCALENE };

int classify(int first, int second, int third) {
    if (first <= 0 || second <= 0 || third <= 0)
        return NONE;
    if ((long)first + second <= third || (long)second + third <= first || (long)first + third <= second)
        return NONE;
    if (first == second && second == third)
        return EQUILATERAL;
    if (first == second || second == third || first == third)
        return ISOSCELES;
    return SCALENE;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    int sides[3];
    klee_make_symbolic(sides, sizeof sides, "sides");
    return classify(sides[0], sides[1], sides[2]);
}
#endif
