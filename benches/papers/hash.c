// hash: the usual recipe for the hash of a record: 31 * hash + field for each field, where a wide field is first folded
// to 32 bits by a shift and an exclusive or, and a floating-point field is taken by its bits. Five ways to collide;
// section 5 of the Concolic Walk paper. Records that differ must have the same hash.
// Measure: targets, 5 of them. All can be reached.
#include "target.h"
#include <string.h>

static unsigned fold_int(unsigned hash, int field) { return 31 * hash + (unsigned)field; }

static unsigned fold_long(unsigned hash, long field) {
    unsigned long bits = (unsigned long)field;
    return fold_int(hash, (int)(bits ^ bits >> 32));
}

static unsigned fold_double(unsigned hash, double field) {
    long bits;
    memcpy(&bits, &field, sizeof bits);
    return fold_long(hash, bits);
}

static unsigned record(short kind, int count, long serial, double weight) {
    return fold_double(fold_long(fold_int(fold_int(17, kind), count), serial), weight);
}

static void pairs(int a, int b, int c, int d) {
    if (a != c && b != d && fold_int(fold_int(17, a), b) == fold_int(fold_int(17, c), d))
        TARGET(1);
}

static void wide_fields(long a, long b) {
    if (a > 0 && b > 0 && a != b && fold_long(17, a) == fold_long(17, b))
        TARGET(2);
}

static void weights(double a, double b) {
    if (a >= 1 && b > a && b < 2 && fold_double(17, a) == fold_double(17, b))
        TARGET(3);
}

static void shapes(int count, long serial, double weight) {
    if (serial > 1000 && weight > 0.5 && fold_long(fold_int(17, count), serial) == fold_double(17, weight))
        TARGET(4);
}

static void records(short kind, int count, long serial, double weight, double other) {
    if (weight > 0 && other > 2 * weight && other < 1000 && count > 0 &&
        record(kind, count, serial, weight) == record((short)(kind + 1), count, -serial, other))
        TARGET(5);
}

int main(void) {
    int a = symcrete_int("a"), b = symcrete_int("b"), c = symcrete_int("c"), d = symcrete_int("d");
    long e = symcrete_long("e"), f = symcrete_long("f");
    double g = symcrete_double("g"), h = symcrete_double("h");
    switch (symcrete_choice(5, "collision")) {
    case 0: pairs(a, b, c, d); break;
    case 1: wide_fields(e, f); break;
    case 2: weights(g, h); break;
    case 3: shapes(a, e, g); break;
    case 4: records((short)a, b, e, g, h); break;
    }
}
