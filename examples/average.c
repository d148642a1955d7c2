// Prints the average and the largest of its arguments; the largest starts from a value that nobody set.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double sum = 0;
    int largest;
    for (int index = 1; index < argc; index++) {
        int value = atoi(argv[index]);
        sum += value;
        if (value > largest)
            largest = value;
    }
    printf("average %.2f, largest %d\n", sum / (argc - 1), largest);
    return 0;
}
