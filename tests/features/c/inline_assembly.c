// section: C
// feature: inline assembly
// executed: no: inline assembly
int f(int x)
{
    int y;
    if (x == 4) {
        __asm__("movl %1,%0" : "=r"(y) : "r"(x));
        return y;
    }
    return 0;
}
