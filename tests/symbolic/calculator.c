// Evaluates a sum of products of digits, by recursive descent, in three characters of an argument.
// flags: --sym-args 1 1 3
// domain: arg0 char = 0 '0'..'9' '*' '+' '/' ')' ',' ':' 'a'
// paths: 14
// findings: division-by-zero
static const char *next;
static int wrong;

static int factor(void) {
    if (*next < '0' || *next > '9') {
        wrong = 1;
        return 0;
    }
    return *next++ - '0';
}

static int product(void) {
    int value = factor();
    while (!wrong && (*next == '*' || *next == '/')) {
        int divides = *next++ == '/';
        int right = factor();
        if (wrong)
            return 0;
        value = divides ? value / right : value * right; //~ division-by-zero
    }
    return value;
}

int main(int argc, char **argv) {
    (void)argc;
    next = argv[1];
    int value = product();
    while (!wrong && *next == '+') {
        next++;
        value += product();
    }
    if (wrong || *next != 0)
        return 100;
    return value;
}
