// The function `identityF` of figure 7 of the paper on mixed concrete-symbolic solving. Compiled on its own into a
// shared library it is a function without a body for the analysis of mixed_figure7.c; with -DBODY that file includes
// this one.
int identityF(int value);

int identityF(int value) {
    return value;
}
