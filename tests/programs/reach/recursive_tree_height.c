// Keys put into a binary search tree by a recursive function; a degenerate tree is one list.
#include <stddef.h>
#include <symcrete.h>

struct tree { int key; struct tree *left, *right; };

static struct tree nodes[4];

static struct tree *insert(struct tree *tree, struct tree *node) {
    if (!tree)
        return node;
    if (node->key < tree->key)
        tree->left = insert(tree->left, node);
    else if (node->key > tree->key)
        tree->right = insert(tree->right, node);
    return tree;
}

static int height(const struct tree *tree) {
    if (!tree)
        return 0;
    int left = height(tree->left), right = height(tree->right);
    return 1 + (left > right ? left : right);
}

int main(void) {
    struct tree *root = NULL;
    for (int i = 0; i < 4; i++) {
        nodes[i].key = symcrete_range(0, 99, "key");
        root = insert(root, &nodes[i]);
    }
    if (height(root) == 4 && root->left && root->left->right && root->left->right->left)
        return 1; //~ reached
    if (height(root) > 4)
        return 2; //~ unreachable
    return 0;
}
