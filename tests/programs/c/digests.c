// MD5, SHA-1 and SHA-256 of known texts.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t left(uint32_t value, int by) { return value << by | value >> (32 - by); }
static uint32_t right(uint32_t value, int by) { return value >> by | value << (32 - by); }

/* The padded message: a one bit, zeros, and the length in bits, in the byte order asked for. */
static size_t pad(const char *text, unsigned char *out, int big_endian) {
    size_t length = strlen(text), total = (length + 8) / 64 * 64 + 64;
    memset(out, 0, total);
    memcpy(out, text, length);
    out[length] = 0x80;
    uint64_t bits = (uint64_t)length * 8;
    for (int byte = 0; byte < 8; byte++)
        out[total - 8 + (size_t)byte] = (unsigned char)(bits >> (big_endian ? 56 - byte * 8 : byte * 8));
    return total;
}

static uint32_t word(const unsigned char *at, int big_endian) {
    return big_endian ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
                      : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static void md5(const char *text) {
    static const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    unsigned char message[256];
    size_t total = pad(text, message, 0);
    for (const unsigned char *block = message; block < message + total; block += 64) {
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        for (int step = 0; step < 64; step++) {
            uint32_t mixed;
            int index;
            switch (step / 16) {
            case 0: mixed = (b & c) | (~b & d), index = step; break;
            case 1: mixed = (d & b) | (~d & c), index = (5 * step + 1) % 16; break;
            case 2: mixed = b ^ c ^ d, index = (3 * step + 5) % 16; break;
            default: mixed = c ^ (b | ~d), index = 7 * step % 16;
            }
            mixed += a + (uint32_t)(fabs(sin(step + 1)) * 4294967296.0) + word(block + index * 4, 0);
            a = d, d = c, c = b;
            b += left(mixed, shifts[step / 16][step % 4]);
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    }
    for (int byte = 0; byte < 16; byte++)
        printf("%02x", state[byte / 4] >> byte % 4 * 8 & 255);
    putchar(' ');
}

static void sha1(const char *text) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, w[80];
    unsigned char message[256];
    size_t total = pad(text, message, 1);
    for (const unsigned char *block = message; block < message + total; block += 64) {
        for (int step = 0; step < 80; step++)
            w[step] = step < 16 ? word(block + step * 4, 1) : left(w[step - 3] ^ w[step - 8] ^ w[step - 14] ^ w[step - 16], 1);
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int step = 0; step < 80; step++) {
            uint32_t mixed = step < 20 ? ((b & c) | (~b & d)) + 0x5a827999 : step < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                           : step < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
            mixed += left(a, 5) + e + w[step];
            e = d, d = c, c = left(b, 30), b = a, a = mixed;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
    }
    for (int index = 0; index < 5; index++)
        printf("%08x", state[index]);
    putchar(' ');
}

/* The constants are the fractions of roots of primes: computed, not typed. */
static uint32_t fraction(double value) { return (uint32_t)((value - floor(value)) * 4294967296.0); }

static void sha256(const char *text) {
    uint32_t state[8], constants[64], w[64];
    for (int prime = 2, found = 0; found < 64; prime++) {
        int divisor = 2;
        while (prime % divisor)
            divisor++;
        if (divisor != prime)
            continue;
        if (found < 8)
            state[found] = fraction(sqrt(prime));
        constants[found++] = fraction(cbrt(prime));
    }
    unsigned char message[256];
    size_t total = pad(text, message, 1);
    for (const unsigned char *block = message; block < message + total; block += 64) {
        uint32_t v[8];
        memcpy(v, state, sizeof v);
        for (int step = 0; step < 64; step++) {
            w[step] = step < 16 ? word(block + step * 4, 1)
                                : w[step - 16] + w[step - 7] + (right(w[step - 15], 7) ^ right(w[step - 15], 18) ^ w[step - 15] >> 3) +
                                      (right(w[step - 2], 17) ^ right(w[step - 2], 19) ^ w[step - 2] >> 10);
            uint32_t first = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[step] + w[step];
            uint32_t second = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof v[0]);
            v[4] += first;
            v[0] = first + second;
        }
        for (int index = 0; index < 8; index++)
            state[index] += v[index];
    }
    for (int index = 0; index < 8; index++)
        printf("%08x", state[index]);
    putchar('\n');
}

int main(void) {
    const char *texts[] = {"", "abc", "message digest", "The quick brown fox jumps over the lazy dog",
                           "12345678901234567890123456789012345678901234567890123456789012345678901234567890"};
    for (int index = 0; index < 5; index++)
        md5(texts[index]), sha1(texts[index]), sha256(texts[index]);
    return 0;
}
