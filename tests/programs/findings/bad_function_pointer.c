// Calls a number.
int main(void) {
    int (*function)(void) = (int (*)(void))0x1234;
    return function(); //~ bad function pointer
}
