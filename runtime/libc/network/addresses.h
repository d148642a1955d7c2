// Reading and printing of addresses, as the files of this folder share it.
#ifndef SYMCRETE_ADDRESSES_H
#define SYMCRETE_ADDRESSES_H

// Print an address with a NUL; return where that stands.
char *__symcrete_print_address(char *to, const unsigned char bytes[4]);
char *__symcrete_print_address6(char *to, const unsigned char bytes[16]);

// Read an address; return what follows it, or a null pointer.
const char *__symcrete_read_dotted(const char *text, unsigned char out[4]);
const char *__symcrete_read_address6(const char *text, unsigned char out[16]);

#endif
