// Two keys into a small table with linear probing.
// paths: 30
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned char table[4];

static int insert(unsigned char key) {
    unsigned slot = (key * 7u + 3u) & 3;
    for (int tries = 0; tries < 4; tries++) {
        if (table[slot] == key)
            return 1;
        if (table[slot] == 0) {
            table[slot] = key;
            return 2;
        }
        slot = (slot + 1) & 3;
    }
    return 3;
}

int main(void) {
    unsigned char keys[2];
    klee_make_symbolic(keys, sizeof keys, "keys");
    insert(12);
    insert(13);
    int first = insert(keys[0]);
    int second = insert(keys[1]);
    return first * 10 + second;
}
