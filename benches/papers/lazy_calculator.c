// lazy_calculator: the simple calculator of section 5.2 of the paper on lazy expansion, which does not give the source. It works
// out numbers with + - * and /, the last two first, in one function that asks a lexer of its own for one token after the other.
// OPERATIONS is the most operations in an expression, 1 unless -D OPERATIONS=... tells otherwise, up to 4.
//
// Each token has an input of its own, a word with a zero at its end. A blank may stand before a token, a number has up to four
// digits, and an operator is known by its character; what follows four digits or an operator is not looked at. That makes 34
// paths in a call of the lexer, 8 of them for numbers and 2 for each operator, and with one operation one path less than the
// paper counts, 19435.
//
// Measure: the exit status is 0 for a value, 2 for a division by zero, which ends the calculation, and 1 for a syntax error. An
// input is valid if the status is not 1. The valid operator strings, one that ends in a division by zero apart from the same
// without, are 6 with up to one operation, 26 with two, 106 with three and 426 with four: V(n) = 2 + 4 V(n - 1) and V(0) = 1.
// All can be reached.
#include <symcrete.h>

#ifndef OPERATIONS
#define OPERATIONS 1
#endif

#define DIGITS 4
#define WORD (1 + DIGITS)          // a blank and digits
#define WORDS (2 * OPERATIONS + 2) // a number, an operator and a number for each operation, and the end

enum token {
    END,
    NUMBER,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    WRONG
};

enum status {
    VALUE = 0,
    SYNTAX_ERROR = 1,
    DIVISION_BY_ZERO = 2
};

static char words[WORDS][WORD + 1];

// The value of the last number that the lexer found.
static long number;

// The value of the expression.
static long result;

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The token that a word stands for; `number` becomes the value of a number.
static enum token lex(const char *word) {
    if (*word == ' ')
        word++;
    if (*word == '\0')
        return END;

    if (is_digit(*word)) {
        int digits = 0;
        long value = 0;
        while (digits < DIGITS && is_digit(word[digits])) {
            value = value * 10 + (word[digits] - '0');
            digits++;
        }
        if (digits < DIGITS && word[digits] != '\0')
            return WRONG;
        number = value;
        return NUMBER;
    }

    if (*word == '+')
        return PLUS;
    if (*word == '-')
        return MINUS;
    if (*word == '*')
        return TIMES;
    if (*word == '/')
        return DIVIDE;
    return WRONG;
}

// Works out the expression: `sum` holds what was added up so far, `term` the product that still may grow.
static enum status calculate(void) {
    int next = 0;
    long sum = 0;
    if (lex(words[next++]) != NUMBER)
        return SYNTAX_ERROR;
    long term = number;

    for (int operations = 0;; operations++) {
        enum token operator = lex(words[next++]);
        if (operator == END)
            break;
        if (operations == OPERATIONS)
            return SYNTAX_ERROR;
        if (operator != PLUS && operator != MINUS && operator != TIMES && operator != DIVIDE)
            return SYNTAX_ERROR;
        if (lex(words[next++]) != NUMBER)
            return SYNTAX_ERROR;

        if (operator == PLUS) {
            sum += term;
            term = number;
        } else if (operator == MINUS) {
            sum += term;
            term = -number;
        } else if (operator == TIMES) {
            term *= number;
        } else {
            if (number == 0)
                return DIVISION_BY_ZERO;
            term /= number;
        }
    }
    result = sum + term;
    return VALUE;
}

int main(void) {
    symcrete_make_symbolic(words, sizeof words, "words");
    for (int i = 0; i < WORDS; i++)
        words[i][WORD] = '\0';
    return calculate();
}
