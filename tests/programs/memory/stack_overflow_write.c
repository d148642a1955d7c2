// Writes past a local array.
static void fill(int *numbers, int count) {
    for (int i = 0; i < count; i++)
        numbers[i] = i; //~ stack buffer overflow: write of 4 bytes
}

int main(void) {
    int numbers[8];
    fill(numbers, 9);
    return numbers[0];
}
