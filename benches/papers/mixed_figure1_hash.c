// The function `hash` of figure 1 of the paper on mixed concrete-symbolic solving. Compiled on its own into a shared
// library it is a function without a body for the analysis of mixed_figure1.c; with -DBODY that file includes this one.
int hash(int x);

int hash(int x) {
    return x >= 0 && x <= 10 ? 10 * x : 0;
}
