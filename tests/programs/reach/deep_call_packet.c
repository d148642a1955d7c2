// A packet whose layers are taken off one call after another; the innermost call sees the command.
#include <symcrete.h>

struct cursor { const unsigned char *at; unsigned left; };

static int command(struct cursor *cursor) {
    if (cursor->left < 3)
        return -1;
    unsigned argument = cursor->at[1] | (unsigned)cursor->at[2] << 8;
    if (cursor->at[0] == 0x7e && argument == 0xbeef)
        return 100; //~ reached
    return cursor->at[0];
}

static int session(struct cursor *cursor) {
    if (cursor->left < 2 || cursor->at[0] != 0x42)
        return -2;
    unsigned skip = cursor->at[1] & 3;
    if (cursor->left < 2 + skip)
        return -3;
    cursor->at += 2 + skip;
    cursor->left -= 2 + skip;
    return command(cursor);
}

static int frame(struct cursor *cursor) {
    if (cursor->left < 1 || cursor->at[0] != cursor->left)
        return -4;
    cursor->at++;
    cursor->left--;
    return session(cursor);
}

int main(void) {
    unsigned char bytes[8];
    symcrete_make_symbolic(bytes, sizeof bytes, "bytes");
    struct cursor cursor = {bytes, symcrete_choice(sizeof bytes + 1, "length")};
    return frame(&cursor) == 100;
}
