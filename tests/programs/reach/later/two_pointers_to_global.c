// A function whose pointers, one behind the other, may lead to a variable of the program itself.
// flags: --entry apply
#include <stddef.h>

struct settings { int level; };
struct user { struct settings *settings; };

struct settings defaults = {3};

int apply(struct user *user, int wanted) {
    if (!user || !user->settings)
        return 0;
    if (wanted < 0 || wanted > 9)
        return 1;
    defaults.level = 5;
    user->settings->level = wanted;
    if (user->settings->level > 9)
        return 2; //~ unreachable
    if (defaults.level == 8)
        return 3; //~ reached
    return 4;
}
