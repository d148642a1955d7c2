// Drives zlib over standard input: `deflate LEVEL STRATEGY`, `inflate`, `checks`, `memory LEVEL`, `gzip LEVEL`, `gunzip`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zlib.h"

enum { CHUNK = 1000 };

static unsigned char *read_all(size_t *length) {
    size_t capacity = 4096;
    unsigned char *bytes = malloc(capacity);
    *length = 0;
    for (size_t got; (got = fread(bytes + *length, 1, capacity - *length, stdin)) > 0;) {
        *length += got;
        if (*length == capacity)
            bytes = realloc(bytes, capacity *= 2);
    }
    return bytes;
}

static int finish(const char *what, int status, const z_stream *stream) {
    fprintf(stderr, "%s: %d %s, %lu -> %lu, check %08lx\n", what, status, stream->msg ? stream->msg : "-", stream->total_in,
            stream->total_out, stream->adler);
    return status == Z_OK || status == Z_STREAM_END ? 0 : 1;
}

/* In chunks of odd sizes, with a full flush in the middle. */
static int compress_stream(int level, int strategy) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    int status = deflateInit2(&stream, level, Z_DEFLATED, 15, 8, strategy);
    if (status != Z_OK)
        return finish("deflateInit2", status, &stream);
    unsigned char in[CHUNK], out[CHUNK / 3];
    int chunks = 0, flush;
    do {
        stream.avail_in = (uInt)fread(in, 1, sizeof in, stdin);
        stream.next_in = in;
        flush = feof(stdin) ? Z_FINISH : ++chunks == 3 ? Z_FULL_FLUSH : Z_NO_FLUSH;
        do {
            stream.next_out = out;
            stream.avail_out = sizeof out;
            status = deflate(&stream, flush);
            fwrite(out, 1, sizeof out - stream.avail_out, stdout);
        } while (stream.avail_out == 0);
    } while (flush != Z_FINISH);
    finish("deflate", status, &stream);
    return deflateEnd(&stream) != Z_OK;
}

static int expand_stream(void) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    int status = inflateInit2(&stream, 15 + 32);
    unsigned char in[CHUNK / 7], out[CHUNK];
    while (status == Z_OK) {
        stream.avail_in = (uInt)fread(in, 1, sizeof in, stdin);
        stream.next_in = in;
        if (stream.avail_in == 0) {
            status = Z_BUF_ERROR;
            break;
        }
        do {
            stream.next_out = out;
            stream.avail_out = sizeof out;
            status = inflate(&stream, Z_NO_FLUSH);
            fwrite(out, 1, sizeof out - stream.avail_out, stdout);
        } while (status == Z_OK && stream.avail_out == 0);
        if (status == Z_BUF_ERROR)
            status = Z_OK;
    }
    int failed = finish("inflate", status, &stream);
    inflateEnd(&stream);
    return failed;
}

static int checks(void) {
    size_t length;
    unsigned char *bytes = read_all(&length);
    uLong crc = crc32(0, NULL, 0), adler = adler32(0, NULL, 0);
    size_t half = length / 2;
    printf("%08lx %08lx\n", crc32(crc, bytes, (uInt)length), adler32(adler, bytes, (uInt)length));
    uLong first = crc32(crc, bytes, (uInt)half), second = crc32(crc, bytes + half, (uInt)(length - half));
    printf("%08lx\n", crc32_combine(first, second, (z_off_t)(length - half)));
    uLong left = adler32(adler, bytes, (uInt)half), right = adler32(adler, bytes + half, (uInt)(length - half));
    printf("%08lx %s %lu\n", adler32_combine(left, right, (z_off_t)(length - half)), zlibVersion(), compressBound((uLong)length));
    free(bytes);
    return 0;
}

static int in_memory(int level) {
    size_t length;
    unsigned char *bytes = read_all(&length);
    uLongf size = compressBound((uLong)length), restored = (uLongf)length;
    unsigned char *packed = malloc(size), *back = malloc(length + 1);
    int status = compress2(packed, &size, bytes, (uLong)length, level);
    printf("%d %lu %08lx\n", status, size, crc32(0, packed, (uInt)size));
    status = uncompress(back, &restored, packed, size);
    printf("%d %lu %d\n", status, restored, memcmp(back, bytes, length));
    uLongf too_small = (uLongf)(length / 2);
    printf("%d\n", length > 1 ? uncompress(back, &too_small, packed, size) : 0);
    packed[size / 2] ^= 0x55;
    restored = (uLongf)length;
    printf("%d\n", uncompress(back, &restored, packed, size) != Z_OK);
    free(packed);
    free(back);
    free(bytes);
    return 0;
}

static int write_gzip(const char *level) {
    char mode[8];
    snprintf(mode, sizeof mode, "wb%.1s", level);
    gzFile out = gzdopen(dup(STDOUT_FILENO), mode);
    char line[200];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (++lines % 10 == 0)
            gzprintf(out, "%s", line);
        else
            gzputs(out, line);
    }
    fprintf(stderr, "%d lines, %ld bytes\n", lines, (long)gztell(out));
    return gzclose(out) != Z_OK;
}

static int read_gzip(void) {
    gzFile in = gzdopen(dup(STDIN_FILENO), "rb");
    char line[100];
    int first = gzgetc(in);
    if (first >= 0)
        gzungetc(first, in);
    while (gzgets(in, line, sizeof line))
        fputs(line, stdout);
    int error;
    const char *message = gzerror(in, &error);
    fprintf(stderr, "%d %d %s\n", gzeof(in), error, error ? strchr(message, ' ') : "-");
    gzclose(in);
    return error != Z_OK;
}

int main(int argc, char **argv) {
    const char *work = argc > 1 ? argv[1] : "";
    if (!strcmp(work, "deflate") && argc == 4)
        return compress_stream(atoi(argv[2]), atoi(argv[3]));
    if (!strcmp(work, "inflate"))
        return expand_stream();
    if (!strcmp(work, "checks"))
        return checks();
    if (!strcmp(work, "memory") && argc == 3)
        return in_memory(atoi(argv[2]));
    if (!strcmp(work, "gzip") && argc == 3)
        return write_gzip(argv[2]);
    if (!strcmp(work, "gunzip"))
        return read_gzip();
    fprintf(stderr, "unknown work\n");
    return 2;
}
