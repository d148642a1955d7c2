// Files and times with 64-bit offsets and seconds: the headers rename the functions, and everything fits.
// native: -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
#include "files_and_times.c"
