// A branch on a variable that only some paths set. The run goes on, as the machine does.
// status: 0
int main(int argc, char **argv) {
    (void)argv;
    int chosen;
    if (argc > 5)
        chosen = 1;
    if (chosen) //~ uninitialised value
        return 0;
    return 0;
}
