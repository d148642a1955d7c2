// Recognises /* in two characters after a fixed beginning, by a table of states.
// flags: --sym-stdin 2
// paths: 6
// findings: none
// exhaustive: yes
#include <stdio.h>

enum state { CODE, SLASH, COMMENT, STAR, DONE };

int main(void) {
    enum state state = CODE;
    const char *fixed = "a/";
    for (int i = 0; i < 4; i++) {
        int c = i < 2 ? fixed[i] : getchar();
        switch (state) {
        case CODE:
            if (c == '/')
                state = SLASH;
            break;
        case SLASH:
            state = c == '*' ? COMMENT : c == '/' ? SLASH : CODE;
            break;
        case COMMENT:
            if (c == '*')
                state = STAR;
            break;
        case STAR:
            if (c == '/')
                state = DONE;
            else if (c != '*')
                state = COMMENT;
            break;
        case DONE:
            return 9;
        }
    }
    return state;
}
