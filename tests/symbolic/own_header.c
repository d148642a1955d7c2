// Inputs by our own intrinsics.
// paths: 3
// findings: none
// exhaustive: yes
void symcrete_make_symbolic(void *object, unsigned long size, const char *name);
void symcrete_assume(int condition);

int main(void) {
    struct {
        unsigned char red;
        unsigned char green;
    } colour;
    symcrete_make_symbolic(&colour, sizeof colour, "colour");
    symcrete_assume(colour.red != colour.green);
    if (colour.red > colour.green)
        return colour.red - colour.green == 255 ? 1 : 2;
    if (colour.red + 1 == colour.green)
        return 3;
    return 4;
}
