// The byte order of networks, and internet addresses as text.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static void read_and_print(int family, const char *text) {
    unsigned char bytes[16] = {0};
    char again[INET6_ADDRSTRLEN] = "";
    int is_valid = inet_pton(family, text, bytes);
    if (is_valid == 1)
        inet_ntop(family, bytes, again, sizeof again);
    printf("%s: %d %s\n", text, is_valid, again);
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%x %x\n", htons((uint16_t)(0x1233 + argc)), htonl(0x12345677u + (unsigned)argc));
    printf("%x %x\n", ntohs((uint16_t)(0x1233 + argc)), ntohl(0x12345677u + (unsigned)argc));
    // Through pointers they are the library's, whatever the compiler knows.
    uint32_t (*volatile of_long[])(uint32_t) = {htonl, ntohl};
    uint16_t (*volatile of_short[])(uint16_t) = {htons, ntohs};
    for (int i = 0; i < 2; i++)
        printf("%x %x\n", of_long[i](0xa0b0c0d), of_short[i](0xa0b));
    const char *dotted[] = {"127.0.0.1", "1.2.3", "0x7f.1", "010.1.1.1", "1.2.3.256", "1.2.3.4x", "", "4294967295"};
    for (int i = 0; i < 8; i++) {
        struct in_addr address = {0};
        int is_valid = inet_aton(dotted[i], &address);
        printf("%s: %d %s %x\n", dotted[i], is_valid, inet_ntoa(address), inet_addr(dotted[i]));
        read_and_print(AF_INET, dotted[i]);
    }
    const char *six[] = {"::", "::1", "1:0:0:2::3", "::ffff:10.0.0.1", "2001:DB8::a", "1::2::3", "1:2:3:4:5:6:7:8:9"};
    for (int i = 0; i < 7; i++)
        read_and_print(AF_INET6, six[i]);
    char small[4];
    struct in_addr local = {htonl(INADDR_LOOPBACK)};
    errno = 0;
    printf("%d %d\n", inet_ntop(AF_INET, &local, small, sizeof small) == NULL, errno);
    printf("%d %d\n", inet_pton(77, "1.2.3.4", small), errno);
    printf("%d\n", memcmp(&in6addr_any, &(struct in6_addr)IN6ADDR_ANY_INIT, sizeof in6addr_any));
    return 0;
}
