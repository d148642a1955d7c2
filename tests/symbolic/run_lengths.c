// Packs a text of four letters to runs; the lengths of the runs are the path.
// domain: text char = 0 1 2 3
// paths: 8
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    char text[4], packed[8];
    klee_make_symbolic(text, sizeof text, "text");
    int used = 0;
    for (int i = 0; i < 4;) {
        int run = 1;
        while (i + run < 4 && text[i + run] == text[i])
            run++;
        packed[used++] = (char)run;
        packed[used++] = text[i];
        i += run;
    }
    return used / 2 * 10 + packed[0];
}
