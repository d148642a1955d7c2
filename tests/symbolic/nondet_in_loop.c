// A walk by inputs that are drawn one after another, until it leaves the plank.
// paths: 22
// findings: none
// exhaustive: yes
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int position = 2, steps = 0;
    while (position > 0 && position < 4 && steps < 6) {
        if (__VERIFIER_nondet_bool())
            position++;
        else
            position--;
        steps++;
    }
    if (position == 4 && steps == 6)
        return __VERIFIER_nondet_uchar() == 111 ? 1 : 2;
    return position == 0 ? 3 : 4;
}
