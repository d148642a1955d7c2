// Matrices of doubles, floats and integers: products, elimination, determinants, powers.
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 6 };
typedef double matrix[N][N];
typedef unsigned long integer_matrix[2][2];

static void fill(matrix out, int seed) {
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++)
            out[row][column] = (double)((row * 7 + column * 13 + seed * row * column) % 11) - 5 + (row == column) * 10;
}

static void multiply(const matrix left, const matrix right, matrix out) {
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            double sum = 0;
            for (int inner = 0; inner < N; inner++)
                sum += left[row][inner] * right[inner][column];
            out[row][column] = sum;
        }
}

static double determinant(const matrix in) {
    matrix work;
    memcpy(work, in, sizeof work);
    double result = 1;
    for (int pivot = 0; pivot < N; pivot++) {
        int best = pivot;
        for (int row = pivot + 1; row < N; row++)
            if (fabs(work[row][pivot]) > fabs(work[best][pivot]))
                best = row;
        if (best != pivot) {
            double kept[N];
            memcpy(kept, work[best], sizeof kept);
            memcpy(work[best], work[pivot], sizeof kept);
            memcpy(work[pivot], kept, sizeof kept);
            result = -result;
        }
        result *= work[pivot][pivot];
        for (int row = pivot + 1; row < N; row++) {
            double factor = work[row][pivot] / work[pivot][pivot];
            for (int column = pivot; column < N; column++)
                work[row][column] -= factor * work[pivot][column];
        }
    }
    return result;
}

static void invert(const matrix in, matrix out) {
    double work[N][2 * N] = {0};
    for (int row = 0; row < N; row++) {
        memcpy(work[row], in[row], sizeof in[row]);
        work[row][N + row] = 1;
    }
    for (int pivot = 0; pivot < N; pivot++) {
        double scale = work[pivot][pivot];
        for (int column = 0; column < 2 * N; column++)
            work[pivot][column] /= scale;
        for (int row = 0; row < N; row++) {
            double factor = work[row][pivot];
            for (int column = 0; row != pivot && column < 2 * N; column++)
                work[row][column] -= factor * work[pivot][column];
        }
    }
    for (int row = 0; row < N; row++)
        memcpy(out[row], work[row] + N, sizeof out[row]);
}

static unsigned long fibonacci(int n) {
    integer_matrix base = {{1, 1}, {1, 0}}, result = {{1, 0}, {0, 1}};
    for (; n; n /= 2) {
        for (int which = n % 2 ? 0 : 1; which < 2; which++) {
            integer_matrix product = {{0}};
            for (int index = 0; index < 8; index++)
                product[index / 4][index / 2 % 2] += (which ? base : result)[index / 4][index % 2] * base[index % 2][index / 2 % 2];
            memcpy(which ? base : result, product, sizeof product);
        }
    }
    return result[0][1];
}

static void smooth(float image[8][9]) {
    float out[8][9];
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 9; column++) {
            float sum = 0;
            int count = 0;
            for (int y = row ? row - 1 : 0; y <= row + 1 && y < 8; y++)
                for (int x = column ? column - 1 : 0; x <= column + 1 && x < 9; x++)
                    sum += image[y][x], count++;
            out[row][column] = sum / (float)count;
        }
    memcpy(image, out, sizeof out);
}

int main(void) {
    matrix a, b, product, inverse, identity;
    fill(a, 1);
    fill(b, 3);
    multiply(a, b, product);
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++)
            printf("%g%c", product[row][column], column == N - 1 ? '\n' : ' ');
    printf("%.15g %.15g %.15g\n", determinant(a), determinant(b), determinant(product));
    invert(a, inverse);
    multiply(a, inverse, identity);
    double error = 0;
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            printf("%a ", inverse[row][column]);
            error = fmax(error, fabs(identity[row][column] - (row == column)));
        }
    printf("\n%d %lu %lu\n", error < 1e-12, fibonacci(10), fibonacci(90));
    float image[8][9] = {[3] = {[4] = 81}, [0] = {9}};
    for (int round = 0; round < 3; round++)
        smooth(image);
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 9; column++)
            printf("%.3f%c", image[row][column], column == 8 ? '\n' : ' ');
    return 0;
}
