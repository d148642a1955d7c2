// Comparisons of pattern matching: fnmatch and regular expressions on random patterns.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <regex.h>
#include <string.h>

#include "differential.h"

OURS(fnmatch);
OURS(regcomp);
OURS(regexec);
OURS(regerror);
OURS(regfree);

static void random_pattern(char *out)
{
    static const char *pieces[] = {
        "*",           "?",    "a", "b", ".",  "/",     "[ab]",         "[!a]", "[^b]", "[a-c]",   "\\*",     "\\a",
        "[[:alpha:]]", "[]a]", "[", "A", "**", "[!]-]", "[[:digit:]x]", "-",    "[a",   "[[.a.]]", "[[=b=]]", "[\\]]"};
    *out = '\0';
    for (unsigned count = random_below(6); count > 0; count--)
        strcat(out, pieces[random_below(random_below(2) ? 12 : 24)]);
}

static void compare_pattern(void)
{
    char pattern[128], text[32];
    random_pattern(pattern);
    random_string(text, 7, random_below(2) ? "ab./" : "aAbc./-]*\\[0");
    int flags = 0;
    static const int all[] = {FNM_PATHNAME, FNM_NOESCAPE, FNM_PERIOD, FNM_LEADING_DIR, FNM_CASEFOLD};
    for (int i = 0; i < 5; i++)
        if (random_below(3) == 0)
            flags |= all[i];
    if ((flags & FNM_CASEFOLD) && strstr(pattern, "[.") != NULL)
        return; // glibc does not fold the case of named characters
    int expected = fnmatch(pattern, text, flags), got = our_fnmatch(pattern, text, flags);
    CHECK(expected == got, "fnmatch \"%s\" \"%s\" flags %d: %d, ours %d", pattern, text, flags, expected, got);
}

static void random_expression(char *out, int extended)
{
    static const char *pieces[] = {"a", "b",   "c",           ".",      "*",   "a*",  "[ab]", "[^a]", "^",
                                   "$", "\\.", "[[:alpha:]]", "[a-c]*", "ab",  "\\w", "\\b",  "\\<",  "[b-a]",
                                   "[", "\\",  "[[:x:]]",     "\\W",    "[]]", "]",   "*"};
    static const char *extended_pieces[] = {"(",    ")",    "|",      "+",    "?", "{2}",  "{1,2}",
                                            "{,1}", "{0,}", "(a|ab)", "(a*)", "{", "{2,1}"};
    static const char *basic_pieces[] = {"\\(",      "\\)",       "\\|",      "\\+",      "\\?",
                                         "\\{2\\}",  "\\{1,2\\}", "\\{,1\\}", "\\{0,\\}", "\\(a\\|ab\\)",
                                         "\\(a*\\)", "\\{",       "\\{2,1\\}"};
    int clean = random_below(3) != 0, open = 0;
    *out = '\0';
    for (unsigned count = random_below(7); count > 0; count--) {
        if (random_below(3)) {
            strcat(out, pieces[random_below(clean ? 16 : 25)]);
            continue;
        }
        unsigned which = random_below(clean ? 11 : 13);
        if (clean && which == 1 && open == 0)
            continue;
        open += which == 0 ? 1 : which == 1 ? -1 : 0;
        strcat(out, (extended ? extended_pieces : basic_pieces)[which]);
        if (clean && which == 0)
            strcat(out, "b");
    }
    for (; clean && open > 0; open--)
        strcat(out, extended ? ")" : "\\)");
}

// Where alternatives match equally much, repetitions are repeated, or around \b, glibc chooses groups in ways of its
// own.
static int has_certain_groups(const char *pattern)
{
    if (strchr(pattern, '|') != NULL || strstr(pattern, "\\b") != NULL)
        return 0;
    for (; *pattern != '\0'; pattern++)
        if (strchr("*+?}", pattern[0]) != NULL && pattern[1] != '\0' && strchr("*+?{\\", pattern[1]) != NULL)
            return 0;
    return 1;
}

static void compare_expression(void)
{
    char pattern[256], text[16];
    regex_t theirs, ours;
    regmatch_t their_matches[4], our_matches[4];
    int extended = (int)random_below(2), flags = extended ? REG_EXTENDED : 0;
    if (random_below(4) == 0)
        flags |= random_below(2) ? REG_ICASE : REG_NEWLINE;
    random_expression(pattern, extended);
    if ((flags & REG_ICASE) && (strstr(pattern, "\\a") != NULL || strstr(pattern, "\\c") != NULL))
        return; // glibc does not fold the case of escaped letters
    int expected = regcomp(&theirs, pattern, flags), got = our_regcomp(&ours, pattern, flags);
    CHECK(expected == got, "regcomp \"%s\" flags %d: %d, ours %d", pattern, flags, expected, got);
    if (expected == 0 && got == 0) {
        CHECK(theirs.re_nsub == ours.re_nsub, "groups of \"%s\"", pattern);
        for (int tries = 0; tries < 4; tries++) {
            random_string(text, 9, random_below(2) ? "ab" : flags & REG_NEWLINE ? "aabbcA.\n_ " : "aabbcA._ ");
            int run_flags = random_below(4) ? 0 : random_below(2) ? REG_NOTBOL : REG_NOTEOL;
            expected = regexec(&theirs, text, 4, their_matches, run_flags);
            got = our_regexec(&ours, text, 4, our_matches, run_flags);
            CHECK(expected == got, "regexec \"%s\" on \"%s\" flags %d %d: %d, ours %d", pattern, text, flags, run_flags,
                  expected, got);
            if (expected != 0 || got != 0)
                continue;
            CHECK(their_matches[0].rm_so == our_matches[0].rm_so && their_matches[0].rm_eo == our_matches[0].rm_eo,
                  "regexec \"%s\" on \"%s\" flags %d %d: %d-%d, ours %d-%d", pattern, text, flags, run_flags,
                  their_matches[0].rm_so, their_matches[0].rm_eo, our_matches[0].rm_so, our_matches[0].rm_eo);
            for (int i = 1; i < 4 && has_certain_groups(pattern); i++)
                CHECK(their_matches[i].rm_so == our_matches[i].rm_so && their_matches[i].rm_eo == our_matches[i].rm_eo,
                      "group %d of \"%s\" on \"%s\" flags %d %d: %d-%d, ours %d-%d", i, pattern, text, flags, run_flags,
                      their_matches[i].rm_so, their_matches[i].rm_eo, our_matches[i].rm_so, our_matches[i].rm_eo);
        }
    }
    if (expected == 0 || expected == REG_NOMATCH)
        regfree(&theirs);
    if (got == 0 || got == REG_NOMATCH)
        our_regfree(&ours);
}

static void check_back_references(void)
{
    static const struct {
        const char *pattern, *text;
        int flags, start, end;
    } cases[] = {{"\\(a*\\)b\\1$", "aabaa", 0, 0, 5},
                 {"^(.+)\\1+$", "abcabcabc", REG_EXTENDED, 0, 9},
                 {"(a|ab)(c|bcd)\\1", "xabca", REG_EXTENDED, -1, -1},
                 {"(b*)(a)\\1\\2", "bbabba", REG_EXTENDED, 0, 6},
                 {"(A)\\1", "xaA", REG_EXTENDED | REG_ICASE, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        regex_t expression;
        regmatch_t match = {-1, -1};
        CHECK(our_regcomp(&expression, cases[i].pattern, cases[i].flags) == 0, "regcomp %s", cases[i].pattern);
        int result = our_regexec(&expression, cases[i].text, 1, &match, 0);
        CHECK((result == 0) == (cases[i].start >= 0), "regexec %s", cases[i].pattern);
        CHECK(match.rm_so == cases[i].start && match.rm_eo == cases[i].end, "regexec %s: %d-%d", cases[i].pattern,
              match.rm_so, match.rm_eo);
        our_regfree(&expression);
    }
}

void test_matching(void)
{
    check_back_references();
    for (int round = 0; round < 60000; round++)
        compare_pattern();
    for (int round = 0; round < 20000; round++)
        compare_expression();
    for (int error = 0; error <= REG_ERPAREN; error++) {
        char theirs[64], ours[64];
        CHECK(regerror(error, NULL, theirs, 64) == our_regerror(error, NULL, ours, 64) && strcmp(theirs, ours) == 0,
              "regerror %d", error);
    }
}
