// ctype.h for every character.
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <stdio.h>

static int (*const classes[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit};

static int words(const char *text) {
    int count = 0, inside = 0;
    for (; *text; text++) {
        int letter = isalpha((unsigned char)*text) != 0;
        count += letter && !inside;
        inside = letter;
    }
    return count;
}

static void rotate_by_13(char *text) {
    for (; *text; text++) {
        if (isupper((unsigned char)*text))
            *text = (char)('A' + (*text - 'A' + 13) % 26);
        else if (islower((unsigned char)*text))
            *text = (char)('a' + (*text - 'a' + 13) % 26);
    }
}

int main(void) {
    for (int character = -1; character < 256; character++) {
        for (unsigned index = 0; index < sizeof classes / sizeof classes[0]; index++)
            putchar(classes[index](character) ? '1' : '0');
        printf("%d%d%d", isalpha(character) != 0, isspace(character) != 0, isdigit(character) != 0);
        printf(" %d %d %d\n", tolower(character), toupper(character), character >= 0 ? toascii(character) : 0);
    }
    char text[] = "Why did the Chicken cross the road? Gb trg gb gur bgure fvqr!";
    rotate_by_13(text);
    printf("%s %d\n", text, words(text));
    return 0;
}
