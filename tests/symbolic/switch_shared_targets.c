// Cases that share a target are one path, and so are those that fall into the default.
// paths: 7
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char letter;
    klee_make_symbolic(&letter, sizeof letter, "letter");
    int weight = 0;
    switch (letter) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    case '0' ... '9':
        return 2;
    case 'x':
        weight += 10; // and on
    case 'y':
        weight += 10;
    case 'z':
        weight += 10;
        break;
    case 7:
    default:
        weight = 3;
    }
    return weight;
}
