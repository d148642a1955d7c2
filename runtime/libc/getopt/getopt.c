// getopt, getopt_long and getopt_long_only, with the order of arguments and the messages of glibc.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum ordering { PERMUTE, REQUIRE_ORDER, RETURN_IN_ORDER };

// One call's arguments.
struct call {
    int argc;
    char **argv;
    const char *letters;
    const struct option *long_options;
    int *long_index;
    int long_only, posix_order, complain;
};

// What is kept between calls: the rest of a group of letters, the arguments [first, last) that were passed over because
// they are no options, and how these are treated.
static char *rest;
static int first_passed, last_passed, started;
static int last_complaint; // what optopt says after every call, whatever the program wrote there
static enum ordering ordering;

static const char *start(const struct call *call, const char *letters)
{
    if (optind == 0 || !started) {
        if (optind == 0)
            optind = 1;
        first_passed = last_passed = optind;
        rest = NULL;
        started = 1;
        if (*letters == '-')
            ordering = RETURN_IN_ORDER;
        else if (*letters == '+' || call->posix_order || getenv("POSIXLY_CORRECT") != NULL)
            ordering = REQUIRE_ORDER;
        else
            ordering = PERMUTE;
    }
    return *letters == '-' || *letters == '+' ? letters + 1 : letters;
}

static void reverse(char **argv, int from, int to)
{
    for (to--; from < to; from++, to--) {
        char *argument = argv[from];
        argv[from] = argv[to];
        argv[to] = argument;
    }
}

// Moves the passed-over arguments behind the options that were found after them.
static void exchange(char **argv)
{
    reverse(argv, first_passed, last_passed);
    reverse(argv, last_passed, optind);
    reverse(argv, first_passed, optind);
    first_passed += optind - last_passed;
    last_passed = optind;
}

static int is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

// What a missing argument is answered with.
static int missing(const struct call *call)
{
    return *call->letters == ':' ? ':' : '?';
}

static void complain_about_letter(const struct call *call, const char *what, char letter)
{
    char quoted[] = {'\'', letter, '\'', '\n', '\0'};
    if (call->complain)
        __symcrete_complain(call->argv[0], what, quoted, NULL);
}

// "--NAME", where the dashes are as the user wrote them (or "-W ").
static void complain_about_name(const struct call *call, const char *before, const char *dashes, const char *name,
                                const char *after)
{
    if (call->complain)
        __symcrete_complain(call->argv[0], before, dashes, name, after, NULL);
}

static int same_meaning(const struct option *left, const struct option *right)
{
    return left->has_arg == right->has_arg && left->flag == right->flag && left->val == right->val;
}

// Finds the option that the name (or its beginning) stands for: its index, -1 if there is none, -2 if there are
// several.
static int find_name(const struct call *call, const char *name, size_t length, const char *dashes)
{
    const struct option *options = call->long_options;
    int found = -1, ambiguous = 0;
    for (int i = 0; options[i].name != NULL; i++)
        if (strncmp(options[i].name, name, length) == 0 && options[i].name[length] == '\0')
            return i;
    for (int i = 0; options[i].name != NULL; i++) {
        if (strncmp(options[i].name, name, length) != 0)
            continue;
        if (found < 0) {
            found = i;
            continue;
        }
        if (!call->long_only && same_meaning(&options[found], &options[i]))
            continue;
        if (!ambiguous && call->complain)
            __symcrete_complain(call->argv[0], ": option '", dashes, name, "' is ambiguous; possibilities: '", dashes,
                                options[found].name, "'", NULL);
        ambiguous = 1;
        if (call->complain)
            __symcrete_complain(" '", dashes, options[i].name, "'", NULL);
    }
    if (ambiguous && call->complain)
        __symcrete_complain("\n", NULL);
    return ambiguous ? -2 : found;
}

// The long option at `rest`. Returns -1 if it may be a group of letters instead.
static int long_option(const struct call *call, const char *dashes, int long_only)
{
    struct call adjusted = *call;
    adjusted.long_only = long_only;
    size_t length = strcspn(rest, "=");
    char *after_name = rest + length;
    int index = find_name(&adjusted, rest, length, dashes);
    if (index == -1 && long_only && call->argv[optind][1] != '-' && strchr(call->letters, *rest) != NULL)
        return -1;
    if (index < 0) {
        if (index == -1)
            complain_about_name(call, ": unrecognized option '", dashes, rest, "'\n");
        rest = NULL;
        optind++;
        last_complaint = 0;
        return '?';
    }

    const struct option *option = &call->long_options[index];
    optind++;
    rest = NULL;
    if (*after_name != '\0') {
        if (option->has_arg == no_argument) {
            complain_about_name(call, ": option '", dashes, option->name, "' doesn't allow an argument\n");
            last_complaint = option->val;
            return '?';
        }
        optarg = after_name + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= call->argc) {
            complain_about_name(call, ": option '", dashes, option->name, "' requires an argument\n");
            last_complaint = option->val;
            return missing(call);
        }
        optarg = call->argv[optind++];
    }
    if (call->long_index != NULL)
        *call->long_index = index;
    if (option->flag == NULL)
        return option->val;
    *option->flag = option->val;
    return 0;
}

static int letter_without_argument(const struct call *call, char letter)
{
    complain_about_letter(call, ": option requires an argument -- ", letter);
    last_complaint = (unsigned char)letter;
    return missing(call);
}

// "-W name" stands for "--name" if the letters say so with "W;".
static int long_option_after_w(const struct call *call)
{
    if (*rest == '\0') {
        if (optind == call->argc)
            return letter_without_argument(call, 'W');
        rest = call->argv[optind];
    }
    return long_option(call, "-W ", 0);
}

static int letter_option(const struct call *call)
{
    char letter = *rest++;
    const char *entry = strchr(call->letters, letter);
    if (*rest == '\0')
        optind++;
    if (entry == NULL || letter == ':' || letter == ';') {
        complain_about_letter(call, ": invalid option -- ", letter);
        last_complaint = (unsigned char)letter;
        return '?';
    }
    if (entry[0] == 'W' && entry[1] == ';' && call->long_options != NULL)
        return long_option_after_w(call);
    if (entry[1] != ':')
        return (unsigned char)letter;

    int result = (unsigned char)letter;
    if (*rest != '\0') {
        optarg = rest;
        optind++;
    } else if (entry[2] != ':') {
        if (optind == call->argc)
            result = letter_without_argument(call, letter);
        else
            optarg = call->argv[optind++];
    }
    rest = NULL;
    return result;
}

// Goes on to the next argument; returns -1 at the end of the options, 1 for an argument in order, 0 if argv[optind] is
// an option.
static int next_argument(const struct call *call)
{
    int argc = call->argc;
    char **argv = call->argv;
    if (last_passed > optind)
        last_passed = optind;
    if (first_passed > optind)
        first_passed = optind;
    if (ordering == PERMUTE) {
        if (first_passed != last_passed && last_passed != optind)
            exchange(argv);
        else if (last_passed != optind)
            first_passed = optind;
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        last_passed = optind;
    }
    if (optind != argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (first_passed != last_passed && last_passed != optind)
            exchange(argv);
        else if (first_passed == last_passed)
            first_passed = optind;
        last_passed = argc;
        optind = argc;
    }
    if (optind == argc) {
        if (first_passed != last_passed)
            optind = first_passed;
        return -1;
    }
    if (is_option(argv[optind]))
        return 0;
    if (ordering == REQUIRE_ORDER)
        return -1;
    optarg = argv[optind++];
    return 1;
}

static int find_option(struct call call)
{
    optarg = NULL;
    if (call.argc < 1)
        return -1;
    call.letters = start(&call, call.letters);
    call.complain = opterr && *call.letters != ':';
    if (rest == NULL || *rest == '\0') {
        int found = next_argument(&call);
        if (found != 0)
            return found;
        const char *argument = call.argv[optind];
        if (call.long_options != NULL) {
            if (argument[1] == '-') {
                rest = call.argv[optind] + 2;
                return long_option(&call, "--", call.long_only);
            }
            if (call.long_only && (argument[2] != '\0' || strchr(call.letters, argument[1]) == NULL)) {
                rest = call.argv[optind] + 1;
                int result = long_option(&call, "-", 1);
                if (result != -1)
                    return result;
            }
        }
        rest = call.argv[optind] + 1;
    }
    return letter_option(&call);
}

static int next_option(struct call call)
{
    int result = find_option(call);
    optopt = last_complaint;
    return result;
}

int __posix_getopt(int argc, char *const *argv, const char *letters);

int getopt(int argc, char *const *argv, const char *letters)
{
    return next_option((struct call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

int __posix_getopt(int argc, char *const *argv, const char *letters)
{
    return next_option((struct call){.argc = argc, .argv = (char **)argv, .letters = letters, .posix_order = 1});
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options, int *index)
{
    return next_option((struct call){
        .argc = argc, .argv = (char **)argv, .letters = letters, .long_options = options, .long_index = index});
}

int getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *options, int *index)
{
    return next_option((struct call){.argc = argc,
                                     .argv = (char **)argv,
                                     .letters = letters,
                                     .long_options = options,
                                     .long_index = index,
                                     .long_only = 1});
}
