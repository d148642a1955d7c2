// Regular expressions: regexec. Finds the leftmost match and the longest there; among equals, groups hold what the
// first alternatives and the greediest repetitions gave them.
//
// The program is explored by backtracking. Without back references a state (instruction, position) has the same future
// however it was reached, so none is explored twice, and the work is bounded by the size of the program times the text.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "regex_internal.h"

// Something to come back to: an instruction at a position, or (instruction -1) the old value of a slot.
struct choice {
    int instruction;
    int slot;
    regoff_t position;
};

struct matcher {
    const struct regex_program *program;
    const char *text;
    regoff_t length;
    int flags;              // of regexec
    regoff_t *slots, *best; // the second half of one array
    int found;
    struct choice *choices;
    size_t choice_count, choice_room;
    unsigned char *seen; // one bit for each state, or a null pointer
    int out_of_memory;
};

static int is_word(const struct matcher *matcher, regoff_t position)
{
    if (position < 0 || position >= matcher->length)
        return 0;
    unsigned char c = (unsigned char)matcher->text[position];
    return isalnum(c) || c == '_';
}

static int holds(const struct matcher *matcher, enum condition condition, regoff_t position)
{
    int by_line = matcher->program->flags & REG_NEWLINE;
    int before = is_word(matcher, position - 1), after = is_word(matcher, position);
    switch (condition) {
    case TEXT_START:
        return position == 0;
    case TEXT_END:
        return position == matcher->length;
    case LINE_START:
        return position == 0 ? !(matcher->flags & REG_NOTBOL) : by_line && matcher->text[position - 1] == '\n';
    case LINE_END:
        return position == matcher->length ? !(matcher->flags & REG_NOTEOL)
                                           : by_line && matcher->text[position] == '\n';
    case WORD_START:
        return !before && after;
    case WORD_END:
        return before && !after;
    case WORD_EDGE:
        return before != after;
    case NO_WORD_EDGE:
        return before == after;
    }
    return 0;
}

static void remember(struct matcher *matcher, struct choice choice)
{
    if (matcher->choice_count == matcher->choice_room) {
        size_t room = matcher->choice_room == 0 ? 64 : matcher->choice_room * 2;
        struct choice *longer = realloc(matcher->choices, room * sizeof *longer);
        if (longer == NULL) {
            matcher->out_of_memory = 1;
            return;
        }
        matcher->choices = longer;
        matcher->choice_room = room;
    }
    matcher->choices[matcher->choice_count++] = choice;
}

static int seen_before(struct matcher *matcher, int instruction, regoff_t position)
{
    if (matcher->seen == NULL)
        return 0;
    size_t state = (size_t)instruction * ((size_t)matcher->length + 1) + (size_t)position;
    unsigned char bit = (unsigned char)(1u << (state % 8));
    int seen = (matcher->seen[state / 8] & bit) != 0;
    matcher->seen[state / 8] |= bit;
    return seen;
}

// The length of what a group holds if it stands at the position again, or -1.
static regoff_t repeats_group(const struct matcher *matcher, int group, regoff_t position)
{
    regoff_t start = matcher->slots[2 * group], length = matcher->slots[2 * group + 1] - start;
    if (start < 0 || length < 0 || length > matcher->length - position)
        return -1;
    for (regoff_t i = 0; i < length; i++) {
        unsigned char a = (unsigned char)matcher->text[start + i], b = (unsigned char)matcher->text[position + i];
        if (a != b && (!(matcher->program->flags & REG_ICASE) || tolower(a) != tolower(b)))
            return -1;
    }
    return length;
}

// Whether a byte is what a character instruction wants.
static int accepts(const struct matcher *matcher, const struct instruction *wanted, unsigned char c)
{
    const struct regex_program *program = matcher->program;
    if (wanted->operation == OP_CHARACTER)
        return (program->flags & REG_ICASE ? tolower(c) : c) == wanted->first;
    if (wanted->operation == OP_SET)
        return set_has(&program->sets[wanted->first], c);
    return c != '\0' && (c != '\n' || !(program->flags & REG_NEWLINE));
}

// Follows one thread to its end: no match here, or a match that may be the best so far.
static void follow(struct matcher *matcher, int instruction, regoff_t position)
{
    const struct regex_program *program = matcher->program;
    while (!matcher->out_of_memory && !seen_before(matcher, instruction, position)) {
        const struct instruction *current = &program->code[instruction++];
        regoff_t length;
        switch (current->operation) {
        case OP_CHARACTER:
        case OP_ANY:
        case OP_SET:
            if (position == matcher->length || !accepts(matcher, current, (unsigned char)matcher->text[position]))
                return;
            position++;
            break;
        case OP_CONDITION:
            if (!holds(matcher, (enum condition)current->first, position))
                return;
            break;
        case OP_BACK:
            length = repeats_group(matcher, current->first, position);
            if (length < 0)
                return;
            position += length;
            break;
        case OP_SPLIT:
            remember(matcher, (struct choice){current->second, 0, position});
            instruction = current->first;
            break;
        case OP_JUMP:
            instruction = current->first;
            break;
        case OP_SAVE:
        case OP_CLEAR:
            remember(matcher, (struct choice){-1, current->first, matcher->slots[current->first]});
            matcher->slots[current->first] = current->operation == OP_SAVE ? position : -1;
            break;
        case OP_PROGRESS:
            if (matcher->slots[current->first] != position)
                break;
            if (matcher->slots[current->first + 1] >= 0)
                return;
            instruction = current->second;
            break;
        case OP_MATCH:
            if (!matcher->found || position > matcher->best[1])
                memcpy(matcher->best, matcher->slots, (size_t)program->slot_count * sizeof *matcher->best);
            matcher->found = 1;
            return;
        }
    }
}

// All that can match from one position on; leaves the best in `best`.
static void match_at(struct matcher *matcher, regoff_t start)
{
    for (int i = 0; i < matcher->program->slot_count; i++)
        matcher->slots[i] = -1;
    follow(matcher, 0, start);
    while (matcher->choice_count > 0 && !matcher->out_of_memory) {
        if (matcher->found && matcher->best[1] == matcher->length)
            break; // it cannot get longer
        struct choice choice = matcher->choices[--matcher->choice_count];
        if (choice.instruction < 0)
            matcher->slots[choice.slot] = choice.position;
        else
            follow(matcher, choice.instruction, choice.position);
    }
    matcher->choice_count = 0;
}

static int prepare(struct matcher *matcher)
{
    const struct regex_program *program = matcher->program;
    matcher->slots = malloc(2 * (size_t)program->slot_count * sizeof *matcher->slots);
    if (matcher->slots == NULL)
        return 0;
    matcher->best = matcher->slots + program->slot_count;
    if (!program->has_back_references) {
        size_t states = (size_t)program->length * ((size_t)matcher->length + 1);
        matcher->seen = calloc(states / 8 + 1, 1);
        return matcher->seen != NULL;
    }
    return 1;
}

int regexec(const regex_t *restrict expression, const char *restrict text, size_t count,
            regmatch_t matches[restrict count], int flags)
{
    struct matcher matcher = {
        .program = (const struct regex_program *)expression->__buffer, .text = text, .flags = flags};
    regoff_t offset = 0;
    if (flags & REG_STARTEND) {
        offset = matches[0].rm_so;
        matcher.text += offset;
        matcher.length = matches[0].rm_eo - offset;
    } else {
        matcher.length = (regoff_t)strlen(text);
    }
    if (!prepare(&matcher)) {
        free(matcher.slots);
        return REG_ESPACE;
    }
    for (regoff_t start = 0; start <= matcher.length && !matcher.found && !matcher.out_of_memory; start++)
        match_at(&matcher, start);
    if (matcher.found && !(matcher.program->flags & REG_NOSUB)) {
        for (size_t i = 0; i < count; i++) {
            int known = i <= expression->re_nsub && matcher.best[2 * i] >= 0 && matcher.best[2 * i + 1] >= 0;
            matches[i].rm_so = known ? matcher.best[2 * i] + offset : -1;
            matches[i].rm_eo = known ? matcher.best[2 * i + 1] + offset : -1;
        }
    }
    free(matcher.slots);
    free(matcher.choices);
    free(matcher.seen);
    return matcher.out_of_memory ? REG_ESPACE : matcher.found ? 0 : REG_NOMATCH;
}
