// Compression: LZ77 with a hash chain, Huffman codes, and run lengths, each undone and compared.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 256, LONGEST = 18, HASHES = 128 };

static size_t lz_compress(const uint8_t *in, size_t length, uint8_t *out) {
    int heads[HASHES], previous[WINDOW];
    for (int index = 0; index < HASHES; index++)
        heads[index] = -1;
    size_t written = 0, control = 0;
    int bit = 8;
    for (size_t at = 0; at < length;) {
        if (bit == 8)
            control = written, out[written++] = 0, bit = 0;
        size_t best = 0, distance = 0;
        unsigned hash = at + 2 < length ? (in[at] * 33u + in[at + 1] * 7u + in[at + 2]) % HASHES : HASHES;
        if (hash < HASHES)
            for (int candidate = heads[hash], tries = 16; candidate >= 0 && at - (size_t)candidate < WINDOW && tries--; candidate = previous[candidate % WINDOW]) {
                size_t match = 0;
                while (match < LONGEST && at + match < length && in[(size_t)candidate + match] == in[at + match])
                    match++;
                if (match > best)
                    best = match, distance = at - (size_t)candidate;
                if (previous[candidate % WINDOW] >= candidate)
                    break;
            }
        size_t step = best >= 3 ? best : 1;
        if (best >= 3) {
            out[control] |= (uint8_t)(1 << bit);
            out[written++] = (uint8_t)distance;
            out[written++] = (uint8_t)best;
        } else {
            out[written++] = in[at];
        }
        bit++;
        for (; step--; at++)
            if (at + 2 < length) {
                hash = (in[at] * 33u + in[at + 1] * 7u + in[at + 2]) % HASHES;
                previous[at % WINDOW] = heads[hash];
                heads[hash] = (int)at;
            }
    }
    return written;
}

static size_t lz_expand(const uint8_t *in, size_t length, uint8_t *out) {
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        unsigned control = in[at++];
        for (int bit = 0; bit < 8 && at < length; bit++)
            if (control >> bit & 1) {
                unsigned distance = in[at++], count = in[at++];
                for (; count--; written++)
                    out[written] = out[written - distance];
            } else {
                out[written++] = in[at++];
            }
    }
    return written;
}

struct tree { uint32_t weight; int symbol, left, right; };

static void codes(const struct tree *trees, int at, char *prefix, int depth, char (*out)[40]) {
    if (trees[at].symbol >= 0) {
        prefix[depth] = 0;
        strcpy(out[trees[at].symbol], depth ? prefix : "0");
        return;
    }
    prefix[depth] = '0';
    codes(trees, trees[at].left, prefix, depth + 1, out);
    prefix[depth] = '1';
    codes(trees, trees[at].right, prefix, depth + 1, out);
}

static size_t huffman_bits(const uint8_t *in, size_t length) {
    struct tree trees[512];
    int live[512], count = 0, made = 0;
    uint32_t weights[256] = {0};
    for (size_t at = 0; at < length; at++)
        weights[in[at]]++;
    for (int symbol = 0; symbol < 256; symbol++)
        if (weights[symbol])
            trees[made] = (struct tree){weights[symbol], symbol, -1, -1}, live[count++] = made++;
    while (count > 1) {
        int pair[2];
        for (int which = 0; which < 2; which++) {
            int lightest = 0;
            for (int index = 1; index < count; index++)
                if (trees[live[index]].weight < trees[live[lightest]].weight)
                    lightest = index;
            pair[which] = live[lightest];
            live[lightest] = live[--count];
        }
        trees[made] = (struct tree){trees[pair[0]].weight + trees[pair[1]].weight, -1, pair[0], pair[1]};
        live[count++] = made++;
    }
    static char table[256][40];
    char prefix[40];
    codes(trees, live[0], prefix, 0, table);
    size_t bits = 0;
    for (size_t at = 0; at < length; at++)
        bits += strlen(table[in[at]]);
    printf("e=%s t=%s ", table['e'], table['t']);
    return bits;
}

int main(void) {
    static uint8_t text[1500], packed[3000], back[2000];
    size_t length = 0;
    const char *words[] = {"compression ", "the ", "of ", "texts ", "repeats ", "what ", "was ", "seen ", "before, "};
    for (unsigned state = 7; length + 20 < sizeof text; state = state * 1103515245u + 12345u) {
        const char *word = words[(state >> 16) % 9];
        memcpy(text + length, word, strlen(word));
        length += strlen(word);
    }
    size_t size = lz_compress(text, length, packed), restored = lz_expand(packed, size, back);
    printf("%zu -> %zu -> %zu %d\n", length, size, restored, restored == length && !memcmp(text, back, length));
    size_t twice = lz_compress(packed, size, back);
    printf("%zu %zu bits\n", twice, huffman_bits(text, length));
    memset(text, 'z', sizeof text);
    size = lz_compress(text, sizeof text, packed);
    restored = lz_expand(packed, size, back);
    printf("%zu %d\n", size, restored == sizeof text && !memcmp(text, back, restored));
    return 0;
}
