// Regular expressions: regcomp (from the syntax tree to a program for the matcher), regfree and regerror.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "regex_internal.h"

enum { LONGEST_PROGRAM = 200000 };

struct compiler {
    const struct syntax_tree *tree;
    struct regex_program *program;
    int failed;
};

static int emit(struct compiler *compiler, enum operation operation, int first, int second)
{
    struct regex_program *program = compiler->program;
    if (program->length == program->room) {
        int room = program->room == 0 ? 32 : program->room * 2;
        struct instruction *longer = NULL;
        if (room <= LONGEST_PROGRAM)
            longer = realloc(program->code, (size_t)room * sizeof *longer);
        if (longer == NULL) {
            compiler->failed = 1;
            return 0;
        }
        program->code = longer;
        program->room = room;
    }
    program->code[program->length] = (struct instruction){operation, first, second};
    return program->length++;
}

static void compile(struct compiler *compiler, int index);

// One more round of a repetition, which must match something unless it is the first.
static int compile_round(struct compiler *compiler, int body, int slot)
{
    emit(compiler, OP_SAVE, slot, 0);
    compile(compiler, body);
    int check = emit(compiler, OP_PROGRESS, slot, 0);
    emit(compiler, OP_SAVE, slot + 1, 0);
    return check;
}

static void compile_loop(struct compiler *compiler, int body, int slot)
{
    struct regex_program *program = compiler->program;
    int split = emit(compiler, OP_SPLIT, program->length + 1, 0);
    int check = compile_round(compiler, body, slot);
    emit(compiler, OP_JUMP, split, 0);
    if (!compiler->failed)
        program->code[split].second = program->code[check].second = program->length;
}

// Optional rounds, each inside of the one before: splits that all leave to the same place, chained until it is known.
static void compile_options(struct compiler *compiler, int body, int count, int slot)
{
    struct regex_program *program = compiler->program;
    int previous = -1;
    for (int i = 0; i < count && !compiler->failed; i++) {
        int split = emit(compiler, OP_SPLIT, program->length + 1, previous);
        int check = compile_round(compiler, body, slot);
        if (!compiler->failed)
            program->code[check].second = split;
        previous = check;
    }
    while (previous >= 0 && !compiler->failed) {
        int split = program->code[previous].second, before = program->code[split].second;
        program->code[previous].second = program->code[split].second = program->length;
        previous = before;
    }
}

static void compile_repeat(struct compiler *compiler, const struct node *node)
{
    int slot = compiler->program->slot_count;
    compiler->program->slot_count += 2;
    for (int i = 0; i < node->least && !compiler->failed; i++)
        compile(compiler, node->left);
    emit(compiler, node->least > 0 ? OP_SAVE : OP_CLEAR, slot + 1, 0);
    if (node->most < 0)
        compile_loop(compiler, node->left, slot);
    else
        compile_options(compiler, node->left, node->most - node->least, slot);
}

static void compile_either(struct compiler *compiler, const struct node *node)
{
    struct regex_program *program = compiler->program;
    int split = emit(compiler, OP_SPLIT, program->length + 1, 0);
    compile(compiler, node->left);
    int jump = emit(compiler, OP_JUMP, 0, 0);
    if (!compiler->failed)
        program->code[split].second = program->length;
    compile(compiler, node->right);
    if (!compiler->failed)
        program->code[jump].first = program->length;
}

static void compile(struct compiler *compiler, int index)
{
    const struct node *node = &compiler->tree->nodes[index];
    if (compiler->failed)
        return;
    switch (node->kind) {
    case NODE_EMPTY:
        break;
    case NODE_CHARACTER:
        emit(compiler, OP_CHARACTER, compiler->program->flags & REG_ICASE ? tolower(node->number) : node->number, 0);
        break;
    case NODE_ANY:
        emit(compiler, OP_ANY, 0, 0);
        break;
    case NODE_SET:
        emit(compiler, OP_SET, node->number, 0);
        break;
    case NODE_CONDITION:
        emit(compiler, OP_CONDITION, node->number, 0);
        break;
    case NODE_BACK:
        emit(compiler, OP_BACK, node->number, 0);
        break;
    case NODE_GROUP:
        emit(compiler, OP_SAVE, 2 * node->number, 0);
        compile(compiler, node->left);
        emit(compiler, OP_SAVE, 2 * node->number + 1, 0);
        break;
    case NODE_SEQUENCE:
        compile(compiler, node->left);
        compile(compiler, node->right);
        break;
    case NODE_EITHER:
        compile_either(compiler, node);
        break;
    case NODE_REPEAT:
        compile_repeat(compiler, node);
        break;
    }
}

static void destroy(struct regex_program *program)
{
    if (program != NULL) {
        free(program->code);
        free(program->sets);
        free(program);
    }
}

int regcomp(regex_t *expression, const char *pattern, int flags)
{
    struct syntax_tree tree = {0};
    memset(expression, 0, sizeof *expression);
    int error = __symcrete_regex_parse(pattern, flags, &tree);
    struct regex_program *program = error == 0 ? calloc(1, sizeof *program) : NULL;
    if (error == 0 && program == NULL)
        error = REG_ESPACE;
    if (error == 0) {
        struct compiler compiler = {&tree, program, 0};
        program->slot_count = 2 * (tree.group_count + 1);
        program->flags = flags;
        program->has_back_references = tree.has_back_references;
        program->sets = tree.sets;
        tree.sets = NULL;
        emit(&compiler, OP_SAVE, 0, 0);
        compile(&compiler, tree.root);
        emit(&compiler, OP_SAVE, 1, 0);
        emit(&compiler, OP_MATCH, 0, 0);
        if (compiler.failed)
            error = REG_ESPACE;
    }
    free(tree.nodes);
    free(tree.sets);
    if (error != 0) {
        destroy(program);
        return error;
    }
    expression->__buffer = (struct re_dfa_t *)program;
    expression->re_nsub = (size_t)tree.group_count;
    return 0;
}

void regfree(regex_t *expression)
{
    destroy((struct regex_program *)expression->__buffer);
    expression->__buffer = NULL;
}

size_t regerror(int error, const regex_t *restrict expression, char *restrict out, size_t size)
{
    static const char *const texts[] = {
        "Success",
        "No match",
        "Invalid regular expression",
        "Invalid collation character",
        "Invalid character class name",
        "Trailing backslash",
        "Invalid back reference",
        "Unmatched [, [^, [:, [., or [=",
        "Unmatched ( or \\(",
        "Unmatched \\{",
        "Invalid content of \\{\\}",
        "Invalid range end",
        "Memory exhausted",
        "Invalid preceding regular expression",
        "Premature end of regular expression",
        "Regular expression too big",
        "Unmatched ) or \\)",
    };
    (void)expression;
    if (error < 0 || (size_t)error >= sizeof texts / sizeof texts[0])
        abort();
    size_t needed = strlen(texts[error]) + 1;
    if (size != 0) {
        size_t copied = needed <= size ? needed - 1 : size - 1;
        memcpy(out, texts[error], copied);
        out[copied] = '\0';
    }
    return needed;
}
