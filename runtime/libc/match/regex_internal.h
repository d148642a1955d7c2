// POSIX regular expressions: what the parser, the compiler and the matcher share.
#ifndef SYMCRETE_REGEX_INTERNAL_H
#define SYMCRETE_REGEX_INTERNAL_H

#include <regex.h>
#include <stdint.h>

// A set of bytes.
struct byte_set {
    uint32_t words[8];
};

static inline int set_has(const struct byte_set *set, unsigned char byte)
{
    return set->words[byte / 32] >> (byte % 32) & 1;
}

static inline void set_put(struct byte_set *set, unsigned char byte)
{
    set->words[byte / 32] |= (uint32_t)1 << (byte % 32);
}

enum condition { LINE_START, LINE_END, TEXT_START, TEXT_END, WORD_START, WORD_END, WORD_EDGE, NO_WORD_EDGE };

enum node_kind {
    NODE_EMPTY,
    NODE_CHARACTER, // number: the byte
    NODE_ANY,
    NODE_SET,       // number: index of the set
    NODE_CONDITION, // number: enum condition
    NODE_BACK,      // number: group
    NODE_GROUP,     // number: group, left: contents
    NODE_SEQUENCE,  // left, right
    NODE_EITHER,    // left, right
    NODE_REPEAT,    // left, least, most (-1: no bound)
};

struct node {
    enum node_kind kind;
    int number, left, right, least, most;
};

// What the parser builds. Nodes refer to each other by index.
struct syntax_tree {
    struct node *nodes;
    int node_count, node_room;
    struct byte_set *sets;
    int set_count, set_room;
    int group_count;
    int has_back_references;
    int root;
};

// Returns 0 or one of the REG_ errors. The tree's arrays belong to the caller in either case.
int __symcrete_regex_parse(const char *pattern, int flags, struct syntax_tree *tree);

enum operation {
    OP_CHARACTER, // first: the byte
    OP_ANY,
    OP_SET,       // first: index
    OP_CONDITION, // first: enum condition
    OP_BACK,      // first: group
    OP_SPLIT,     // go on at first, or else at second
    OP_JUMP,      // first
    OP_SAVE,      // first: the slot that takes the position
    OP_PROGRESS, // first: a slot; a round that has not moved the position since is the last one, and goes on at second;
                 // unless there was a round before (the next slot is set): then it should not have begun
    OP_CLEAR,    // first: a slot to unset
    OP_MATCH,
};

struct instruction {
    enum operation operation;
    int first, second;
};

// The compiled expression. Slots are two for each group (0: the whole match), then two for each
// repetition: where its last round began, and whether there was one before.
struct regex_program {
    struct instruction *code;
    int length, room;
    struct byte_set *sets;
    int slot_count;
    int flags;
    int has_back_references;
};

#endif
