/* Integers of unusual widths (_BitInt), half-precision and quadruple floats.
 * since: 15 */
_BitInt(37) odd(_BitInt(37) a, unsigned _BitInt(5) b) { return a * b - 1; }
unsigned _BitInt(100) hundred = (((unsigned _BitInt(100))0x123456789abcdef0u << 32) + 77) * 3;
_BitInt(128) wider(_BitInt(128) a) { return (a << 77) ^ -5; }
int narrow(_BitInt(7) v) { return v > 3; }

_Float16 half = 1.5f16;
float widen(_Float16 h) { return h * half; }
_Float16 shorten(double d) { return (_Float16)d; }
__float128 quad = 0.1Q;
int quad_less(__float128 a) { return a < quad; }
