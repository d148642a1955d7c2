// Addresses of the internet as text: version 4 here, and what is common; version 6 is in addresses6.c.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "../internal.h"
#include "addresses.h"

static uint32_t swapped(uint32_t number)
{
    return number << 24 | (number & 0xff00) << 8 | (number >> 8 & 0xff00) | number >> 24;
}

static int digit(char c, unsigned base)
{
    unsigned value = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                            : base;
    return value < base ? (int)value : -1;
}

// A number as C writes it. 0 if there is none, or if it is larger than 32 bits.
static int read_number(const char **text, uint32_t *out)
{
    const char *at = *text;
    unsigned base = 10;
    uint64_t value = 0;
    if (digit(*at, 10) < 0)
        return 0;
    if (*at == '0') {
        base = 8;
        if ((at[1] | 0x20) == 'x' && digit(at[2], 16) >= 0) {
            base = 16;
            at += 2;
        }
    }
    for (; digit(*at, base) >= 0; at++) {
        value = value * base + (unsigned)digit(*at, base);
        if (value > UINT32_MAX)
            return 0;
    }
    *text = at;
    *out = (uint32_t)value;
    return 1;
}

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// One to four numbers with dots between them; the last one stands for all bytes that are left..
static int read_address(const char *text, uint32_t *out)
{
    uint32_t parts[4], address = 0;
    int count = 0;
    for (;;) {
        if (!read_number(&text, &parts[count]))
            return 0;
        count++;
        if (*text != '.')
            break;
        if (count == 4 || parts[count - 1] > 0xff)
            return 0;
        text++;
    }
    if (*text != '\0' && !is_space(*text))
        return 0;
    for (int i = 0; i < count - 1; i++)
        address |= parts[i] << (24 - 8 * i);
    if (count > 1 && parts[count - 1] > UINT32_MAX >> (8 * (count - 1)))
        return 0;
    *out = swapped(address | parts[count - 1]);
    return 1;
}

int inet_aton(const char *text, struct in_addr *out)
{
    uint32_t address;
    if (!read_address(text, &address))
        return 0;
    if (out != NULL)
        out->s_addr = address;
    return 1;
}

in_addr_t inet_addr(const char *text)
{
    uint32_t address;
    return read_address(text, &address) ? address : INADDR_NONE;
}

char *__symcrete_print_address(char *to, const unsigned char bytes[4])
{
    for (int i = 0; i < 4; i++) {
        unsigned byte = bytes[i];
        if (i > 0)
            *to++ = '.';
        if (byte >= 100)
            *to++ = (char)('0' + byte / 100);
        if (byte >= 10)
            *to++ = (char)('0' + byte / 10 % 10);
        *to++ = (char)('0' + byte % 10);
    }
    *to = '\0';
    return to;
}

char *inet_ntoa(struct in_addr address)
{
    static char text[INET_ADDRSTRLEN];
    __symcrete_print_address(text, (const unsigned char *)&address);
    return text;
}

const char *__symcrete_read_dotted(const char *text, unsigned char out[4])
{
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        int digits = 0;
        for (; *text >= '0' && *text <= '9'; text++, digits++) {
            if (digits > 0 && value == 0)
                return NULL;
            value = value * 10 + (unsigned)(*text - '0');
            if (value > 0xff)
                return NULL;
        }
        if (digits == 0)
            return NULL;
        out[i] = (unsigned char)value;
        if (i < 3 && *text++ != '.')
            return NULL;
    }
    return text;
}

int inet_pton(int family, const char *restrict text, void *restrict out)
{
    unsigned char bytes[16];
    size_t size = family == AF_INET ? 4 : 16;
    if (family != AF_INET && family != AF_INET6)
        return __symcrete_fail(EAFNOSUPPORT);
    const char *end = family == AF_INET ? __symcrete_read_dotted(text, bytes) : __symcrete_read_address6(text, bytes);
    if (end == NULL || *end != '\0')
        return 0;
    memcpy(out, bytes, size);
    return 1;
}

const char *inet_ntop(int family, const void *restrict address, char *restrict out, socklen_t size)
{
    char text[INET6_ADDRSTRLEN], *end;
    if (family != AF_INET && family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    end = family == AF_INET ? __symcrete_print_address(text, address) : __symcrete_print_address6(text, address);
    if ((size_t)(end - text) >= size) {
        errno = ENOSPC;
        return NULL;
    }
    return memcpy(out, text, (size_t)(end - text) + 1);
}

in_addr_t inet_network(const char *text)
{
    uint32_t parts[4], address = 0;
    int count = 0;
    do {
        if (count == 4 || !read_number(&text, &parts[count]) || parts[count] > 0xff)
            return INADDR_NONE;
        address = address << 8 | parts[count++];
    } while (*text == '.' && *text++ != '\0');
    while (is_space(*text))
        text++;
    return *text == '\0' ? address : INADDR_NONE;
}

in_addr_t inet_netof(struct in_addr in)
{
    uint32_t address = swapped(in.s_addr);
    return IN_CLASSA(address)   ? (address & IN_CLASSA_NET) >> IN_CLASSA_NSHIFT
           : IN_CLASSB(address) ? (address & IN_CLASSB_NET) >> IN_CLASSB_NSHIFT
                                : (address & IN_CLASSC_NET) >> IN_CLASSC_NSHIFT;
}

in_addr_t inet_lnaof(struct in_addr in)
{
    uint32_t address = swapped(in.s_addr);
    return IN_CLASSA(address)   ? address & IN_CLASSA_HOST
           : IN_CLASSB(address) ? address & IN_CLASSB_HOST
                                : address & IN_CLASSC_HOST;
}

struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host)
{
    uint32_t address = network < 128         ? network << IN_CLASSA_NSHIFT | (host & IN_CLASSA_HOST)
                       : network < 65536     ? network << IN_CLASSB_NSHIFT | (host & IN_CLASSB_HOST)
                       : network < 16777216u ? network << IN_CLASSC_NSHIFT | (host & IN_CLASSC_HOST)
                                             : network | host;
    return (struct in_addr){swapped(address)};
}
