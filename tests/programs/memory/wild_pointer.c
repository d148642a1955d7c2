// Follows a number that is no address.
int main(void) {
    int *pointer = (int *)0x123456789abcL;
    return *pointer; //~ wild pointer
}
