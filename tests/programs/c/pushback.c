// What ungetc gives back: before anything was read, in front of the buffer and inside of it, of streams with buffers of all kinds.
#include <stdio.h>
#include <string.h>

static void show(const char *what, FILE *file)
{
    printf("%s: at %ld:", what, ftell(file));
    for (int c; (c = getc(file)) != EOF;) {
        printf(" %02x", c);
    }
    printf(" end %d\n", feof(file) != 0);
}

static void take(FILE *file, int count)
{
    while (count-- > 0) {
        putchar(getc(file));
    }
    putchar('\n');
}

static FILE *opened(const char *contents)
{
    FILE *file = tmpfile();
    fputs(contents, file);
    rewind(file);
    return file;
}

int main(void)
{
    FILE *file = opened("abcdef");
    int first = ungetc('x', file);
    printf("before reading: %c\n", first);
    take(file, 2);
    ungetc('a', file);
    show("what was read", file);
    ungetc('z', file);
    show("behind the end", file);
    fclose(file);

    static char buffer[4];
    file = opened("123456789");
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    ungetc('y', file);
    take(file, 3);
    ungetc('2', file);
    ungetc('1', file);
    show("a buffer of its own", file);
    fclose(file);

    file = opened("123");
    setvbuf(file, NULL, _IONBF, 0);
    printf("%c\n", getc(file));
    ungetc('q', file);
    show("no buffer", file);
    fclose(file);

    file = opened("seek");
    getc(file);
    ungetc('S', file);
    fseek(file, 1, SEEK_SET);
    show("a move forgets", file);
    rewind(file);
    ungetc('w', file);
    char text[8] = "";
    size_t count = fread(text, 1, sizeof text - 1, file);
    printf("%zu %s\n", count, text);
    fclose(file);
    printf("%d\n", ungetc(EOF, stdin));
    ungetc('l', stdin);
    take(stdin, 1);
    return 0;
}
