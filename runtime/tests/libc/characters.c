// Comparisons of <ctype.h>, <wctype.h>, <wchar.h> and the multibyte functions, in the C and C.UTF-8 locales.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "differential.h"

OURS(__ctype_b_loc);
OURS(__ctype_tolower_loc);
OURS(__ctype_toupper_loc);
OURS(setlocale);
OURS(localeconv);
OURS(nl_langinfo);
OURS(mbrtowc);
OURS(wcrtomb);
OURS(mbtowc);
OURS(wctomb);
OURS(mblen);
OURS(mbstowcs);
OURS(wcstombs);
OURS(mbsrtowcs);
OURS(mbsnrtowcs);
OURS(wcsrtombs);
OURS(wcsnrtombs);
OURS(btowc);
OURS(wctob);
OURS(towlower);
OURS(towupper);
OURS(wctype);
OURS(iswctype);
OURS(wcwidth);
OURS(wcslen);
OURS(wcscpy);
OURS(wcsncpy);
OURS(wcscat);
OURS(wcsncat);
OURS(wcscmp);
OURS(wcsncmp);
OURS(wcscasecmp);
OURS(wcschr);
OURS(wcsrchr);
OURS(wcsspn);
OURS(wcscspn);
OURS(wcspbrk);
OURS(wcsstr);
OURS(wcstok);
OURS(wmemcmp);
OURS(wmemchr);
OURS(wmemset);
size_t our___ctype_get_mb_cur_max(void);

#define CLASSES(X)                                                                                                     \
    X(alnum) X(alpha) X(blank) X(cntrl) X(digit) X(graph) X(lower) X(print) X(punct) X(space) X(upper) X(xdigit)
#define DECLARE(name)                                                                                                  \
    extern int our_is##name(int);                                                                                      \
    extern int our_isw##name(wint_t);
CLASSES(DECLARE)
extern int our_tolower(int), our_toupper(int);

static void compare_tables(void)
{
    for (int c = -128; c < 256; c++) {
        CHECK((*__ctype_b_loc())[c] == (*our___ctype_b_loc())[c], "classes of %d", c);
        CHECK((*__ctype_tolower_loc())[c] == (*our___ctype_tolower_loc())[c], "tolower of %d", c);
        CHECK((*__ctype_toupper_loc())[c] == (*our___ctype_toupper_loc())[c], "toupper of %d", c);
    }
    for (int c = -200; c < 300; c++)
        CHECK((tolower)(c) == our_tolower(c) && (toupper)(c) == our_toupper(c), "case of %d", c);
#define COMPARE(name)                                                                                                  \
    for (int c = -1; c < 256; c++)                                                                                     \
        CHECK(!(is##name)(c) == !our_is##name(c), "is" #name " %d", c);                                                \
    for (wint_t c = 0; c < 5000; c++)                                                                                  \
        CHECK(!isw##name(c) == !our_isw##name(c), "isw" #name " %u", c);                                               \
    for (wint_t c = 0; c < 200; c++)                                                                                   \
        CHECK(!iswctype(c, wctype(#name)) == !our_iswctype(c, our_wctype(#name)), "iswctype " #name);
    CLASSES(COMPARE)
    for (wint_t c = 0; c < 5000; c++) {
        CHECK(towlower(c) == our_towlower(c) && towupper(c) == our_towupper(c), "case of wide %u", c);
        CHECK(wcwidth((wchar_t)c) == our_wcwidth((wchar_t)c), "wcwidth %u", c);
    }
    for (int c = -2; c < 300; c++)
        CHECK(btowc(c) == our_btowc(c) && wctob((wint_t)c) == our_wctob((wint_t)c), "btowc %d", c);
}

static void compare_locales(void)
{
    static const char *names[] = {
        "C",
        "POSIX",
        "C.UTF-8",
        "nowhere",
        NULL,
        "C.utf8",
        "LC_CTYPE=C;LC_NUMERIC=C.UTF-8;LC_TIME=C;LC_COLLATE=C;LC_MONETARY=C.UTF-8;LC_MESSAGES=C;LC_PAPER=C;"
        "LC_NAME=C;LC_ADDRESS=C;LC_TELEPHONE=C;LC_MEASUREMENT=C;LC_IDENTIFICATION=C"};
    for (int round = 0; round < 300; round++) {
        int category = random_below(3) ? LC_ALL : (int)random_below(13);
        const char *name = names[random_below(7)];
        char *theirs = setlocale(category, name), *ours = our_setlocale(category, name);
        CHECK(theirs == NULL || ours == NULL ? theirs == ours
                                             : strcmp(theirs, ours) == 0 || strcmp(theirs, "C.utf8") == 0,
              "setlocale %d %s: %s, ours %s", category, name != NULL ? name : "(null)", theirs, ours);
        if (strchr(setlocale(LC_ALL, NULL), '8') != NULL && strstr(setlocale(LC_ALL, NULL), "utf8") != NULL) {
            setlocale(LC_ALL, "C"); // the host keeps the spelling "C.utf8", which is not compared
            our_setlocale(LC_ALL, "C");
        }
        CHECK(MB_CUR_MAX == our___ctype_get_mb_cur_max(), "MB_CUR_MAX in %s", ours != NULL ? ours : "");
    }
    setlocale(LC_ALL, "C");
    our_setlocale(LC_ALL, "C");
    static const nl_item items[] = {CODESET, RADIXCHAR, THOUSEP, DAY_1, DAY_7,   ABDAY_3, MON_1,   MON_12,
                                    ABMON_5, AM_STR,    PM_STR,  D_FMT, D_T_FMT, T_FMT,   YESEXPR, T_FMT_AMPM};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        CHECK(strcmp(nl_langinfo(items[i]), our_nl_langinfo(items[i])) == 0, "nl_langinfo %zu", i);
    struct lconv *theirs = localeconv(), *ours = our_localeconv();
    CHECK(strcmp(theirs->decimal_point, ours->decimal_point) == 0 && strcmp(theirs->grouping, ours->grouping) == 0
              && strcmp(theirs->mon_decimal_point, ours->mon_decimal_point) == 0
              && theirs->frac_digits == ours->frac_digits && theirs->int_n_sign_posn == ours->int_n_sign_posn
              && theirs->p_cs_precedes == ours->p_cs_precedes,
          "localeconv");
}

void test_classes(void)
{
    compare_tables();
    compare_locales();
}

static size_t random_bytes(char *out, size_t most)
{
    static const char *pieces[] = {"a",
                                   "\xc3\xa9",
                                   "\xe2\x82\xac",
                                   "\xf0\x9f\x98\x80",
                                   "\x80",
                                   "\xc3",
                                   "\xe2\x82",
                                   "\xed\xa0\x80",
                                   "\xc0\x80",
                                   "\xf4\x90\x80\x80",
                                   "\xf8\x88\x80\x80\x80",
                                   "\xfc\x84\x80\x80\x80\x80",
                                   "z",
                                   "\xe0\x80\x80",
                                   "\xf0\x80\x80\x80",
                                   "\xff",
                                   "b"};
    size_t length = 0;
    int clean = random_below(3) != 0;
    for (unsigned count = random_below(6); count > 0; count--) {
        const char *piece = pieces[random_below(clean ? 4 : 17)];
        if (length + strlen(piece) < most) {
            strcpy(out + length, piece);
            length += strlen(piece);
        }
    }
    out[length] = '\0';
    return length;
}

static void compare_characters(const char *bytes, size_t length)
{
    mbstate_t their_state = {0}, our_state = {0};
    size_t place = 0;
    while (place <= length) { // restartable, in pieces
        wchar_t theirs = -1, ours = -1;
        size_t count = random_below(5), left = length + 1 - place;
        if (count > left)
            count = left;
        errno = our_errno = 0;
        size_t expected = mbrtowc(&theirs, bytes + place, count, &their_state);
        size_t got = our_mbrtowc(&ours, bytes + place, count, &our_state);
        CHECK(expected == got && theirs == ours && errno == our_errno, "mbrtowc \"%s\" at %zu: %zd, ours %zd", bytes,
              place, expected, got);
        CHECK(mbsinit(&their_state) == (our_state.__count == 0) || expected == (size_t)-1, "mbsinit \"%s\"", bytes);
        if (expected == (size_t)-1 || expected == 0 || expected != got)
            break;
        place += expected == (size_t)-2 ? count : expected;
    }
    wchar_t theirs = -1, ours = -1;
    size_t count = 1 + random_below(6);
    if (count > length + 1)
        count = length + 1;
    mbtowc(NULL, NULL, 0);
    CHECK(mbtowc(&theirs, bytes, count) == our_mbtowc(&ours, bytes, count) && theirs == ours, "mbtowc \"%s\"", bytes);
    mblen(NULL, 0);
    CHECK(mblen(bytes, count) == our_mblen(bytes, count), "mblen \"%s\" %zu", bytes, count);
}

static void compare_conversions(const char *bytes, size_t length)
{
    wchar_t theirs[16] = {0}, ours[16] = {0};
    size_t room = random_below(8), bound = random_below((unsigned)length + 2);
    CHECK(mbstowcs(NULL, bytes, 0) == our_mbstowcs(NULL, bytes, 0), "mbstowcs length \"%s\"", bytes);
    CHECK(mbstowcs(theirs, bytes, room) == our_mbstowcs(ours, bytes, room), "mbstowcs \"%s\" %zu", bytes, room);
    CHECK(wmemcmp(theirs, ours, 16) == 0, "mbstowcs \"%s\" %zu", bytes, room);
    mbstate_t their_state = {0}, our_state = {0};
    const char *their_place = bytes, *our_place = bytes;
    size_t expected = mbsnrtowcs(theirs, &their_place, bound, room, &their_state);
    size_t got = our_mbsnrtowcs(ours, &our_place, bound, room, &our_state);
    CHECK(expected == got && their_place == our_place, "mbsnrtowcs \"%s\" %zu %zu", bytes, bound, room);
    wchar_t wide[16];
    size_t wide_length = random_below(6);
    for (size_t i = 0; i < wide_length; i++)
        wide[i] = (wchar_t[]){'a', 0xe9, 0x20ac, 0x1f600, 0xd800, 0x10ffff}[random_below(random_below(3) ? 4 : 6)];
    wide[wide_length] = 0;
    char their_bytes[64] = "", our_bytes[64] = "";
    CHECK(wcstombs(NULL, wide, 0) == our_wcstombs(NULL, wide, 0), "wcstombs length");
    size_t size = random_below(20);
    CHECK(wcstombs(their_bytes, wide, size) == our_wcstombs(our_bytes, wide, size), "wcstombs %zu", size);
    CHECK(memcmp(their_bytes, our_bytes, 64) == 0, "wcstombs %zu", size);
    const wchar_t *their_wide = wide, *our_wide = wide;
    CHECK(wcsrtombs(their_bytes, &their_wide, size, NULL) == our_wcsrtombs(our_bytes, &our_wide, size, NULL)
              && their_wide == our_wide,
          "wcsrtombs %zu", size);
    wchar_t one = (wchar_t)(random_bits() >> random_below(60));
    memset(their_bytes, 0, sizeof their_bytes);
    memset(our_bytes, 0, sizeof our_bytes);
    errno = our_errno = 0;
    size_t their_length = wcrtomb(their_bytes, one, NULL), our_length = our_wcrtomb(our_bytes, one, NULL);
    CHECK(their_length == our_length && errno == our_errno && memcmp(their_bytes, our_bytes, 64) == 0,
          "wcrtomb %x: %zd, ours %zd", (unsigned)one, their_length, our_length);
}

static void compare_wide_strings(void)
{
    wchar_t a[32], b[32], theirs[80] = {0}, ours[80] = {0}, *their_rest = NULL, *our_rest = NULL;
    size_t a_length = random_below(12), b_length = random_below(4), n = random_below(14);
    for (size_t i = 0; i < 32; i++) {
        a[i] = (wchar_t[]){'a', 'b', 0x20ac, -5}[random_below(4)];
        b[i] = (wchar_t[]){'a', 'b', 0x20ac, -5}[random_below(4)];
    }
    a[a_length] = b[b_length] = 0;
    CHECK(wcslen(a) == our_wcslen(a), "wcslen");
    CHECK(sign(wcscmp(a, b)) == sign(our_wcscmp(a, b)), "wcscmp");
    CHECK(sign(wcsncmp(a, b, n)) == sign(our_wcsncmp(a, b, n)), "wcsncmp");
    CHECK(wcschr(a, b[0]) == our_wcschr(a, b[0]) && wcsrchr(a, b[0]) == our_wcsrchr(a, b[0]), "wcschr");
    CHECK(wcsspn(a, b) == our_wcsspn(a, b) && wcscspn(a, b) == our_wcscspn(a, b), "wcsspn");
    CHECK(wcspbrk(a, b) == our_wcspbrk(a, b) && wcsstr(a, b) == our_wcsstr(a, b), "wcsstr");
    CHECK(sign(wmemcmp(a, b, n)) == sign(our_wmemcmp(a, b, n)) && wmemchr(a, 'b', n) == our_wmemchr(a, 'b', n),
          "wmemcmp");
    wcscpy(theirs, a), our_wcscpy(ours, a);
    wcscat(theirs, b), our_wcscat(ours, b);
    wcsncat(theirs, a, n), our_wcsncat(ours, a, n);
    wcsncpy(theirs + 40, a, n), our_wcsncpy(ours + 40, a, n);
    CHECK(wmemcmp(theirs, ours, 80) == 0, "wide copies");
    wchar_t *their_token = wcstok(theirs, b, &their_rest), *our_token = our_wcstok(ours, b, &our_rest);
    while (their_token != NULL && our_token != NULL) {
        CHECK(wcscmp(their_token, our_token) == 0, "wcstok");
        their_token = wcstok(NULL, b, &their_rest);
        our_token = our_wcstok(NULL, b, &our_rest);
    }
    CHECK(their_token == our_token, "wcstok: number of tokens");
}

void test_wide(void)
{
    for (int round = 0; round < 20000; round++) {
        if (round % 1000 == 0) {
            const char *name = round % 2000 == 0 ? "C" : "C.UTF-8";
            if (setlocale(LC_ALL, name) == NULL)
                name = setlocale(LC_ALL, "C");
            our_setlocale(LC_ALL, name);
        }
        char bytes[64];
        size_t length = random_bytes(bytes, sizeof bytes);
        compare_characters(bytes, length);
        compare_conversions(bytes, length);
        compare_wide_strings();
    }
    setlocale(LC_ALL, "C");
    our_setlocale(LC_ALL, "C");
}
