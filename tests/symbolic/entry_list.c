// A list as parameter, made as far as it is looked at.
// flags: --entry length
// oracle: none
// paths: at least 4
// findings: none
struct node {
    int value;
    struct node *next;
};

int length(struct node *list) {
    int count = 0;
    while (list && count < 3) {
        if (list->value == 1000 + count)
            return -count;
        count++;
        list = list->next;
    }
    return count;
}
