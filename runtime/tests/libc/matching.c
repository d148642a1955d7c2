// Comparisons of pattern matching: fnmatch on random patterns.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <string.h>

#include "differential.h"

OURS(fnmatch);

static void random_pattern(char *out)
{
    static const char *pieces[] = {"*", "?", "a", "b", ".", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "\\*", "\\a", "[[:alpha:]]",
                                   "[]a]", "[", "A", "**", "[!]-]", "[[:digit:]x]", "-", "[a", "[[.a.]]", "[[=b=]]", "[\\]]"};
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

void test_matching(void)
{
    for (int round = 0; round < 60000; round++)
        compare_pattern();
}
