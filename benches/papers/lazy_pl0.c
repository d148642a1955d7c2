// lazy_pl0: a recursive-descent parser of PL/0 for section 5.3 of the paper on lazy expansion, which does not give the source;
// written anew from the published grammar. TOKENS is the most tokens of a program, 7 unless -D TOKENS=... tells otherwise:
// behind so many the lexer finds the end of the input, and an empty word is the end before that.
//
// Each token has an input of its own, a word with a zero at its end that is long enough for the longest keyword. Names are not
// looked up, so that the classes of the tokens alone decide what is a program; names have small letters and digits only.
//
// Measure: the exit status is 0 for a program and 1 for a syntax error. lazy_pl0_grammar.py lists the strings of token classes
// that are programs: 412 of up to 7 tokens and 2008 of up to 8, the shortest of them a single full stop. The paper counts 99
// and 399, for a grammar that it does not give and that has no program of less than 7 tokens.
#include <symcrete.h>

#ifndef TOKENS
#define TOKENS 7
#endif

#define WORD 9 // characters, as in "procedure"

enum token {
    END_OF_INPUT,
    WRONG,
    IDENTIFIER,
    NUMBER,
    // The keywords, in the order of `keywords`.
    CONST,
    VAR,
    PROCEDURE,
    CALL,
    BEGIN,
    END,
    IF,
    THEN,
    WHILE,
    DO,
    ODD,
    // The symbols.
    STOP,
    COMMA,
    SEMICOLON,
    BECOMES,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    LEFT,
    RIGHT
};

#define KEYWORDS 11

static const char *const keywords[KEYWORDS] = {"const", "var",  "procedure", "call", "begin", "end",
                                               "if",    "then", "while",     "do",   "odd"};

static char words[TOKENS][WORD + 1];

// The number of words that were asked for, and the token that the parser looks at.
static int position;
static enum token token;

static int compare(const char *left, const char *right) {
    while (*left != '\0' && *right != '\0' && *left == *right) {
        left++;
        right++;
    }
    return *left - *right;
}

static int is_letter(char c) {
    return c >= 'a' && c <= 'z';
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A keyword or the name of something.
static enum token lex_name(const char *word) {
    for (int i = 0; i < KEYWORDS; i++) {
        if (compare(word, keywords[i]) == 0)
            return CONST + i;
    }
    do {
        word++;
    } while (is_letter(*word) || is_digit(*word));
    return *word == '\0' ? IDENTIFIER : WRONG;
}

static enum token lex_number(const char *word) {
    do {
        word++;
    } while (is_digit(*word));
    return *word == '\0' ? NUMBER : WRONG;
}

static enum token lex_symbol(const char *word) {
    if (*word == ':')
        return compare(word, ":=") == 0 ? BECOMES : WRONG;
    if (*word == '<' && word[1] == '=')
        return word[2] == '\0' ? LESS_OR_EQUAL : WRONG;
    if (*word == '>' && word[1] == '=')
        return word[2] == '\0' ? GREATER_OR_EQUAL : WRONG;
    if (word[1] != '\0')
        return WRONG;

    switch (*word) {
    case '.':
        return STOP;
    case ',':
        return COMMA;
    case ';':
        return SEMICOLON;
    case '=':
        return EQUAL;
    case '#':
        return UNEQUAL;
    case '<':
        return LESS;
    case '>':
        return GREATER;
    case '+':
        return PLUS;
    case '-':
        return MINUS;
    case '*':
        return TIMES;
    case '/':
        return DIVIDE;
    case '(':
        return LEFT;
    case ')':
        return RIGHT;
    default:
        return WRONG;
    }
}

// The token that a word stands for.
static enum token lex(const char *word) {
    if (*word == '\0')
        return END_OF_INPUT;
    if (is_letter(*word))
        return lex_name(word);
    if (is_digit(*word))
        return lex_number(word);
    return lex_symbol(word);
}

static void advance(void) {
    token = position < TOKENS ? lex(words[position]) : END_OF_INPUT;
    position++;
}

// Passes over a token of the class that must stand here. Like all that follow, it returns 0 for a syntax error.
static int expect(enum token class) {
    if (token != class)
        return 0;
    advance();
    return 1;
}

static int expression(void);

static int factor(void) {
    if (token == IDENTIFIER || token == NUMBER) {
        advance();
        return 1;
    }
    return expect(LEFT) && expression() && expect(RIGHT);
}

static int term(void) {
    if (!factor())
        return 0;
    while (token == TIMES || token == DIVIDE) {
        advance();
        if (!factor())
            return 0;
    }
    return 1;
}

static int expression(void) {
    if (token == PLUS || token == MINUS)
        advance();
    if (!term())
        return 0;
    while (token == PLUS || token == MINUS) {
        advance();
        if (!term())
            return 0;
    }
    return 1;
}

static int condition(void) {
    if (token == ODD) {
        advance();
        return expression();
    }
    if (!expression())
        return 0;
    if (token != EQUAL && token != UNEQUAL && token != LESS && token != LESS_OR_EQUAL && token != GREATER &&
        token != GREATER_OR_EQUAL)
        return 0;
    advance();
    return expression();
}

// A statement may be empty.
static int statement(void) {
    if (token == IDENTIFIER) {
        advance();
        return expect(BECOMES) && expression();
    }
    if (token == CALL) {
        advance();
        return expect(IDENTIFIER);
    }
    if (token == BEGIN) {
        do {
            advance();
            if (!statement())
                return 0;
        } while (token == SEMICOLON);
        return expect(END);
    }
    if (token == IF) {
        advance();
        return condition() && expect(THEN) && statement();
    }
    if (token == WHILE) {
        advance();
        return condition() && expect(DO) && statement();
    }
    return 1;
}

static int block(void) {
    if (token == CONST) {
        do {
            advance();
            if (!expect(IDENTIFIER) || !expect(EQUAL) || !expect(NUMBER))
                return 0;
        } while (token == COMMA);
        if (!expect(SEMICOLON))
            return 0;
    }
    if (token == VAR) {
        do {
            advance();
            if (!expect(IDENTIFIER))
                return 0;
        } while (token == COMMA);
        if (!expect(SEMICOLON))
            return 0;
    }
    while (token == PROCEDURE) {
        advance();
        if (!expect(IDENTIFIER) || !expect(SEMICOLON) || !block() || !expect(SEMICOLON))
            return 0;
    }
    return statement();
}

// A program, and nothing behind it.
static int program(void) {
    position = 0;
    advance();
    if (!block() || !expect(STOP))
        return 0;
    // A branch of its own, so that a program and one with something behind it are two paths.
    if (token != END_OF_INPUT)
        return 0;
    return 1;
}

int main(void) {
    symcrete_make_symbolic(words, sizeof words, "words");
    for (int i = 0; i < TOKENS; i++)
        words[i][WORD] = '\0';
    return program() ? 0 : 1;
}
