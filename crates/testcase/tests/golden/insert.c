/* A unit test that Symcrete wrote, to be included where insert is declared. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Calls insert; ends: return.
   The check is that the call returns.
   First to cover tree.c:3,5. */
void test_000007(void)
{
    _Alignas(16) unsigned char object_0[16] = {0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}; /* struct node */
    memcpy(object_0 + 8, &(void *){object_0}, sizeof(void *));
    struct node * root = (struct node *)(object_0);
    long key = (-9223372036854775807L - 1);
    double weight; /* 0.5 */
    memcpy(&weight, (const unsigned char[]){0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f}, 8);
    insert(root, key, weight);
}
