// A queue in a ring: two bytes say what is put in and taken out.
// paths: 11
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int ring[4];
static unsigned first, count;

static int step(unsigned char command) {
    if (command < 128) {
        if (count == 4)
            return 1;
        ring[(first + count++) & 3] = command;
    } else {
        if (count == 0)
            return 2;
        int taken = ring[first++ & 3];
        count--;
        if (taken == 33)
            return 3;
    }
    return 0;
}

int main(void) {
    unsigned char commands[2];
    klee_make_symbolic(commands, sizeof commands, "commands");
    for (int i = 0; i < 4; i++) {
        int trouble = step((unsigned char)(commands[i & 1] + i));
        if (trouble)
            return trouble * 10 + i;
    }
    return (int)count;
}
