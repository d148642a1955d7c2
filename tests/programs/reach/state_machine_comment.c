// Comments and strings of a small language recognised byte by byte in a loop with a switch.
#include <symcrete.h>

enum state { CODE, SLASH, COMMENT, STAR, STRING, ESCAPE };

int main(void) {
    char text[9];
    symcrete_make_symbolic(text, sizeof text, "text");
    enum state state = CODE;
    int comments = 0, strings = 0;
    for (unsigned i = 0; i < sizeof text; i++) {
        char c = text[i];
        switch (state) {
        case CODE:
            state = c == '/' ? SLASH : c == '"' ? STRING : CODE;
            break;
        case SLASH:
            state = c == '*' ? COMMENT : c == '/' ? SLASH : c == '"' ? STRING : CODE;
            break;
        case COMMENT:
            if (c == '*')
                state = STAR;
            break;
        case STAR:
            if (c == '/') {
                comments++;
                state = CODE;
            } else if (c != '*')
                state = COMMENT;
            break;
        case STRING:
            if (c == '"') {
                strings++;
                state = CODE;
            } else if (c == '\\')
                state = ESCAPE;
            break;
        case ESCAPE:
            state = STRING;
            break;
        }
    }
    if (comments == 1 && strings == 1 && state == STAR)
        return 1; //~ reached
    if (comments == 2 && strings == 1)
        return 2; //~ unreachable
    return 0;
}
