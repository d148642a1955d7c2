// A string as parameter: counts words.
// flags: --entry words
// oracle: none
// paths: at least 4
// findings: none
int words(const char *text) {
    int count = 0;
    if (!text)
        return -1;
    for (int i = 0; i < 4 && text[i]; i++)
        if (text[i] != ' ' && (i == 0 || text[i - 1] == ' '))
            count++;
    return count;
}
