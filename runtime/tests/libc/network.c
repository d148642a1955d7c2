// Byte order and addresses of the internet.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"

#undef htons
#undef htonl
#undef ntohs
#undef ntohl

OURS(htons);
OURS(htonl);
OURS(ntohs);
OURS(ntohl);
OURS(inet_aton);
OURS(inet_addr);
OURS(inet_ntoa);
OURS(inet_pton);
OURS(inet_ntop);
OURS(inet_netof);
OURS(inet_lnaof);
OURS(inet_makeaddr);

static void check_text(const char *text)
{
    struct in_addr theirs = {0}, ours = {0};
    int expected = inet_aton(text, &theirs), got = our_inet_aton(text, &ours);
    CHECK(expected == got && theirs.s_addr == ours.s_addr, "inet_aton %s: %d, ours %d", text, expected, got);
    CHECK(inet_addr(text) == our_inet_addr(text), "inet_addr %s", text);
    for (int family = AF_INET; family <= AF_INET6; family += AF_INET6 - AF_INET) {
        unsigned char their_bytes[16] = {0}, our_bytes[16] = {0};
        expected = inet_pton(family, text, their_bytes);
        got = our_inet_pton(family, text, our_bytes);
        CHECK(expected == got && memcmp(their_bytes, our_bytes, 16) == 0, "inet_pton %s: %d, ours %d", text, expected, got);
    }
}

static void check_bytes(int family, const unsigned char bytes[16])
{
    char theirs[64] = "", ours[64] = "";
    socklen_t size = random_below(4) == 0 ? random_below(64) : sizeof theirs;
    errno = our_errno = 0;
    const char *expected = inet_ntop(family, bytes, theirs, size), *got = our_inet_ntop(family, bytes, ours, size);
    CHECK((expected == NULL) == (got == NULL) && errno == our_errno, "inet_ntop: errno %d, ours %d", errno, our_errno);
    CHECK(strcmp(theirs, ours) == 0, "inet_ntop: %s, ours %s", theirs, ours);
}

void test_network(void)
{
    static const char *texts[] = {"1.2.3.4", "1.2.3.4 x", "0x7f.1", "010.1.2.3", "4294967295", "4294967296", "1.2.65536", "0x",
                                  "00.0.0.0", "::", "::1", "1::", "1:2:3:4:5:6:7::", "::1.2.3.4", "::ffff:1.2.3.4",
                                  "1:2:3:4:5:6:1.2.3.4", ":::", "1:::2", "12345::", "1::2::3", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_text(texts[i]);
    for (int i = 0; i < 20000; i++) {
        char text[40];
        unsigned char bytes[16];
        random_string(text, sizeof text - 1, random_below(2) == 0 ? "0123456789.." : "0123af::::.");
        check_text(text);
        for (int j = 0; j < 16; j++)
            bytes[j] = random_below(3) != 0 ? 0 : random_below(3) == 0 ? 0xff : (unsigned char)random_bits();
        check_bytes(AF_INET, bytes);
        check_bytes(AF_INET6, bytes);
        uint32_t number = (uint32_t)random_bits();
        CHECK(htonl(number) == our_htonl(number) && ntohl(number) == our_ntohl(number), "htonl %x", number);
        CHECK(htons((uint16_t)number) == our_htons((uint16_t)number), "htons %x", number);
        CHECK(ntohs((uint16_t)number) == our_ntohs((uint16_t)number), "ntohs %x", number);
        struct in_addr address = {number};
        CHECK(strcmp(inet_ntoa(address), our_inet_ntoa(address)) == 0, "inet_ntoa %x", number);
        CHECK(inet_netof(address) == our_inet_netof(address), "inet_netof %x", number);
        CHECK(inet_lnaof(address) == our_inet_lnaof(address), "inet_lnaof %x", number);
    }
}
