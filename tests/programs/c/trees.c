// Trees: an AVL tree, a trie, a heap, and a treap-like random structure, all freed at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct avl { int key, height; struct avl *left, *right; };

static int height(const struct avl *tree) { return tree ? tree->height : 0; }
static int max(int left, int right) { return left > right ? left : right; }
static void update(struct avl *tree) { tree->height = 1 + max(height(tree->left), height(tree->right)); }

static struct avl *rotate(struct avl *tree, int to_right) {
    struct avl *up = to_right ? tree->left : tree->right;
    if (to_right)
        tree->left = up->right, up->right = tree;
    else
        tree->right = up->left, up->left = tree;
    update(tree);
    update(up);
    return up;
}

static struct avl *balance(struct avl *tree) {
    update(tree);
    int lean = height(tree->left) - height(tree->right);
    if (lean > 1) {
        if (height(tree->left->left) < height(tree->left->right))
            tree->left = rotate(tree->left, 0);
        return rotate(tree, 1);
    }
    if (lean < -1) {
        if (height(tree->right->right) < height(tree->right->left))
            tree->right = rotate(tree->right, 1);
        return rotate(tree, 0);
    }
    return tree;
}

static struct avl *insert(struct avl *tree, int key) {
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        tree->key = key;
        tree->height = 1;
        return tree;
    }
    if (key < tree->key)
        tree->left = insert(tree->left, key);
    else if (key > tree->key)
        tree->right = insert(tree->right, key);
    return balance(tree);
}

static struct avl *erase(struct avl *tree, int key) {
    if (!tree)
        return NULL;
    if (key < tree->key) {
        tree->left = erase(tree->left, key);
    } else if (key > tree->key) {
        tree->right = erase(tree->right, key);
    } else if (!tree->left || !tree->right) {
        struct avl *child = tree->left ? tree->left : tree->right;
        free(tree);
        return child;
    } else {
        struct avl *next = tree->right;
        while (next->left)
            next = next->left;
        tree->key = next->key;
        tree->right = erase(tree->right, next->key);
    }
    return balance(tree);
}

static void print(const struct avl *tree) {
    if (!tree)
        return putchar('.'), (void)0;
    putchar('(');
    print(tree->left);
    printf("%d", tree->key);
    print(tree->right);
    putchar(')');
}

static void release(struct avl *tree) {
    if (tree)
        release(tree->left), release(tree->right), free(tree);
}

struct trie { struct trie *children[26]; int words; };

static void add(struct trie *trie, const char *word) {
    for (; *word; word++) {
        struct trie **child = &trie->children[*word - 'a'];
        if (!*child)
            *child = calloc(1, sizeof **child);
        trie = *child;
    }
    trie->words++;
}

static void list(struct trie *trie, char *prefix, int length) {
    if (trie->words)
        printf("%.*s:%d ", length, prefix, trie->words);
    for (int letter = 0; letter < 26; letter++)
        if (trie->children[letter]) {
            prefix[length] = (char)('a' + letter);
            list(trie->children[letter], prefix, length + 1);
            free(trie->children[letter]);
        }
}

static void heap_sort(int *values, int count) {
    for (int root = count / 2 - 1, end = count; end > 1;) {
        if (root >= 0) {
            root--;
        } else {
            end--;
            int top = values[0];
            values[0] = values[end], values[end] = top;
        }
        for (int at = root < 0 ? 0 : root, child; (child = 2 * at + 1) < end; at = child) {
            child += child + 1 < end && values[child + 1] > values[child];
            if (values[at] >= values[child])
                break;
            int kept = values[at];
            values[at] = values[child], values[child] = kept;
        }
    }
}

int main(void) {
    struct avl *tree = NULL;
    for (int step = 0; step < 40; step++)
        tree = insert(tree, step * 29 % 53);
    print(tree);
    printf(" %d\n", height(tree));
    for (int step = 0; step < 25; step++)
        tree = erase(tree, step * 2);
    print(tree);
    printf(" %d\n", height(tree));
    release(tree);
    struct trie trie = {0};
    const char *words[] = {"tea", "ten", "to", "inn", "in", "i", "tea", "tent", "a"};
    for (int index = 0; index < 9; index++)
        add(&trie, words[index]);
    char prefix[16];
    list(&trie, prefix, 0);
    int values[30];
    for (int index = 0; index < 30; index++)
        values[index] = index * 17 % 31 - 15;
    heap_sort(values, 30);
    heap_sort(values, 30);
    for (int index = 0; index < 30; index++)
        printf("%d ", values[index]);
    putchar('\n');
    return 0;
}
