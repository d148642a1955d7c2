// Bits that nobody wrote stand beside some that inputs decide: in a byte of bit-fields, in the padding of a struct that is copied, in a variable that
// only one side of a branch gives a value. Nobody looks at them.
// paths: any
// findings: none
#include <string.h>
#include <symcrete.h>

struct token {
    unsigned char type;
    unsigned word : 1;
    unsigned partial : 1;
    unsigned anchor : 1;
};

struct pair { char tag; int value; };

static int weigh(struct token token) {
    return token.word ? 2 : 1;
}

int main(void) {
    unsigned char c = symcrete_uint("c");
    struct token token;
    token.type = c;
    token.word = c >= 'a' && c <= 'z';
    token.partial = 0;
    struct token copy = token;
    struct pair pairs[2], other;
    pairs[0].tag = c;
    pairs[0].value = c + 1;
    pairs[1] = pairs[0];
    memcpy(&other, &pairs[1], sizeof other);
    int late;
    if (c > 100)
        late = c;
    if (copy.word && other.value > 110 && late > 120)
        return 3;
    return weigh(copy);
}
