// Inserts COUNT symbolic keys into a binary search tree.
//
// Number of paths: the ordered Bell number of COUNT. A key that is inserted is compared until its place among the others is known,
// or an equal key is found; so a path is an order of the keys in which some may be equal (1, 3, 13, 75, 541, 4683, 47293 of them).
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

struct node {
    int key, copies;
    struct node *left, *right;
};

static struct node *new_node(int key) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->copies = 1;
    node->left = node->right = NULL;
    return node;
}

static void insert(struct node **tree, int key) {
    while (*tree != NULL) {
        if (key < (*tree)->key)
            tree = &(*tree)->left;
        else if (key > (*tree)->key)
            tree = &(*tree)->right;
        else {
            (*tree)->copies++;
            return;
        }
    }
    *tree = new_node(key);
}

static int release(struct node *tree) {
    if (tree == NULL)
        return 0;
    int left = release(tree->left), right = release(tree->right);
    free(tree);
    return 1 + (left > right ? left : right);
}

int main(void) {
    int keys[COUNT];
    klee_make_symbolic(keys, sizeof keys, "keys");
    struct node *tree = NULL;
    for (int i = 0; i < COUNT; i++)
        insert(&tree, keys[i]);
    return release(tree);
}
