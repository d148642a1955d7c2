// section: C
// feature: 32-bit x86 (`--cflag=-m32`)
// executed: yes
// flags: --cflag=-m32
int f(long x)
{
    return sizeof(long) == 4 && x == 9 ? 1 : 0;
}
