// A lookup that finds nothing for some inputs, whose answer is used without a look.
// paths: 6
// findings: null-dereference
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

struct entry {
    unsigned char key;
    int value;
};

static struct entry entries[] = {{'a', 1}, {'k', 2}, {'z', 3}};

static struct entry *find(unsigned char key) {
    for (int i = 0; i < 3; i++)
        if (entries[i].key == key)
            return &entries[i];
    return 0;
}

int main(void) {
    unsigned char key;
    klee_make_symbolic(&key, sizeof key, "key");
    if (key < 'a' || key > 'z')
        return 0;
    return find(key)->value; //~ null-dereference
}
