// Hashes of eight bytes against fixed values, of the kinds that programs have: exclusive or and multiply, shifts and sums, rounds of mixing with
// another one at the end, and a product with a large constant.
// paths: 10
// findings: none
// oracle: none
#include <symcrete.h>

static unsigned xor_and_multiply(const unsigned char *text) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < 8; i++)
        hash = (hash ^ text[i]) * 16777619u;
    return hash;
}

static unsigned shifts_and_sums(const unsigned char *text) {
    unsigned hash = 0;
    for (int i = 0; i < 8; i++)
        hash = text[i] + (hash << 6) + (hash << 16) - hash;
    return hash;
}

static unsigned rounds(const unsigned char *text) {
    unsigned hash = 0;
    for (int i = 0; i < 8; i++) {
        hash += text[i];
        hash += hash << 10;
        hash ^= hash >> 6;
    }
    hash += hash << 3;
    hash ^= hash >> 11;
    return hash + (hash << 15);
}

static unsigned large_factor(const unsigned char *text) {
    unsigned hash = 7;
    for (int i = 0; i < 8; i++)
        hash = hash * 2654435761u + text[i];
    return hash;
}

static unsigned rotations(const unsigned char *text) {
    unsigned hash = 42;
    for (int i = 0; i < 8; i++) {
        unsigned part = text[i] * 0xcc9e2d51u;
        hash ^= (part << 15 | part >> 17) * 0x1b873593u;
        hash = (hash << 13 | hash >> 19) * 5 + 0xe6546b64u;
    }
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    return hash ^ hash >> 13;
}

int main(void) {
    unsigned (*const kinds[])(const unsigned char *) = {xor_and_multiply, shifts_and_sums, rounds, large_factor, rotations};
    unsigned char text[8], kind;
    symcrete_make_symbolic(&kind, sizeof kind, "kind");
    symcrete_make_symbolic(text, sizeof text, "text");
    symcrete_assume(kind < 5);
    unsigned hash = kinds[kind](text);
    if (hash == 0x12345678)
        return 1;
    return 0;
}
