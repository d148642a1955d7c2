// One to two arguments of at most two letters: which options they are. How many there are is decided first, so that an unknown
// option alone and one with an argument behind it are two paths.
// flags: --sym-args 1 2 2
// domain: arg* char = 0 '-' 'v' 'q' 'x'
// paths: 26
// oracle: 25 (blocks alone do not tell how many arguments there are)
// findings: none
int main(int argc, char **argv) {
    int verbose = 0, quiet = 0, files = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' || word[1] == 0) {
            files++;
            continue;
        }
        switch (word[1]) {
        case 'v':
            verbose++;
            break;
        case 'q':
            quiet++;
            break;
        default:
            return 2;
        }
    }
    if (verbose && quiet)
        return 1;
    return files * 10 + verbose;
}
