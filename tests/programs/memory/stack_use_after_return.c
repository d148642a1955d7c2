// Uses a local variable of a function that has returned.
static int *leak(void) {
    int local[4] = {1, 2, 3, 4};
    int *pointer = local;
    return pointer;
}

int main(void) {
    int *dangling = leak();
    return dangling[2]; //~ stack use after return
}
