/*
 * A red-black tree with parent pointers: insertion, lookup, and the check of its rules.
 *
 * Out of reach:
 *   rotate_left      the last `if`, true: `right` was just made the parent of `node`.
 *   tree_insert      `node->color != RED` behind the descent: it was set before, unless the descent writes nodes (it
 *                    does not).
 *   tree_of_three    `depth < 0` and `root.top == NULL`: three insertions leave a tree that follows the rules.
 */
#include <stddef.h>

enum color { RED, BLACK };

struct tree_node {
    struct tree_node *parent, *left, *right;
    enum color color;
    int key;
};

struct tree {
    struct tree_node *top;
    size_t size;
};

static void replace_child(struct tree *tree, struct tree_node *parent, struct tree_node *old, struct tree_node *new)
{
    if (parent == NULL)
        tree->top = new;
    else if (parent->left == old)
        parent->left = new;
    else
        parent->right = new;
}

void rotate_left(struct tree *tree, struct tree_node *node)
{
    struct tree_node *right = node->right;
    node->right = right->left;
    if (right->left != NULL)
        right->left->parent = node;
    right->parent = node->parent;
    replace_child(tree, node->parent, node, right);
    right->left = node;
    node->parent = right;
    if (node->parent != right)
        tree->size = 0;
}

void rotate_right(struct tree *tree, struct tree_node *node)
{
    struct tree_node *left = node->left;
    node->left = left->right;
    if (left->right != NULL)
        left->right->parent = node;
    left->parent = node->parent;
    replace_child(tree, node->parent, node, left);
    left->right = node;
    node->parent = left;
}

static void rebalance(struct tree *tree, struct tree_node *node)
{
    while (node->parent != NULL && node->parent->color == RED) {
        struct tree_node *parent = node->parent, *grand = parent->parent;
        int is_left = parent == grand->left;
        struct tree_node *uncle = is_left ? grand->right : grand->left;
        if (uncle != NULL && uncle->color == RED) {
            parent->color = uncle->color = BLACK;
            grand->color = RED;
            node = grand;
        } else if (is_left) {
            if (node == parent->right) {
                rotate_left(tree, parent);
                parent = node;
            }
            parent->color = BLACK;
            grand->color = RED;
            rotate_right(tree, grand);
            break;
        } else {
            if (node == parent->left) {
                rotate_right(tree, parent);
                parent = node;
            }
            parent->color = BLACK;
            grand->color = RED;
            rotate_left(tree, grand);
            break;
        }
    }
    tree->top->color = BLACK;
}

/* Whether the key was new. */
int tree_insert(struct tree *tree, struct tree_node *node)
{
    struct tree_node **at = &tree->top, *parent = NULL;
    node->left = node->right = NULL;
    node->color = RED;
    while (*at != NULL) {
        parent = *at;
        if (node->key == parent->key)
            return 0;
        at = node->key < parent->key ? &parent->left : &parent->right;
    }
    if (node->color != RED)
        return -1;
    node->parent = parent;
    *at = node;
    tree->size++;
    rebalance(tree, node);
    return 1;
}

const struct tree_node *tree_find(const struct tree *tree, int key)
{
    const struct tree_node *node = tree->top;
    while (node != NULL && node->key != key)
        node = key < node->key ? node->left : node->right;
    return node;
}

/* The number of black nodes on every way down, or -1 if the rules are broken. */
int black_depth(const struct tree_node *node)
{
    int left, right;
    if (node == NULL)
        return 0;
    if (node->color == RED && node->parent != NULL && node->parent->color == RED)
        return -1;
    left = black_depth(node->left);
    right = black_depth(node->right);
    if (left < 0 || left != right)
        return -1;
    return left + (node->color == BLACK);
}

int tree_of_three(int a, int b, int c)
{
    struct tree root = {NULL, 0};
    struct tree_node nodes[3];
    int inserted = 0, depth;
    nodes[0].key = a;
    nodes[1].key = b;
    nodes[2].key = c;
    for (int i = 0; i < 3; i++)
        inserted += tree_insert(&root, &nodes[i]);
    depth = black_depth(root.top);
    if (depth < 0)
        return -1;
    if (root.top == NULL)
        return -2;
    return inserted == 3 && root.top->key == b ? 1 : 0;
}
