// Wide characters and strings: wcs functions, classification, conversion in the C locale, formatting.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t buffer[40];
    wcscpy(buffer, L"wide");
    wcscat(buffer, L" characters");
    wcsncat(buffer, L" truncated", 5);
    printf("%zu %ls %d\n", wcslen(buffer), buffer, (int)sizeof(wchar_t));
    printf("%d %d %d\n", wcscmp(L"abc", L"abd") < 0, wcsncmp(L"abc", L"abd", 2), wcscoll(L"b", L"a") > 0);
    printf("%td %td %td\n", wcschr(buffer, L'c') - buffer, wcsrchr(buffer, L'c') - buffer, wcsstr(buffer, L"ract") - buffer);
    printf("%zu %zu %d\n", wcsspn(buffer, L"diew"), wcscspn(buffer, L"xyz"), wcspbrk(buffer, L"?") == NULL);
    wmemset(buffer, L'-', 5);
    wmemcpy(buffer + 1, L"ab", 2);
    wmemmove(buffer + 2, buffer, 3);
    printf("%ls %d %d\n", buffer, wmemcmp(buffer, L"-a", 2), wmemchr(buffer, L'b', 10) != NULL);
    wchar_t words[] = L"one,two,,three", *state;
    for (wchar_t *word = wcstok(words, L",", &state); word; word = wcstok(NULL, L",", &state))
        printf("<%ls>", word);
    wchar_t *end;
    printf(" %ld %g %d\n", wcstol(L"0x7fz", &end, 0), wcstod(L"2.5e1", NULL), *end == L'z');
    char narrow[40];
    printf("%zu %s\n", wcstombs(narrow, L"to bytes", sizeof narrow), "");
    printf("%s %zu\n", narrow, mbstowcs(buffer, "to wide", 40));
    printf("%ls %d %d %d\n", buffer, mbtowc(buffer, "x", 1), wctomb(narrow, L'y'), mblen("z", 1));
    mbstate_t shift;
    memset(&shift, 0, sizeof shift);
    wchar_t one;
    printf("%zu %zu %d %d\n", mbrtowc(&one, "q", 1, &shift), wcrtomb(narrow, L'r', &shift), mbsinit(&shift), btowc('c') == L'c');
    printf("%d %d\n", iswalpha(L'a') != 0, iswdigit(L'a') != 0);
    for (wint_t character = 0; character < 128; character++)
        putchar('0' + (iswupper(character) != 0) + 2 * (iswspace(character) != 0) + 4 * (iswpunct(character) != 0));
    printf("\n%c%c %d\n", (char)towupper(L'w'), (char)towlower(L'W'), iswctype(L'5', wctype("xdigit")) != 0);
    int length = swprintf(buffer, 40, L"%d %ls %s %c %g", 42, L"wide", "narrow", 'c', 0.5);
    printf("%d %ls\n", length, buffer);
    int number = 0;
    printf("%d", swscanf(L"number 77", L"number %d", &number));
    printf(" %d [%10ls] [%-6.2ls] [%lc]\n", number, L"padded", L"cut", (wint_t)L'L');
    return 0;
}
