// coral: the 65 formulas of the benchmark of the CORAL constraint solver, one function each; section 5 of the Concolic
// Walk paper. Made by generate_coral.py; the numbers are CORAL's own, hence the gaps.
// Measure: targets, 65 of them. Target 46 cannot be reached: it asks for y > 1 and y < 1. Target 15 has a constant
// condition, which is true. Whether every other formula has a solution in doubles, where `==` knows no tolerance, is
// not known.
#include "target.h"
#include <math.h>

static double V[24];
static int N[3];

static void doubles(const char *names) {
    for (int i = 0; names[i] != 0; i++)
        V[i] = symcrete_double((char[]){names[i], 0});
}

static void integers(const char *names) {
    for (int i = 0; names[i] != 0; i++)
        N[i] = symcrete_int((char[]){names[i], 0});
}

static void coral_01(double x, double y) {
    if (sin(x) + cos(y) > 1.0)
        TARGET(1);
}

static void coral_02(double x, double y) {
    if (sin(x) - cos(y) < 1e-10)
        TARGET(2);
}

static void coral_03(double x, double y) {
    if (sin(x) - cos(y) == 0.0)
        TARGET(3);
}

static void coral_04(double x) {
    if (exp(x) > 0.0)
        TARGET(4);
}

static void coral_05(double x, double y, double z) {
    if (sin(x) + sin(y) + sin(z) == 4.0 * cos(x) * cos(y) * cos(z))
        TARGET(5);
}

static void coral_06(double x, double y, double z) {
    if (cos(x) + cos(y) + cos(z) > 4.0 * sin(x / 2.0) * sin(y / 2.0) * sin(z / 2.0))
        TARGET(6);
}

static void coral_07(double x, double y, double z, double w) {
    if (sin(2.0 * x - y) / (cos(2.0 * y + y) + 1.0) == cos(2.0 * z + x) / (sin(2.0 * w + y) - 1.0))
        TARGET(7);
}

static void coral_08(double x, double y, double z) {
    if (cos(3.0 * x + 2.0 * y - z) * sin(z + x + y) == cos(z * x * y))
        TARGET(8);
}

static void coral_09(double x, double y) {
    if (sin(cos(x * y)) < cos(sin(x * y)))
        TARGET(9);
}

static void coral_10(double x, double y, double z) {
    if (sin(x * cos(y * sin(z))) > cos(x * sin(y * cos(z))))
        TARGET(10);
}

static void coral_11(double x, double y, double z, double w) {
    if (asin(x) < cos(y) * cos(z) - atan(w))
        TARGET(11);
}

static void coral_12(double x, double y, double z, double w) {
    if (asin(x) * asin(y) - 1.0 < atan(z) * atan(w))
        TARGET(12);
}

static void coral_13(double x, double y, double z, double w) {
    if (sin(y) * asin(x) < cos(y) * cos(z) - atan(w))
        TARGET(13);
}

static void coral_14(double x, double y, double z, double w) {
    if (sin(y) * asin(x) - 300.0 < cos(y) * cos(z) - atan(w))
        TARGET(14);
}

static void coral_15(void) {
    if (asin(1.0) * asin(cos(9.0 * 57.0)) - 1.0 < atan(0.0) * atan(0.0))
        TARGET(15);
}

static void coral_16(double x, double y, double z, double w, double v) {
    if (tan(w - x) * cos(sin(w / v)) - atan(y + 20.0 + z) + asin(y - 15.0) < sin(w * w) * cos(x * w * v) - tan(cos(x * w
        * x)) + sin(w))
        TARGET(16);
}

static void coral_17(double x) {
    if (asin(x) * acos(x) < atan(x))
        TARGET(17);
}

static void coral_18(double x) {
    if (1.0 + acos(x) < asin(x))
        TARGET(18);
}

static void coral_19(double x, double y, double z) {
    if (3.0 * acos(x) < atan(y) + asin(z))
        TARGET(19);
}

static void coral_20(double x, double y) {
    if (sin(sin(x * y)) < 0.0 && cos(2.0 * x) > 0.25)
        TARGET(20);
}

static void coral_21(double x, double y) {
    if (cos(x * y) < 0.0 && sin(2.0 * x) > 0.25)
        TARGET(21);
}

static void coral_22(double x, double y, double z, double w, double v, double t, double q) {
    if (sin(cos(x * y)) < cos(sin(y * z)) && sin(w * 2.0 - y) / (cos(t * 2.0 + q) + 1.0) == cos(z * 2.0 + x) / (sin(w *
        2.0 + v) + 1.0))
        TARGET(22);
}

static void coral_23(double x, double y, double z, double w) {
    if (sin(2.0 * x - y) / (cos(2.0 * y + x) + 1.0) == cos(2.0 * z + x) / (sin(2.0 * w + y) - 1.0) && sin(x * y * z * w)
        > 0.0 && cos(x * y * z * w) < 0.0)
        TARGET(23);
}

static void coral_25(double x, double y, double z, double w, double v) {
    if (sin(cos(x * y)) < cos(sin(x * z)) && sin(2.0 * w - y) / (cos(2.0 * y + v) + 1.0) == cos(2.0 * z + x) / (sin(2.0
        * w + v) - 1.0))
        TARGET(25);
}

static void coral_26(double x, double y, double z, double w, double v) {
    if (sin(cos(x * y)) < cos(sin(x * z)) && sin(2.0 * w - y) / (cos(2.0 * y + v) + 1.0) == cos(2.0 * z + x) / (sin(2.0
        * w + v) - 1.0) && sin(x * y * z * w) > 0.0 && cos(x * y * z * w) < 0.0)
        TARGET(26);
}

static void coral_27(double x, double y, double z) {
    if (sin(x * cos(y * sin(z))) > cos(x * sin(y * cos(z))) && sin(cos(x * y)) < cos(sin(x * y)))
        TARGET(27);
}

static void coral_29(double x) {
    if (exp(x) > 5.0)
        TARGET(29);
}

static void coral_32(double x) {
    if (sqrt(x) > 5.0)
        TARGET(32);
}

static void coral_33(double x) {
    if (sqrt(sin(x)) > sqrt(cos(x)))
        TARGET(33);
}

static void coral_34(double x) {
    if (sqrt(sin(x)) < sqrt(cos(x)))
        TARGET(34);
}

static void coral_35(double x, double y) {
    if (1.0 / sqrt(sin(x)) > sqrt(cos(exp(y))))
        TARGET(35);
}

static void coral_38(double x, double y) {
    if (atan2(x, y) == 1.0)
        TARGET(38);
}

static void coral_39(double x, double y) {
    if (pow(x, y) == 1.0)
        TARGET(39);
}

static void coral_40(double x, double y) {
    if (pow(x, 2.0) == x + y)
        TARGET(40);
}

static void coral_41(double x, double y) {
    if (pow(x, 2.0) == x + y && x >= -1.0 && y <= 2.0)
        TARGET(41);
}

static void coral_42(double x, double y) {
    if (pow(x, y) > pow(y, x) && x > 1.0 && y <= 10.0)
        TARGET(42);
}

static void coral_43(double x, double y) {
    if (pow(x, y) > pow(y, x) && exp(y) > exp(x) && y < pow(x, 2.0))
        TARGET(43);
}

static void coral_44(double x, double y) {
    if (pow(x, y) > pow(y, x) && exp(y) < exp(x))
        TARGET(44);
}

static void coral_45(double x, double y, double z) {
    if (sqrt(exp(x + y)) < pow(z, x) && x > 0.0 && y > 1.0 && z > 1.0 && y <= x + 2.0)
        TARGET(45);
}

static void coral_46(double x, double y, double z, double w) {
    if (sqrt(pow(M_E, x + z)) < pow(z, x) && x > 0.0 && y > 1.0 && z > 1.0 && y < 1.0 && y < x + 2.0 && w == x + 2.0)
        TARGET(46);
}

static void coral_47(double x, double y, double z) {
    if (exp(x + y) == exp(z))
        TARGET(47);
}

static void coral_48(double x, double y, double z) {
    if (x + y != z)
        TARGET(48);
}

static void coral_49(double x, double y) {
    if (pow(x, 2.0) + 3.0 * sqrt(y) < x * y && x < pow(y, 2.0) && x + y < 50.0)
        TARGET(49);
}

static void coral_50(double x, double y) {
    if (pow(x, 2.0) + 3.0 * sqrt(y) < x * y && x < pow(y, 2.0) && x + y < 50.0 && x == -13.0 + y)
        TARGET(50);
}

static void coral_52(double x, double y, double z) {
    if (pow(x, tan(y)) + z < x * atan(z) && sin(y) + cos(y) + tan(y) >= x - z)
        TARGET(52);
}

static void coral_53(double x, double y, double z) {
    if (pow(x, tan(y)) + z < x * atan(z) && sin(y) + cos(y) + tan(y) >= x - z && atan(x) + atan(y) > y)
        TARGET(53);
}

static void coral_56(double x, double y, double z, double w, double t) {
    if (x * y + atan(z) * sin(w * t) > x / y + z + tan(w + t))
        TARGET(56);
}

static void coral_61(double x, double y, double z, double w) {
    if (x + y > z / w && sqrt(x) > z / y && z * 2.0 + w * 3.0 + x * 7.0 < pow(y, 6.0) && z + w > x + y && w < x / y)
        TARGET(61);
}

static void coral_62(double x, double y, double z, double w) {
    if (x + y > z / w && sqrt(x) > z / y && z * 2.0 + w * 3.0 + x * 7.0 < pow(y, 6.0) && z + w > x + y && w < x / y && x
        > w + y - z)
        TARGET(62);
}

static void coral_70(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j,
    double k, double l, double m, double n, double o, double p, double q, double r, double s, double t, double u, double
    v, double x, double z) {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g)
        && sin(g) > sin(h) && sin(h) > sin(i) && sin(i) > sin(j) && sin(j) > sin(k) && sin(k) > sin(l) && sin(l) >
        sin(m) && sin(m) > sin(n) && sin(n) > sin(o) && sin(o) > sin(p) && sin(p) > sin(q) && sin(q) > sin(r) && sin(r)
        > sin(s) && sin(s) > sin(t) && sin(t) > sin(u) && sin(u) > sin(v) && sin(v) > sin(x) && sin(x) > sin(z))
        TARGET(70);
}

static void coral_71(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j,
    double k, double l) {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g)
        && sin(g) > sin(h) && sin(h) > sin(i) && sin(i) > sin(j) && sin(j) > sin(k) && sin(k) > sin(l))
        TARGET(71);
}

static void coral_72(double a, double b, double c, double d, double e, double f, double g) {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g))
        TARGET(72);
}

static void coral_73(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j)
    {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g)
        && sin(g) > sin(h) && sin(h) > sin(i) && sin(i) > sin(j))
        TARGET(73);
}

static void coral_74(double a, double b, double c, double d, double e, double f, double g, double h) {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g)
        && sin(g) > sin(h))
        TARGET(74);
}

static void coral_75(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
    if (sin(a) > sin(b) && sin(b) > sin(c) && sin(c) > sin(d) && sin(d) > sin(e) && sin(e) > sin(f) && sin(f) > sin(g)
        && sin(g) > sin(h) && sin(h) > sin(i))
        TARGET(75);
}

static void coral_76(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
    if (a > b && b > c && c > d && d > e && e > f && f > g && g > h && h > i)
        TARGET(76);
}

static void coral_77(double a, double b, double c, double d, double e, double f, double g, double h, double i, double j)
    {
    if (a > b && b > c && c > d && d > e && e > f && f > g && g > h && h > i && i > j)
        TARGET(77);
}

static void coral_78(double a, double b, double c, double d, double e, int f, int h) {
    if (0.0 == pow(a * sin(b * 0.017453292519943295 - c * 0.017453292519943295 + pow(d, 2.0) / (sin(e *
        0.017453292519943295) / cos(e * 0.017453292519943295)) / 68443.0 * 0.0 / d * -1.0 * a / (pow(a, 2.0) / (sin(e *
        0.017453292519943295) / cos(e * 0.017453292519943295)) / 68443.0)) - d * 0.0, 2.0) + pow(a * cos(b *
        0.017453292519943295 - c * 0.017453292519943295 + pow(d, 2.0) / (sin(e * 0.017453292519943295) / cos(e *
        0.017453292519943295)) / 68443.0 * 0.0 / d * -1.0 * a / (pow(a, 2.0) / (sin(e * 0.017453292519943295) / cos(e *
        0.017453292519943295)) / 68443.0)) - d * 1.0, 2.0) && f != 0 && h != 0)
        TARGET(78);
}

static void coral_79(double a, double b, double c, double d, int e) {
    if (0.0 == pow(a * sin(0.017453292519943295 * b - 0.017453292519943295 * c) - 0.0 * d, 2.0) + pow(a *
        cos(0.017453292519943295 * b - 0.017453292519943295 * c + 0.0), 2.0) && e != 0)
        TARGET(79);
}

static void coral_80(double a, double b) {
    if (1.5 - a * (1.0 - b) == 0.0)
        TARGET(80);
}

static void coral_81(double a, double b) {
    if (-13.0 + a + ((5.0 - b) * b - 2.0) * b + (-29.0 + a + ((b + 1.0) * b - 14.0) * b) == 0.0)
        TARGET(81);
}

static void coral_82(double a, double b) {
    if (pow(10.0, 4.0) * a * b - 1.0 == 0.0 && pow(M_E, -a) + pow(M_E, -b) - 1.0001 == 0.0)
        TARGET(82);
}

static void coral_83(double a, double b) {
    if (pow(1.0 - a, 2.0) + 100.0 * pow(b - a * a, 2.0) == 0.0)
        TARGET(83);
}

static void coral_84(double a, double b, double c, double d) {
    if (10.0 * (b - a * a) == 0.0 && 1.0 - a == 0.0 && sqrt(90.0) * (d - c * c) == 0.0 && 1.0 - c == 0.0 && sqrt(10.0) *
        (b + d - 2.0) == 0.0 && pow(10.0, -0.5) * (b - d) == 0.0)
        TARGET(84);
}

static void coral_91(double x, double y) {
    if (sin(x) == -sin(y) && sin(x) > 0.0)
        TARGET(91);
}

int main(void) {
    switch (symcrete_int("formula")) {
    case 1: doubles("xy"); coral_01(V[0], V[1]); break;
    case 2: doubles("xy"); coral_02(V[0], V[1]); break;
    case 3: doubles("xy"); coral_03(V[0], V[1]); break;
    case 4: doubles("x"); coral_04(V[0]); break;
    case 5: doubles("xyz"); coral_05(V[0], V[1], V[2]); break;
    case 6: doubles("xyz"); coral_06(V[0], V[1], V[2]); break;
    case 7: doubles("xyzw"); coral_07(V[0], V[1], V[2], V[3]); break;
    case 8: doubles("xyz"); coral_08(V[0], V[1], V[2]); break;
    case 9: doubles("xy"); coral_09(V[0], V[1]); break;
    case 10: doubles("xyz"); coral_10(V[0], V[1], V[2]); break;
    case 11: doubles("xyzw"); coral_11(V[0], V[1], V[2], V[3]); break;
    case 12: doubles("xyzw"); coral_12(V[0], V[1], V[2], V[3]); break;
    case 13: doubles("xyzw"); coral_13(V[0], V[1], V[2], V[3]); break;
    case 14: doubles("xyzw"); coral_14(V[0], V[1], V[2], V[3]); break;
    case 15: doubles("xyzw"); coral_15(); break;
    case 16: doubles("xyzwv"); coral_16(V[0], V[1], V[2], V[3], V[4]); break;
    case 17: doubles("x"); coral_17(V[0]); break;
    case 18: doubles("x"); coral_18(V[0]); break;
    case 19: doubles("xyz"); coral_19(V[0], V[1], V[2]); break;
    case 20: doubles("xy"); coral_20(V[0], V[1]); break;
    case 21: doubles("xy"); coral_21(V[0], V[1]); break;
    case 22: doubles("xyzwvtq"); coral_22(V[0], V[1], V[2], V[3], V[4], V[5], V[6]); break;
    case 23: doubles("xyzw"); coral_23(V[0], V[1], V[2], V[3]); break;
    case 25: doubles("xyzwv"); coral_25(V[0], V[1], V[2], V[3], V[4]); break;
    case 26: doubles("xyzwv"); coral_26(V[0], V[1], V[2], V[3], V[4]); break;
    case 27: doubles("xyz"); coral_27(V[0], V[1], V[2]); break;
    case 29: doubles("x"); coral_29(V[0]); break;
    case 32: doubles("x"); coral_32(V[0]); break;
    case 33: doubles("x"); coral_33(V[0]); break;
    case 34: doubles("x"); coral_34(V[0]); break;
    case 35: doubles("xy"); coral_35(V[0], V[1]); break;
    case 38: doubles("xy"); coral_38(V[0], V[1]); break;
    case 39: doubles("xy"); coral_39(V[0], V[1]); break;
    case 40: doubles("xy"); coral_40(V[0], V[1]); break;
    case 41: doubles("xy"); coral_41(V[0], V[1]); break;
    case 42: doubles("xy"); coral_42(V[0], V[1]); break;
    case 43: doubles("xy"); coral_43(V[0], V[1]); break;
    case 44: doubles("xy"); coral_44(V[0], V[1]); break;
    case 45: doubles("xyz"); coral_45(V[0], V[1], V[2]); break;
    case 46: doubles("xyzw"); coral_46(V[0], V[1], V[2], V[3]); break;
    case 47: doubles("xyz"); coral_47(V[0], V[1], V[2]); break;
    case 48: doubles("xyz"); coral_48(V[0], V[1], V[2]); break;
    case 49: doubles("xy"); coral_49(V[0], V[1]); break;
    case 50: doubles("xy"); coral_50(V[0], V[1]); break;
    case 52: doubles("xyz"); coral_52(V[0], V[1], V[2]); break;
    case 53: doubles("xyz"); coral_53(V[0], V[1], V[2]); break;
    case 56: doubles("xyzwt"); coral_56(V[0], V[1], V[2], V[3], V[4]); break;
    case 61: doubles("xyzw"); coral_61(V[0], V[1], V[2], V[3]); break;
    case 62: doubles("xyzw"); coral_62(V[0], V[1], V[2], V[3]); break;
    case 70: doubles("abcdefghijklmnopqrstuvxz"); coral_70(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8], V[9],
        V[10], V[11], V[12], V[13], V[14], V[15], V[16], V[17], V[18], V[19], V[20], V[21], V[22], V[23]); break;
    case 71: doubles("abcdefghijkl"); coral_71(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8], V[9], V[10],
        V[11]); break;
    case 72: doubles("abcdefg"); coral_72(V[0], V[1], V[2], V[3], V[4], V[5], V[6]); break;
    case 73: doubles("abcdefghij"); coral_73(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8], V[9]); break;
    case 74: doubles("abcdefgh"); coral_74(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7]); break;
    case 75: doubles("abcdefghi"); coral_75(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8]); break;
    case 76: doubles("abcdefghi"); coral_76(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8]); break;
    case 77: doubles("abcdefghij"); coral_77(V[0], V[1], V[2], V[3], V[4], V[5], V[6], V[7], V[8], V[9]); break;
    case 78: doubles("abcde"); integers("fgh"); coral_78(V[0], V[1], V[2], V[3], V[4], N[0], N[2]); break;
    case 79: doubles("abcd"); integers("e"); coral_79(V[0], V[1], V[2], V[3], N[0]); break;
    case 80: doubles("ab"); coral_80(V[0], V[1]); break;
    case 81: doubles("ab"); coral_81(V[0], V[1]); break;
    case 82: doubles("ab"); coral_82(V[0], V[1]); break;
    case 83: doubles("ab"); coral_83(V[0], V[1]); break;
    case 84: doubles("abcd"); coral_84(V[0], V[1], V[2], V[3]); break;
    case 91: doubles("xy"); coral_91(V[0], V[1]); break;
    }
}
