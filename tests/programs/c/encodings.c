// Base64, hexadecimal, CRC-32, Adler-32, UTF-8, run lengths: there and back.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t to_base64(const unsigned char *in, size_t length, char *out) {
    char *start = out;
    for (size_t index = 0; index < length; index += 3) {
        uint32_t group = (uint32_t)in[index] << 16 | (index + 1 < length ? in[index + 1] << 8 : 0) | (index + 2 < length ? in[index + 2] : 0);
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        *out++ = index + 1 < length ? alphabet[group >> 6 & 63] : '=';
        *out++ = index + 2 < length ? alphabet[group & 63] : '=';
    }
    *out = 0;
    return (size_t)(out - start);
}

static size_t from_base64(const char *in, unsigned char *out) {
    unsigned char *start = out;
    uint32_t group = 0;
    int bits = 0;
    for (; *in && *in != '='; in++) {
        group = group << 6 | (uint32_t)(strchr(alphabet, *in) - alphabet);
        if ((bits += 6) >= 8)
            *out++ = (unsigned char)(group >> (bits -= 8));
    }
    return (size_t)(out - start);
}

static uint32_t crc_table[256];

static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        crc_table[byte] = value;
    }
}

static uint32_t crc32(const unsigned char *data, size_t length) {
    uint32_t value = ~0u;
    while (length--)
        value = crc_table[(value ^ *data++) & 255] ^ value >> 8;
    return ~value;
}

static uint32_t adler32(const unsigned char *data, size_t length) {
    uint32_t a = 1, b = 0;
    while (length--) {
        a = (a + *data++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static int to_utf8(uint32_t point, unsigned char *out) {
    if (point < 0x80)
        return out[0] = (unsigned char)point, 1;
    if (point < 0x800)
        return out[0] = (unsigned char)(0xc0 | point >> 6), out[1] = (unsigned char)(0x80 | (point & 63)), 2;
    if (point < 0x10000)
        return out[0] = (unsigned char)(0xe0 | point >> 12), out[1] = (unsigned char)(0x80 | (point >> 6 & 63)),
               out[2] = (unsigned char)(0x80 | (point & 63)), 3;
    return out[0] = (unsigned char)(0xf0 | point >> 18), out[1] = (unsigned char)(0x80 | (point >> 12 & 63)),
           out[2] = (unsigned char)(0x80 | (point >> 6 & 63)), out[3] = (unsigned char)(0x80 | (point & 63)), 4;
}

static uint32_t from_utf8(const unsigned char *in) {
    int length = in[0] < 0x80 ? 1 : in[0] < 0xe0 ? 2 : in[0] < 0xf0 ? 3 : 4;
    uint32_t point = length == 1 ? in[0] : in[0] & (0xffu >> (length + 1));
    for (int index = 1; index < length; index++)
        point = point << 6 | (in[index] & 63);
    return point;
}

int main(void) {
    make_table();
    const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "The quick brown fox jumps over the lazy dog", "123456789"};
    for (int index = 0; index < 9; index++) {
        const unsigned char *bytes = (const unsigned char *)texts[index];
        size_t length = strlen(texts[index]);
        char encoded[80];
        unsigned char decoded[80];
        size_t size = to_base64(bytes, length, encoded), back = from_base64(encoded, decoded);
        printf("%s %zu %d %08x %08x\n", encoded, size, back == length && !memcmp(decoded, bytes, length), crc32(bytes, length), adler32(bytes, length));
    }
    unsigned char all[256];
    for (int byte = 0; byte < 256; byte++)
        all[byte] = (unsigned char)byte;
    char encoded[400];
    to_base64(all, 256, encoded);
    printf("%s %08x\n", encoded, crc32(all, 256));
    const uint32_t points[] = {0x24, 0xe9, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x1f600, 0x10ffff};
    for (int index = 0; index < 9; index++) {
        unsigned char bytes[4];
        int length = to_utf8(points[index], bytes);
        for (int byte = 0; byte < length; byte++)
            printf("%02x", bytes[byte]);
        printf(" %d ", from_utf8(bytes) == points[index]);
    }
    putchar('\n');
    return 0;
}
