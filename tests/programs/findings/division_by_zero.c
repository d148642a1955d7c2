// Divides by the number of arguments less one.
int main(int argc, char **argv) {
    (void)argv;
    return 10 / (argc - 1); //~ division by zero
}
