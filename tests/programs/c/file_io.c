// Files: temporary ones, seeking, binary records, append, update mode, errors, stat, remove, rename.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct record { int number; double value; char name[12]; };

static void streams(void) {
    FILE *file = tmpfile();
    for (int line = 0; line < 200; line++)
        fprintf(file, "line %d: %.*s\n", line, line % 17, "0123456789abcdefg");
    printf("%ld %d\n", ftell(file), ferror(file));
    rewind(file);
    char text[64];
    int lines = 0, longest = 0;
    while (fgets(text, sizeof text, file)) {
        lines++;
        longest = (int)strlen(text) > longest ? (int)strlen(text) : longest;
    }
    printf("%d %d %d\n", lines, longest, feof(file) != 0);
    fseek(file, -20, SEEK_END);
    printf("[%s]", fgets(text, sizeof text, file));
    fseek(file, 5, SEEK_SET);
    fputs("X", file);
    fseek(file, 0, SEEK_SET);
    printf("%s", fgets(text, sizeof text, file));
    fseek(file, 3, SEEK_CUR);
    int character = fgetc(file);
    ungetc('!', file);
    int first = fgetc(file), second = fgetc(file);
    printf("%c%c%c\n", character, first, second);
    fclose(file);
}

static void records(void) {
    FILE *file = tmpfile();
    for (int number = 0; number < 20; number++) {
        struct record record = {.number = number * number, .value = number / 8.0};
        snprintf(record.name, sizeof record.name, "rec-%d", number);
        fwrite(&record, sizeof record, 1, file);
    }
    struct record some[3];
    for (int number = 18; number >= 0; number -= 6) {
        fseek(file, (long)(number * (long)sizeof some[0]), SEEK_SET);
        size_t got = fread(some, sizeof some[0], 3, file);
        for (size_t index = 0; index < got; index++)
            printf("%d %g %s, ", some[index].number, some[index].value, some[index].name);
        printf("%zu\n", got);
    }
    fclose(file);
}

static void descriptors(void) {
    char path[] = "/tmp/symcrete-test-XXXXXX", other[40];
    int file = mkstemp(path);
    printf("%d %zd\n", file >= 0, write(file, "hello, descriptor", 17));
    printf("%ld ", (long)lseek(file, -10, SEEK_CUR));
    char text[32] = "";
    printf("%zd ", read(file, text, 5));
    printf("%s ", text);
    printf("%zd\n", pread(file, text, 5, 0));
    struct stat status;
    fstat(file, &status);
    printf("%ld %d %d\n", (long)status.st_size, S_ISREG(status.st_mode), (int)(status.st_mode & 0777));
    printf("%d ", ftruncate(file, 8));
    close(file);
    FILE *appended = fopen(path, "a+");
    fputs("+more", appended);
    rewind(appended);
    printf("[%s] ", fgets(text, sizeof text, appended));
    fclose(appended);
    snprintf(other, sizeof other, "%s-moved", path);
    printf("%d ", rename(path, other));
    int missing = stat(path, &status);
    printf("%d %d\n", missing, errno == ENOENT);
    FILE *updated = fopen(other, "r+");
    fscanf(updated, "%31[^,],", text);
    printf("[%s] %d ", text, fgetc(updated));
    fclose(updated);
    int before = access(other, R_OK), removed = remove(other);
    printf("%d %d %d\n", before, removed, access(other, F_OK));
}

static void failing(void) {
    errno = 0;
    FILE *file = fopen("/nowhere/at/all", "r");
    printf("%d %s\n", file == NULL, strerror(errno));
    printf("%d ", open("/nowhere", O_RDONLY));
    printf("%d ", errno == ENOENT);
    errno = 0;
    int closed = close(999);
    printf("%d %d\n", closed, errno == EBADF);
    file = tmpfile();
    char byte;
    size_t got = fread(&byte, 1, 1, file);
    printf("%zu %d %d ", got, feof(file) != 0, ferror(file));
    clearerr(file);
    printf("%d %d\n", feof(file), fgetc(file));
    fclose(file);
}

int main(void) {
    streams();
    records();
    descriptors();
    failing();
    static char buffer[1024];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    printf("buffered\n");
    return 0;
}
