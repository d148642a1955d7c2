// The character tables that glibc's <ctype.h> macros read, for the C locale, and the functions that hand them out.
// Each table covers -128 to 255, so that a plain (signed) char and EOF may index it too.
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

#include "../internal.h"
#include "tables.h"

// The class bits of <ctype.h>, and the combinations that occur.
enum {
    UPPER = _ISupper,
    LOWER = _ISlower,
    ALPHA = _ISalpha,
    DIGIT = _ISdigit,
    HEX = _ISxdigit,
    SPACE = _ISspace,
    VISIBLE = _ISprint | _ISgraph,
    BLANK = _ISblank,
    CONTROL = _IScntrl,
    PUNCTUATION = _ISpunct | VISIBLE,
    LETTER = ALPHA | _ISalnum | VISIBLE,
};

#define AT(c) (128 + (c))

const unsigned short __symcrete_classes[384] = {
    [AT(0)... AT(8)] = CONTROL,
    [AT('\t')] = CONTROL | SPACE | BLANK,
    [AT('\n')... AT('\r')] = CONTROL | SPACE,
    [AT(14)... AT(31)] = CONTROL,
    [AT(' ')] = SPACE | BLANK | _ISprint,
    [AT('!')... AT('/')] = PUNCTUATION,
    [AT('0')... AT('9')] = DIGIT | HEX | _ISalnum | VISIBLE,
    [AT(':')... AT('@')] = PUNCTUATION,
    [AT('A')... AT('F')] = UPPER | HEX | LETTER,
    [AT('G')... AT('Z')] = UPPER | LETTER,
    [AT('[')... AT('`')] = PUNCTUATION,
    [AT('a')... AT('f')] = LOWER | HEX | LETTER,
    [AT('g')... AT('z')] = LOWER | LETTER,
    [AT('{')... AT('~')] = PUNCTUATION,
    [AT(127)] = CONTROL,
};

#define TWO(n) (n), (n) + 1
#define EIGHT(n) TWO(n), TWO((n) + 2), TWO((n) + 4), TWO((n) + 6)
#define SIXTEEN(n) EIGHT(n), EIGHT((n) + 8)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
// 26 letters from n, then what follows them up to the next multiple of 32.
#define LETTERS(n) SIXTEEN(n), EIGHT((n) + 16), TWO((n) + 24)

// Negative characters map to their unsigned value, except EOF.
#define NEGATIVE_HALF                                                                                                  \
    SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), EIGHT(240), TWO(248), TWO(250), TWO(252), 254, -1
#define POSITIVE_HALF SIXTY_FOUR(128), SIXTY_FOUR(192)

const int32_t __symcrete_lower[384] = {
    NEGATIVE_HALF, SIXTY_FOUR(0), 64,       LETTERS('a'), TWO(91),       TWO(93), 95, 96,
    LETTERS('a'),  TWO(123),      TWO(125), 127,          POSITIVE_HALF,
};

const int32_t __symcrete_upper[384] = {
    NEGATIVE_HALF, SIXTY_FOUR(0), 64,       LETTERS('A'), TWO(91),       TWO(93), 95, 96,
    LETTERS('A'),  TWO(123),      TWO(125), 127,          POSITIVE_HALF,
};

static const unsigned short *classes = __symcrete_classes + 128;
static const int32_t *lower = __symcrete_lower + 128;
static const int32_t *upper = __symcrete_upper + 128;

const unsigned short **__ctype_b_loc(void)
{
    return &classes;
}

const int32_t **__ctype_tolower_loc(void)
{
    return &lower;
}

const int32_t **__ctype_toupper_loc(void)
{
    return &upper;
}
