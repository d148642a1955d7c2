// Three keys into a binary search tree: shapes, and which keys are equal.
// domain: keys int = 0..2
// paths: 13
// findings: none
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

struct node {
    int key;
    struct node *left, *right;
};

static struct node *insert(struct node *tree, int key) {
    if (tree == NULL) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else if (key > tree->key) {
        tree->right = insert(tree->right, key);
    }
    return tree;
}

static int release(struct node *tree) {
    if (tree == NULL)
        return 0;
    int count = 1 + release(tree->left) + release(tree->right);
    free(tree);
    return count;
}

int main(void) {
    int keys[3];
    klee_make_symbolic(keys, sizeof keys, "keys");
    struct node *tree = NULL;
    for (int i = 0; i < 3; i++)
        tree = insert(tree, keys[i]);
    return release(tree);
}
