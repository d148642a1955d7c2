// Global variables, one of them made an input, that functions change.
// paths: 5
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned char level;
static int events;
static unsigned char history[4] = {1, 1, 1, 1};

static void rise(void) {
    history[events++ & 3] = level;
    if (level < 255)
        level++;
}

int main(void) {
    klee_make_symbolic(&level, sizeof level, "level");
    for (int i = 0; i < 3; i++)
        rise();
    if (history[2] == 255)
        return history[0] == 255 ? 1 : history[1] == 255 ? 2 : 3;
    if (history[0] == history[3])
        return 4;
    return 0;
}
