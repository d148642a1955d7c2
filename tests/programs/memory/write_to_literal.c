// Writes to a string literal.
int main(void) {
    char *text = "constant";
    text[0] = 'C'; //~ write to read-only memory
    return text[0];
}
