// Reads past a global table.
static const int table[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
    (void)argv;
    int index = argc + 3;
    return table[index]; //~ the global `table`
}
