// section: C
// feature: `volatile`
// executed: yes
volatile int state;
int f(int x)
{
    state = x;
    return state == 4 ? 1 : 0;
}
