// Numbers in the byte order of networks, which is not that of the machine.
#include <arpa/inet.h>

#undef htons
#undef htonl
#undef ntohs
#undef ntohl

static uint16_t swapped16(uint16_t number)
{
    return (uint16_t)(number << 8 | number >> 8);
}

static uint32_t swapped32(uint32_t number)
{
    return (uint32_t)swapped16((uint16_t)number) << 16 | swapped16((uint16_t)(number >> 16));
}

uint16_t htons(uint16_t number)
{
    return swapped16(number);
}

uint16_t ntohs(uint16_t number)
{
    return swapped16(number);
}

uint32_t htonl(uint32_t number)
{
    return swapped32(number);
}

uint32_t ntohl(uint32_t number)
{
    return swapped32(number);
}
