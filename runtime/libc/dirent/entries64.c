// The functions of entries.c for 64-bit offsets: the headers then call them readdir64, scandir64 and so on.
#define _FILE_OFFSET_BITS 64
#include "entries.c"
