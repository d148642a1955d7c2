// Multiplies square matrices of doubles: argv[1] rows.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long size = argc > 1 ? atol(argv[1]) : 0;
    size_t cells = (size_t)(size * size);
    double *left = malloc(cells * sizeof *left + 1), *right = malloc(cells * sizeof *right + 1), *product = malloc(cells * sizeof *product + 1);
    for (size_t cell = 0; cell < cells; cell++) {
        left[cell] = (double)(cell % 97) * 0.5;
        right[cell] = (double)(cell % 89) - 40;
    }
    for (long row = 0; row < size; row++)
        for (long column = 0; column < size; column++) {
            double sum = 0;
            for (long inner = 0; inner < size; inner++)
                sum += left[row * size + inner] * right[inner * size + column];
            product[row * size + column] = sum;
        }
    double trace = 0;
    for (long row = 0; row < size; row++)
        trace += product[row * size + row];
    printf("%.17g\n", trace);
    free(left);
    free(right);
    free(product);
    return 0;
}
