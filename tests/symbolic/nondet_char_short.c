// Inputs of one and two bytes, signed.
// domain: nondet_short short = -32768 -129 -128 -1 0 1 126 127 128 129 32767
// paths: 4
// findings: none
char __VERIFIER_nondet_char(void);
short __VERIFIER_nondet_short(void);

int main(void) {
    char letter = __VERIFIER_nondet_char();
    short number = __VERIFIER_nondet_short();
    if (letter == number)
        return 1;
    if (letter < 0)
        return number > 127 ? 2 : 3;
    if ((char)number == letter)
        return 4;
    return number < -128 ? 5 : 6;
}
