// Comparisons of the counted functions of <string.h> and <strings.h>, narrow and fortified.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "differential.h"

OURS(memcmp);
OURS(bcmp);
OURS(memchr);
OURS(memrchr);
OURS(rawmemchr);
OURS(memmem);
OURS(mempcpy);
OURS(memccpy);
OURS(memfrob);
OURS(swab);
OURS(ffs);
OURS(ffsl);
OURS(ffsll);
char *our___strcpy_chk(char *to, const char *from, size_t size);
char *our___strcat_chk(char *to, const char *from, size_t size);
char *our___strncat_chk(char *to, const char *from, size_t count, size_t size);
void *our___memcpy_chk(void *to, const void *from, size_t count, size_t size);

static void compare_once(void)
{
    unsigned char first[40], second[40], theirs[64] = {0}, ours[64] = {0};
    size_t size = random_below(40), needle = random_below(4), n = size ? random_below((unsigned)size + 1) : 0;
    for (size_t i = 0; i < 40; i++) {
        first[i] = (unsigned char)"ab\0\xff"[random_below(4)];
        second[i] = random_below(8) ? first[i] : (unsigned char)"ab\0\xff"[random_below(4)];
    }
    char *a = guarded_copy(0, first, size), *b = guarded_copy(1, second, size), *c = guarded_copy(2, second, needle);
    int byte = "abc\xff\0"[random_below(5)];
    CHECK(sign(our_memcmp(a, b, n)) == sign(memcmp(a, b, n)), "memcmp %zu", n);
    CHECK(!our_bcmp(a, b, n) == !bcmp(a, b, n), "bcmp %zu", n);
    CHECK(our_memchr(a, byte, n) == memchr(a, byte, n), "memchr %zu", n);
    CHECK(our_memrchr(a, byte, n) == memrchr(a, byte, n), "memrchr %zu", n);
    if (memchr(a, byte, size) != NULL)
        CHECK(our_rawmemchr(a, byte) == rawmemchr(a, byte), "rawmemchr");
    CHECK(our_memmem(a, n, c, needle) == memmem(a, n, c, needle), "memmem %zu %zu", n, needle);
    CHECK(our_mempcpy(ours, a, n) == ours + n && memcmp(ours, a, n) == 0, "mempcpy %zu", n);
    memcpy(theirs, ours, sizeof ours);
    char *their_end = memccpy(theirs, b, byte, n), *our_end = our_memccpy(ours, b, byte, n);
    CHECK((their_end == NULL) == (our_end == NULL) && memcmp(theirs, ours, sizeof ours) == 0, "memccpy %zu", n);
    CHECK(our_end == NULL || our_end - (char *)ours == their_end - (char *)theirs, "memccpy %zu", n);
    memfrob(theirs, n);
    our_memfrob(ours, n);
    CHECK(memcmp(theirs, ours, sizeof ours) == 0, "memfrob %zu", n);
    swab(a, theirs, (ssize_t)n);
    our_swab(a, ours, (ssize_t)n);
    CHECK(memcmp(theirs, ours, sizeof ours) == 0, "swab %zu", n);
    long long bits = (long long)(random_bits() << random_below(64));
    CHECK(our_ffs((int)bits) == ffs((int)bits) && our_ffsl(bits) == ffsl(bits) && our_ffsll(bits) == ffsll(bits),
          "ffs");
}

static void check_fortified(void)
{
    char to[8] = "abc";
    CHECK(ENDS(our___strcpy_chk(to, "1234567", 8)) == STILL_RUNNING && strcmp(to, "1234567") == 0,
          "strcpy_chk that fits");
    CHECK(ENDS(our___strcpy_chk(to, "12345678", 8)) == ABORTED, "strcpy_chk that does not fit");
    CHECK(strcmp(captured_messages(), "*** buffer overflow detected ***: terminated\n") == 0, "message of __chk_fail");
    strcpy(to, "abc");
    CHECK(ENDS(our___strcat_chk(to, "defg", 8)) == STILL_RUNNING && strcmp(to, "abcdefg") == 0, "strcat_chk that fits");
    CHECK(ENDS(our___strcat_chk(to, "h", 8)) == ABORTED, "strcat_chk that does not fit");
    strcpy(to, "abc");
    CHECK(ENDS(our___strncat_chk(to, "defghijk", 4, 8)) == STILL_RUNNING && strcmp(to, "abcdefg") == 0, "strncat_chk");
    CHECK(ENDS(our___memcpy_chk(to, "123456789", 9, 8)) == ABORTED, "memcpy_chk that does not fit");
    captured_messages();
}

void test_memory(void)
{
    for (int round = 0; round < 30000; round++)
        compare_once();
    check_fortified();
}
