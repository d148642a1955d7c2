// Regular expressions: from the pattern, basic or extended with GNU's escapes, to a syntax tree.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "character_class.h"
#include "regex_internal.h"

enum { MOST_REPETITIONS = 0x7fff, DEEPEST_NESTING = 500 };

struct parser {
    const char *place;
    int extended, flags, error, depth;
    unsigned closed_groups; // which of the first groups a back reference may name
    struct syntax_tree *tree;
};

static int fail(struct parser *parser, int error)
{
    if (parser->error == 0)
        parser->error = error;
    return 0;
}

static int add_node(struct parser *parser, struct node node)
{
    struct syntax_tree *tree = parser->tree;
    if (tree->node_count == tree->node_room) {
        int room = tree->node_room == 0 ? 16 : tree->node_room * 2;
        struct node *longer = realloc(tree->nodes, (size_t)room * sizeof *longer);
        if (longer == NULL)
            return fail(parser, REG_ESPACE);
        tree->nodes = longer;
        tree->node_room = room;
    }
    tree->nodes[tree->node_count] = node;
    return tree->node_count++;
}

static int leaf(struct parser *parser, enum node_kind kind, int number)
{
    return add_node(parser, (struct node){.kind = kind, .number = number});
}

static int pair(struct parser *parser, enum node_kind kind, int left, int right)
{
    return add_node(parser, (struct node){.kind = kind, .left = left, .right = right});
}

static int add_set(struct parser *parser, struct byte_set set)
{
    struct syntax_tree *tree = parser->tree;
    if (tree->set_count == tree->set_room) {
        int room = tree->set_room == 0 ? 4 : tree->set_room * 2;
        struct byte_set *longer = realloc(tree->sets, (size_t)room * sizeof *longer);
        if (longer == NULL)
            return fail(parser, REG_ESPACE);
        tree->sets = longer;
        tree->set_room = room;
    }
    tree->sets[tree->set_count] = set;
    return leaf(parser, NODE_SET, tree->set_count++);
}

static void put_class(struct byte_set *set, int bits)
{
    for (int c = 0; c < 256; c++)
        if (__symcrete_in_class(c, bits))
            set_put(set, (unsigned char)c);
}

static void negate(struct byte_set *set)
{
    for (int i = 0; i < 8; i++)
        set->words[i] = ~set->words[i];
    set->words[0] &= ~(uint32_t)1; // the terminator
}

// \w, \W, \s and \S
static int class_escape(struct parser *parser, char letter)
{
    struct byte_set set = {{0}};
    put_class(&set, letter == 'w' || letter == 'W' ? _ISalnum : _ISspace);
    if (letter == 'w' || letter == 'W')
        set_put(&set, '_');
    if (letter == 'W' || letter == 'S')
        negate(&set);
    return add_set(parser, set);
}

// One end of a range: a character, or [.c.] or [=c=].
static int bracket_character(struct parser *parser)
{
    const char *place = parser->place;
    if (place[0] == '[' && (place[1] == '.' || place[1] == '=')) {
        if (place[2] == '\0' || place[3] == '\0')
            return fail(parser, REG_EBRACK);
        if (place[3] != place[1] || place[4] != ']')
            return fail(parser, REG_ECOLLATE);
        parser->place += 5;
        return (unsigned char)place[2];
    }
    if (*place == '\0')
        return fail(parser, REG_EBRACK);
    parser->place++;
    return (unsigned char)*place;
}

static void bracket_member(struct parser *parser, struct byte_set *set)
{
    if (parser->place[0] == '[' && parser->place[1] == ':') {
        size_t length;
        int bits = __symcrete_class_bits(parser->place + 2, &length);
        if (bits == 0) {
            fail(parser, strstr(parser->place + 2, ":]") != NULL ? REG_ECTYPE : REG_EBRACK);
            return;
        }
        if ((parser->flags & REG_ICASE) && (bits == _ISlower || bits == _ISupper))
            bits = _ISalpha;
        put_class(set, bits);
        parser->place += 2 + length;
        return;
    }
    int low = bracket_character(parser), high = low;
    if (parser->error == 0 && parser->place[0] == '-' && parser->place[1] != ']') {
        parser->place++;
        high = bracket_character(parser);
        if (parser->error == 0 && high < low)
            fail(parser, REG_ERANGE);
    }
    for (int c = low; parser->error == 0 && c <= high; c++)
        set_put(set, (unsigned char)c);
}

static int bracket(struct parser *parser)
{
    struct byte_set set = {{0}};
    int negated = *parser->place == '^';
    parser->place += negated;
    if (*parser->place == '\0')
        return fail(parser, REG_BADPAT);
    for (int first = 1; parser->error == 0 && (first || *parser->place != ']'); first = 0) {
        if (*parser->place == '\0')
            return fail(parser, REG_EBRACK);
        bracket_member(parser, &set);
    }
    if (parser->error != 0)
        return 0;
    parser->place++;
    if (parser->flags & REG_ICASE)
        for (int c = 'a'; c <= 'z'; c++)
            if (set_has(&set, (unsigned char)c) || set_has(&set, (unsigned char)toupper(c))) {
                set_put(&set, (unsigned char)c);
                set_put(&set, (unsigned char)toupper(c));
            }
    if (negated) {
        if (parser->flags & REG_NEWLINE)
            set_put(&set, '\n');
        negate(&set);
    }
    return add_set(parser, set);
}

static int either(struct parser *parser);

static int group(struct parser *parser)
{
    int number = ++parser->tree->group_count;
    if (++parser->depth > DEEPEST_NESTING)
        return fail(parser, REG_ESPACE);
    int contents = either(parser);
    parser->depth--;
    if (parser->error != 0)
        return 0;
    const char *end = parser->extended ? ")" : "\\)";
    if (strncmp(parser->place, end, strlen(end)) != 0)
        return fail(parser, REG_EPAREN);
    parser->place += strlen(end);
    if (number < 10)
        parser->closed_groups |= 1u << number;
    return add_node(parser, (struct node){.kind = NODE_GROUP, .number = number, .left = contents});
}

// What follows a backslash, except for operators of basic expressions.
static int escape(struct parser *parser)
{
    static const char condition_letters[] = "`'<>bB";
    static const enum condition conditions[] = {TEXT_START, TEXT_END, WORD_START, WORD_END, WORD_EDGE, NO_WORD_EDGE};
    char letter = *parser->place;
    if (letter == '\0')
        return fail(parser, REG_EESCAPE);
    parser->place++;
    const char *condition = strchr(condition_letters, letter);
    if (condition != NULL)
        return leaf(parser, NODE_CONDITION, (int)conditions[condition - condition_letters]);
    if (strchr("wWsS", letter) != NULL)
        return class_escape(parser, letter);
    if (letter >= '1' && letter <= '9') {
        if (!(parser->closed_groups >> (letter - '0') & 1))
            return fail(parser, REG_ESUBREG);
        parser->tree->has_back_references = 1;
        return leaf(parser, NODE_BACK, letter - '0');
    }
    return leaf(parser, NODE_CHARACTER, (unsigned char)letter);
}

// Whether a basic expression's operator (after its backslash) or an extended one's is here.
static int at_operator(const struct parser *parser, char letter)
{
    const char *place = parser->place;
    return parser->extended ? *place == letter : place[0] == '\\' && place[1] == letter;
}

static int at_end_of_branch(const struct parser *parser)
{
    if (*parser->place == '\0' || at_operator(parser, '|'))
        return 1;
    return at_operator(parser, ')') && (parser->depth > 0 || !parser->extended);
}

// In basic expressions ^ and $ are anchors only at the edges of a branch.
static int is_final_dollar(const struct parser *parser)
{
    const char *next = parser->place + 1;
    return parser->extended || *next == '\0' || (next[0] == '\\' && (next[1] == ')' || next[1] == '|'));
}

static int at_repetition(const struct parser *parser)
{
    return *parser->place == '*' || at_operator(parser, '+') || at_operator(parser, '?') || at_operator(parser, '{');
}

// In basic expressions ^ is an anchor only where a branch begins.
static int atom(struct parser *parser, int first_in_branch)
{
    if (at_repetition(parser)) {
        // There is nothing to repeat. In basic expressions these are ordinary characters, except for the brace.
        if (parser->extended || at_operator(parser, '{'))
            return fail(parser, REG_BADRPT);
        parser->place += *parser->place == '\\';
        return leaf(parser, NODE_CHARACTER, (unsigned char)*parser->place++);
    }
    if (at_operator(parser, '(')) {
        parser->place += parser->extended ? 1 : 2;
        return group(parser);
    }
    char c = *parser->place;
    int final_dollar = c == '$' && is_final_dollar(parser);
    parser->place++;
    if (c == '\\')
        return escape(parser);
    if (c == '.')
        return leaf(parser, NODE_ANY, 0);
    if (c == '[')
        return bracket(parser);
    if (c == '^' && (parser->extended || first_in_branch))
        return leaf(parser, NODE_CONDITION, LINE_START);
    return final_dollar ? leaf(parser, NODE_CONDITION, LINE_END) : leaf(parser, NODE_CHARACTER, (unsigned char)c);
}

enum { NO_NUMBER = -1, BAD_NUMBER = -2 };

// A number of repetitions, up to the comma or the closing brace.
static int repetitions(struct parser *parser)
{
    int value = NO_NUMBER;
    while (*parser->place != ',' && !at_operator(parser, '}')) {
        if (*parser->place == '\0')
            return BAD_NUMBER;
        char c = *parser->place++;
        if (c < '0' || c > '9' || value == BAD_NUMBER)
            value = BAD_NUMBER;
        else if (value <= MOST_REPETITIONS)
            value = (value < 0 ? 0 : value) * 10 + (c - '0');
    }
    return value;
}

// {m}, {m,}, {m,n} or {,n}, after the brace.
static int interval(struct parser *parser, int repeated)
{
    int least = repetitions(parser), most = least;
    if (least != BAD_NUMBER && *parser->place == ',') {
        parser->place++;
        most = repetitions(parser);
        if (least == NO_NUMBER)
            least = 0;
    } else if (least == NO_NUMBER) {
        return fail(parser, REG_BADBR);
    }
    if (least == BAD_NUMBER || most == BAD_NUMBER)
        return fail(parser, *parser->place == '\0' ? REG_EBRACE : REG_BADBR);
    if (!at_operator(parser, '}') || (most >= 0 && most < least))
        return fail(parser, REG_BADBR);
    if (least > MOST_REPETITIONS || most > MOST_REPETITIONS)
        return fail(parser, REG_ESIZE);
    parser->place += parser->extended ? 1 : 2;
    return add_node(parser, (struct node){.kind = NODE_REPEAT, .left = repeated, .least = least, .most = most});
}

// An atom with its repetitions. Anchors take none.
static int repeated(struct parser *parser, int first_in_branch)
{
    int node = atom(parser, first_in_branch);
    if (parser->error != 0 || parser->tree->nodes[node].kind == NODE_CONDITION)
        return node;
    while (parser->error == 0 && at_repetition(parser)) {
        if (at_operator(parser, '{')) {
            parser->place += parser->extended ? 1 : 2;
            node = interval(parser, node);
        } else {
            parser->place += *parser->place == '\\';
            char c = *parser->place++;
            node = add_node(
                parser, (struct node){.kind = NODE_REPEAT, .left = node, .least = c == '+', .most = c == '?' ? 1 : -1});
        }
        // Basic expressions do not repeat what is repeated.
        if (parser->error == 0 && !parser->extended && (*parser->place == '*' || at_operator(parser, '{')))
            return fail(parser, REG_BADRPT);
    }
    return node;
}

static int branch(struct parser *parser)
{
    int node = -1;
    while (parser->error == 0 && !at_end_of_branch(parser)) {
        int next = repeated(parser, node < 0);
        node = node < 0 || parser->error != 0 ? next : pair(parser, NODE_SEQUENCE, node, next);
    }
    return node < 0 ? leaf(parser, NODE_EMPTY, 0) : node;
}

static int either(struct parser *parser)
{
    int node = branch(parser);
    while (parser->error == 0 && at_operator(parser, '|')) {
        parser->place += parser->extended ? 1 : 2;
        int other = branch(parser);
        node = pair(parser, NODE_EITHER, node, other);
    }
    return node;
}

int __symcrete_regex_parse(const char *pattern, int flags, struct syntax_tree *tree)
{
    struct parser parser = {.place = pattern, .extended = (flags & REG_EXTENDED) != 0, .flags = flags, .tree = tree};
    tree->root = either(&parser);
    if (parser.error == 0 && *parser.place != '\0')
        fail(&parser, REG_EPAREN);
    return parser.error;
}
