/* Integers of more than 128 bits.
 * since: 19 */
_BitInt(200) wide(_BitInt(200) a) { return (a << 77) ^ -5; }
unsigned _BitInt(256) constant = 0x123456789abcdef0123456789abcdef0123456789abcdef0fwb;
__bf16 *brain(__bf16 *p) { return p + 1; }
__bf16 one = 1.0;
