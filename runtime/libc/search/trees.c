// tsearch and its relatives: balanced binary trees (AA trees). The shape differs from glibc's, the order does not.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "../internal.h"

// Programs read the key through a pointer to the node, so it comes first.
struct node {
    const void *key;
    struct node *left, *right;
    int level; // 1 for leaves; a right child may share its parent's level, a left child may not
};

static int level(const struct node *node)
{
    return node == NULL ? 0 : node->level;
}

// A left child on the same level turns into the parent.
static struct node *skew(struct node *node)
{
    if (node == NULL || node->left == NULL || node->left->level != node->level)
        return node;
    struct node *top = node->left;
    node->left = top->right;
    top->right = node;
    return top;
}

// Two right children on the same level: the middle one rises.
static struct node *split(struct node *node)
{
    if (node == NULL || node->right == NULL || level(node->right->right) != node->level)
        return node;
    struct node *top = node->right;
    node->right = top->left;
    top->left = node;
    top->level++;
    return top;
}

static struct node *insert(struct node *root, const void *key, __compar_fn_t compare, struct node **found)
{
    if (root == NULL) {
        struct node *node = malloc(sizeof *node);
        if (node != NULL)
            *node = (struct node){key, NULL, NULL, 1};
        return *found = node;
    }
    int order = compare(key, root->key);
    if (order == 0) {
        *found = root;
        return root;
    }
    if (order < 0)
        root->left = insert(root->left, key, compare, found);
    else
        root->right = insert(root->right, key, compare, found);
    return split(skew(root));
}

void *tsearch(const void *key, void **root, __compar_fn_t compare)
{
    struct node *found = NULL;
    if (root == NULL)
        return NULL;
    *root = insert(*root, key, compare, &found);
    return found;
}

void *tfind(const void *key, void *const *root, __compar_fn_t compare)
{
    struct node *node = root == NULL ? NULL : *root;
    while (node != NULL) {
        int order = compare(key, node->key);
        if (order == 0)
            break;
        node = order < 0 ? node->left : node->right;
    }
    return node;
}

static struct node *rebalance(struct node *node)
{
    int expected = 1 + (level(node->left) < level(node->right) ? level(node->left) : level(node->right));
    if (expected < node->level) {
        node->level = expected;
        if (level(node->right) > expected)
            node->right->level = expected;
    }
    node = skew(node);
    node->right = skew(node->right);
    if (node->right != NULL)
        node->right->right = skew(node->right->right);
    node = split(node);
    node->right = split(node->right);
    return node;
}

// Removes the smallest node of a tree and hands it out.
static struct node *remove_first(struct node *root, struct node **first)
{
    if (root->left == NULL) {
        *first = root;
        return root->right;
    }
    root->left = remove_first(root->left, first);
    return rebalance(root);
}

static struct node *erase(struct node *root, const void *key, __compar_fn_t compare, struct node **erased)
{
    if (root == NULL)
        return NULL;
    int order = compare(key, root->key);
    if (order < 0) {
        root->left = erase(root->left, key, compare, erased);
    } else if (order > 0) {
        root->right = erase(root->right, key, compare, erased);
    } else {
        *erased = root;
        if (root->right == NULL)
            return root->left;
        struct node *next, *right = remove_first(root->right, &next);
        next->left = root->left;
        next->right = right;
        next->level = root->level;
        root = next;
    }
    return rebalance(root);
}

// Returns the parent of what was deleted, or something that is not null if it was the root.
void *tdelete(const void *restrict key, void **restrict root, __compar_fn_t compare)
{
    if (root == NULL)
        return NULL;
    struct node *parent = *root, *erased = NULL;
    for (struct node *node = *root; node != NULL;) {
        int order = compare(key, node->key);
        if (order == 0)
            break;
        parent = node;
        node = order < 0 ? node->left : node->right;
    }
    *root = erase(*root, key, compare, &erased);
    if (erased == NULL)
        return NULL;
    if (parent == erased)
        parent = *root != NULL ? *root : (struct node *)root;
    free(erased);
    return parent;
}

static void walk(const struct node *node, __action_fn_t action, int depth)
{
    if (node->left == NULL && node->right == NULL) {
        action(node, leaf, depth);
        return;
    }
    action(node, preorder, depth);
    if (node->left != NULL)
        walk(node->left, action, depth + 1);
    action(node, postorder, depth);
    if (node->right != NULL)
        walk(node->right, action, depth + 1);
    action(node, endorder, depth);
}

void twalk(const void *root, __action_fn_t action)
{
    if (root != NULL)
        walk(root, action, 0);
}

static void walk_with(const struct node *node, void (*action)(const void *, VISIT, void *), void *context)
{
    if (node->left == NULL && node->right == NULL) {
        action(node, leaf, context);
        return;
    }
    action(node, preorder, context);
    if (node->left != NULL)
        walk_with(node->left, action, context);
    action(node, postorder, context);
    if (node->right != NULL)
        walk_with(node->right, action, context);
    action(node, endorder, context);
}

void twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *context)
{
    if (root != NULL)
        walk_with(root, action, context);
}

void tdestroy(void *root, __free_fn_t destroy)
{
    struct node *node = root;
    if (node == NULL)
        return;
    tdestroy(node->left, destroy);
    tdestroy(node->right, destroy);
    destroy((void *)node->key);
    free(node);
}
