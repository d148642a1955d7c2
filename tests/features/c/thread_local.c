// section: C
// feature: `_Atomic`, `_Thread_local`
// executed: yes
_Thread_local int t = 3;
int f(int x)
{
    t += x;
    return t == 10 ? 1 : 0;
}
