// section: C
// feature: half floats (`__fp16`)
// executed: yes
int f(float x)
{
    __fp16 h = x;
    return h == (__fp16)1.5 ? 1 : 0;
}
