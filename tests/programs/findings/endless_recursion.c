// Recurses without end.
static int deeper(int depth) {
    return deeper(depth + 1) + 1; //~ stack overflow
}

int main(void) {
    return deeper(0);
}
