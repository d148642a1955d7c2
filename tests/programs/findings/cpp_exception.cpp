// C++ exceptions are not supported yet: the run ends there, with the line.
// status: 2
static int checked(int value) {
    if (value > 2)
        throw value; //~ the C++ library
    return value;
}

int main(int argc, char **) {
    try {
        return checked(argc + 5);
    } catch (int) {
        return 1;
    }
}
