// Addresses of version 6 as text (RFC 4291, section 2.2; printed as RFC 5952 says).
#include <netinet/in.h>
#include <string.h>

#include "addresses.h"

enum { GROUPS = 8, BYTES = 16 };

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT;
const struct in6_addr in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Up to four digits; how many there are.
static int read_group(const char *text, unsigned *out)
{
    int digits = 0;
    *out = 0;
    while (digits < 5 && hexadecimal(text[digits]) >= 0)
        *out = *out << 4 | (unsigned)hexadecimal(text[digits++]);
    return digits;
}

const char *__symcrete_read_address6(const char *text, unsigned char out[16])
{
    int used = 0, gap = -1;
    memset(out, 0, BYTES);
    if (*text == ':' && *++text != ':')
        return NULL;
    for (;;) {
        if (*text == ':' && gap < 0 && (used > 0 || text[-1] == ':')) {
            gap = used;
            text++;
            if (hexadecimal(*text) < 0)
                break;
        }
        unsigned group;
        int digits = read_group(text, &group);
        if (text[digits] == '.' && used <= BYTES - 4) {
            text = __symcrete_read_dotted(text, out + used);
            if (text == NULL)
                return NULL;
            used += 4;
            break;
        }
        if (digits == 0 || digits > 4 || used == BYTES)
            return NULL;
        out[used++] = (unsigned char)(group >> 8);
        out[used++] = (unsigned char)group;
        text += digits;
        if (*text != ':')
            break;
        text++;
        if (*text == '\0')
            return NULL;
    }
    if (gap < 0)
        return used == BYTES ? text : NULL;
    if (used == BYTES)
        return NULL;
    int behind = used - gap;
    memmove(out + BYTES - behind, out + gap, (size_t)behind);
    memset(out + gap, 0, (size_t)(BYTES - used));
    return text;
}

// The longest run of at least two groups that are zero, the first of equals.
static int longest_zeros(const unsigned groups[GROUPS], int *length)
{
    int best = -1, run = 0;
    *length = 1;
    for (int i = 0; i < GROUPS; i++) {
        run = groups[i] == 0 ? run + 1 : 0;
        if (run > *length) {
            *length = run;
            best = i + 1 - run;
        }
    }
    return best;
}

static char *print_group(char *to, unsigned group)
{
    int started = 0;
    for (int shift = 12; shift >= 0; shift -= 4) {
        unsigned digit = group >> shift & 0xf;
        if (digit != 0 || started || shift == 0)
            *to++ = "0123456789abcdef"[digit];
        started |= digit != 0;
    }
    return to;
}

char *__symcrete_print_address6(char *to, const unsigned char bytes[16])
{
    unsigned groups[GROUPS];
    int length;
    for (int i = 0; i < GROUPS; i++)
        groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
    int zeros = longest_zeros(groups, &length);
    // Addresses of version 4 in those of version 6 end as they are written there.
    int is_mapped = zeros == 0 && (length == 6 || (length == 5 && groups[5] == 0xffff));
    for (int i = 0; i < GROUPS; i++) {
        if (i == zeros) {
            *to++ = ':';
            i += length - 1;
            if (i == GROUPS - 1)
                *to++ = ':';
            continue;
        }
        if (i > 0)
            *to++ = ':';
        if (i == 6 && is_mapped)
            return __symcrete_print_address(to, bytes + 12);
        to = print_group(to, groups[i]);
    }
    *to = '\0';
    return to;
}
