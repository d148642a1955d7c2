// SHA-256 over argv[1] blocks of 64 bytes, each made from the digest before it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, int by) { return value >> by | value << (32 - by); }

static void compress(uint32_t *state, const unsigned char *block) {
    uint32_t words[64], v[8];
    for (int index = 0; index < 16; index++)
        words[index] = (uint32_t)block[index * 4] << 24 | (uint32_t)block[index * 4 + 1] << 16 | (uint32_t)block[index * 4 + 2] << 8 | block[index * 4 + 3];
    for (int index = 16; index < 64; index++) {
        uint32_t small = rotate(words[index - 15], 7) ^ rotate(words[index - 15], 18) ^ words[index - 15] >> 3;
        uint32_t large = rotate(words[index - 2], 17) ^ rotate(words[index - 2], 19) ^ words[index - 2] >> 10;
        words[index] = words[index - 16] + small + words[index - 7] + large;
    }
    memcpy(v, state, sizeof v);
    for (int index = 0; index < 64; index++) {
        uint32_t large = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t first = v[7] + large + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[index] + words[index];
        uint32_t small = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t second = small + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + first;
        v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = first + second;
    }
    for (int index = 0; index < 8; index++)
        state[index] += v[index];
}

int main(int argc, char **argv) {
    long blocks = argc > 1 ? atol(argv[1]) : 0;
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[64] = "Symcrete";
    for (long index = 0; index < blocks; index++) {
        compress(state, block);
        memcpy(block + 16, state, sizeof state);
    }
    for (int index = 0; index < 8; index++)
        printf("%08x", state[index]);
    putchar('\n');
    return 0;
}
