#!/usr/bin/env python3
"""Which strings of token classes are programs of PL/0: all of at most N tokens, found by brute force from the grammar.

    lazy_pl0_grammar.py 7                       prints them, shortest first, below a line with their numbers
    lazy_pl0_grammar.py 7 --exactly             prints only those of 7 tokens
    lazy_pl0_grammar.py 7 --count               prints the numbers alone
    lazy_pl0_grammar.py 7 --check lazy_pl0.c    compares with what the parser says, compiled natively

The grammar stands here as plain rules and is expanded without a parser, so that it and the parser are two opinions. The check
gives the parser every string of up to four classes (--full for another number), each class as a text of its own, and a class
of wrong words among them. From there to N tokens it leaves out only strings that begin with one that the parser rejected
before it asked for the next token: it cannot have looked at what follows. It also compares the lexer of the parser with
`token_class` on a few thousand words."""

import argparse
import functools
import os
import subprocess
import sys
import tempfile

KEYWORDS = ["const", "var", "procedure", "call", "begin", "end", "if", "then", "while", "do", "odd"]
SYMBOLS = [".", ",", ";", ":=", "=", "#", "<", "<=", ">", ">=", "+", "-", "*", "/", "(", ")"]

# Each class of tokens and a word of it. The end of the input is an empty word.
CLASSES = {"identifier": "x1", "number": "20", **{word: word for word in KEYWORDS + SYMBOLS}}
WRONG = {"wrong": "x?"}
END = {"end of input": ""}

# How many characters a word of the parser has.
WIDTH = 9

# A rule has a list of alternatives, each a list of rules and classes.
GRAMMAR = {
    "program": [["block", "."]],
    "block": [["constants", "variables", "procedures", "statement"]],
    "constants": [[], ["const", "constant list", ";"]],
    "constant list": [["constant"], ["constant", ",", "constant list"]],
    "constant": [["identifier", "=", "number"]],
    "variables": [[], ["var", "variable list", ";"]],
    "variable list": [["identifier"], ["identifier", ",", "variable list"]],
    "procedures": [[], ["procedure", "identifier", ";", "block", ";", "procedures"]],
    "statement": [
        [],
        ["identifier", ":=", "expression"],
        ["call", "identifier"],
        ["begin", "statements", "end"],
        ["if", "condition", "then", "statement"],
        ["while", "condition", "do", "statement"],
    ],
    "statements": [["statement"], ["statement", ";", "statements"]],
    "condition": [["odd", "expression"], ["expression", "relation", "expression"]],
    "relation": [["="], ["#"], ["<"], ["<="], [">"], [">="]],
    "expression": [["sum"], ["+", "sum"], ["-", "sum"]],
    "sum": [["term"], ["term", "+", "sum"], ["term", "-", "sum"]],
    "term": [["factor"], ["factor", "*", "term"], ["factor", "/", "term"]],
    "factor": [["identifier"], ["number"], ["(", "expression", ")"]],
}

DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define main parser_main
#include "%(parser)s"
#undef main

void symcrete_make_symbolic(void *memory, size_t size, const char *name) { (void)memory, (void)size, (void)name; }

static const char *const names[] = {%(names)s};
static const char *const texts[] = {%(texts)s};
enum { CLASSES = sizeof texts / sizeof *texts };

static int string[TOKENS];

// Tries all strings that begin with the first `length` classes of `string`; those of up to `full` classes whatever comes of it.
static void extend(int length, int full) {
    memset(words, 0, sizeof words);
    for (int i = 0; i < length; i++)
        strcpy(words[i], texts[string[i]]);
    int accepted = parser_main() == 0;
    int asked = position > length;
    if (accepted) {
        for (int i = 0; i < length; i++)
            printf("%%s%%c", names[string[i]], i == length - 1 ? '\\n' : ' ');
        if (!asked)
            printf("accepted before the end\\n");
    }
    if (length == TOKENS || (!asked && length >= full))
        return;
    for (string[length] = 0; string[length] < CLASSES; string[length]++)
        extend(length + 1, full);
}

int main(int count, char **arguments) {
    if (count == 2) {
        extend(0, atoi(arguments[1]));
        return 0;
    }
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\\n")] = '\\0';
        printf("%%d\\n", (int)lex(line));
    }
    return 0;
}
"""


@functools.cache
def strings(symbol, length):
    """All strings of so many classes that a rule makes, as tuples; a class makes itself."""
    if symbol not in GRAMMAR:
        return frozenset({(symbol,)} if length == 1 else ())
    return frozenset().union(*(sequences(tuple(alternative), length) for alternative in GRAMMAR[symbol]))


@functools.cache
def sequences(symbols, length):
    """All strings of so many classes that several rules make, one after the other."""
    if not symbols:
        return frozenset({()} if length == 0 else ())
    if len(symbols) == 1:
        return strings(symbols[0], length)
    found = set()
    for first in range(length + 1):
        starts = strings(symbols[0], first)
        if starts:
            # Only now: a rule that calls itself does so behind a token, and then fewer are left.
            rests = sequences(symbols[1:], length - first)
            found.update(start + rest for start in starts for rest in rests)
    return frozenset(found)


def programs(length):
    """The programs of exactly so many tokens, in order."""
    return sorted(strings("program", length))


def token_class(word):
    """The class of a word, as the parser's lexer ought to see it."""
    if word == "":
        return "end of input"
    if word in KEYWORDS or word in SYMBOLS:
        return word
    letters = set("abcdefghijklmnopqrstuvwxyz")
    digits = set("0123456789")
    if set(word) <= digits:
        return "number"
    if word[0] in letters and set(word) <= letters | digits:
        return "identifier"
    return "wrong"


def class_string(data):
    """The classes of the words in the bytes of the parser's input, up to the end of the input."""
    found = []
    for start in range(0, len(data), WIDTH + 1):
        word = data[start:start + WIDTH].split(b"\0")[0].decode("latin-1")
        if word == "":
            break
        found.append(token_class(word))
    return tuple(found)


def sample_words():
    """Words for the comparison of the lexers: keywords with small changes, and all of one and two characters of a few."""
    alphabet = "aefoz019.,;:=#<>+-*/()?A_ {`@[\x7f"
    words = {"", *alphabet, *(first + second for first in alphabet for second in alphabet)}
    words.update(symbol + more for symbol in SYMBOLS for more in ("", "=", "==", "x", ";"))
    for keyword in KEYWORDS:
        words.update(keyword[:end] for end in range(len(keyword) + 1))
        words.update(keyword + more for more in ("s", "1", ".", " ") if len(keyword) < WIDTH)
        words.update(keyword[:i] + other + keyword[i + 1:] for i in range(len(keyword)) for other in "az0?E")
    words.update(("123456789", "abcdefghi", "a23456789", "12345678a", "0", "00"))
    return sorted(words)


def c_strings(texts):
    """The texts as elements of a C array."""
    return ", ".join('"%s"' % text for text in texts)


def build_driver(parser, length, directory):
    """Compiles the parser with a `main` that tries strings of classes; returns the path of the program."""
    source = os.path.join(directory, "driver.c")
    program = os.path.join(directory, "driver")
    classes = {**CLASSES, **WRONG}
    with open(source, "w", encoding="utf-8") as out:
        out.write(DRIVER % {
            "parser": os.path.abspath(parser),
            "names": c_strings(classes),
            "texts": c_strings(classes.values()),
        })
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "include")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-DTOKENS=%d" % length, "-I", header, "-o", program, source], check=True)
    return program


def check_lexer(driver):
    """Compares the lexers on sample words; returns a line for each difference."""
    classes = {**CLASSES, **WRONG, **END}
    words = list(classes.values()) + sample_words()
    text = "".join(word + "\n" for word in words)
    answer = subprocess.run([driver], input=text, capture_output=True, text=True, check=True).stdout.split()
    kinds = dict(zip(answer, classes))
    if len(kinds) != len(classes):
        return ["the parser's lexer does not tell all classes apart"]
    seen = [(word, kinds.get(number, "something else"), token_class(word)) for word, number in zip(words, answer, strict=True)]
    return ["the word %r is %s for the parser and %s here" % found for found in seen if found[1] != found[2]]


def check_parser(driver, length, full):
    """Compares what is accepted; returns a line for each difference."""
    output = subprocess.run([driver, str(full)], capture_output=True, text=True, check=True).stdout
    native = {tuple(line.split(" ")) for line in output.splitlines()}
    own = {found for count in range(length + 1) for found in programs(count)}
    lines = ["only the parser accepts: " + " ".join(found) for found in sorted(native - own)]
    return lines + ["the parser rejects: " + " ".join(found) for found in sorted(own - native)]


def check(parser, length, full):
    """Compares the parser with the grammar, prints the outcome and returns whether both agree."""
    with tempfile.TemporaryDirectory() as directory:
        driver = build_driver(parser, length, directory)
        differences = check_lexer(driver) + check_parser(driver, length, min(full, length))
    for line in differences:
        print(line)
    if not differences:
        print("the parser and the grammar agree on all strings of at most %d tokens" % length)
    return not differences


def main():
    """Reads the command line and does what it asks for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tokens", type=int, help="the number of tokens, N")
    options.add_argument("--exactly", action="store_true", help="only strings of exactly N tokens")
    options.add_argument("--count", action="store_true", help="print the numbers alone")
    options.add_argument("--check", metavar="PARSER", help="compare with a parser, a C source as lazy_pl0.c")
    options.add_argument("--full", type=int, default=4, help="up to how many tokens the check leaves nothing out")
    given = options.parse_args()
    if given.check:
        sys.exit(0 if check(given.check, given.tokens, given.full) else 1)

    lengths = range(given.tokens + 1)
    total = sum(len(programs(length)) for length in lengths)
    print("# %d of exactly %d tokens, %d of at most %d" % (len(programs(given.tokens)), given.tokens, total, given.tokens))
    if given.count:
        return
    for length in [given.tokens] if given.exactly else lengths:
        for found in programs(length):
            print(" ".join(found))


if __name__ == "__main__":
    main()
