// section: C
// feature: variable-length arrays, `alloca`
// executed: yes
int f(int n)
{
    if (n < 1 || n > 5)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[n - 1];
}
