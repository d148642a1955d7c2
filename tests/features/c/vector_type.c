// section: C
// feature: vector types (`vector_size`)
// executed: yes
typedef int v4 __attribute__((vector_size(16)));
int f(int x)
{
    v4 a = {x, x + 1, x + 2, x + 3};
    v4 b = a * a;
    return b[2] == 49 ? 1 : 0;
}
