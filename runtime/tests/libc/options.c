// Comparisons of getopt and its relatives on random command lines: results, order of arguments, messages.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "differential.h"

OURS(getopt);
OURS(getopt_long);
OURS(getopt_long_only);
OURS(optarg);
OURS(optind);
OURS(opterr);
OURS(optopt);

static int their_flag, our_flag;

static const struct option their_options[] = {{"verbose", no_argument, NULL, 'v'},
                                              {"version", no_argument, NULL, 'V'},
                                              {"output", required_argument, NULL, 'o'},
                                              {"optional", optional_argument, NULL, 1},
                                              {"out", required_argument, NULL, 'o'},
                                              {"flag", no_argument, &their_flag, 7},
                                              {"color", optional_argument, NULL, 'c'},
                                              {"colour", optional_argument, NULL, 'c'},
                                              {"a", no_argument, NULL, 'A'},
                                              {NULL, 0, NULL, 0}};
static struct option our_options[10];

static const char *const words[] = {
    "-a",       "-b",        "-bx",     "-c",       "-cy",   "-abc",       "--",         "-",      "x",
    "file",     "--verbose", "--ver",   "--v",      "--out", "--output",   "--output=f", "--o",    "--flag",
    "--flag=1", "--colo",    "--colo=", "-z",       "-:",    "--nonsense", "-ver",       "-out=3", "--opt=1",
    "-W",       "out=5",     "-Wver",   "-verbose", "-ax",   "",           "-W;",        "-o",     "--a"};
enum { WORDS = sizeof words / sizeof words[0] };

// Runs the host's function with standard error going to a file, which is read back.
static FILE *error_file;
static int real_error;

static void catch_errors(void)
{
    fflush(stderr);
    rewind(error_file);
    if (ftruncate(fileno(error_file), 0) != 0)
        abort();
    dup2(fileno(error_file), 2);
}

static void release_errors(char *out, size_t size)
{
    fflush(stderr);
    dup2(real_error, 2);
    lseek(fileno(error_file), 0, SEEK_SET);
    ssize_t length = read(fileno(error_file), out, size - 1);
    out[length < 0 ? 0 : length] = '\0';
}

enum kind { SHORT, LONG, LONG_ONLY };

static void compare_line(enum kind kind, const char *letters, char *const *line, int count)
{
    char *their_line[12], *our_line[12], message[1024];
    memcpy(their_line, line, sizeof their_line);
    memcpy(our_line, line, sizeof our_line);
    optind = our_optind = 0;
    opterr = our_opterr = random_below(4) != 0;
    for (int calls = 0; calls < 20; calls++) {
        int expected, got, their_index = -1, our_index = -1;
        their_flag = our_flag = 0;
        catch_errors();
        if (kind == SHORT)
            expected = getopt(count, their_line, letters);
        else
            expected = (kind == LONG ? getopt_long : getopt_long_only)(count, their_line, letters, their_options,
                                                                       &their_index);
        release_errors(message, sizeof message);
        captured_messages();
        if (kind == SHORT)
            got = our_getopt(count, our_line, letters);
        else
            got = (kind == LONG ? our_getopt_long : our_getopt_long_only)(count, our_line, letters, our_options,
                                                                          &our_index);
        const char *our_message = captured_messages();
        char shown[256] = "";
        for (int i = 0; i < count; i++)
            strcat(strcat(shown, line[i]), " ");
        CHECK(expected == got, "getopt kind %d \"%s\", %s: %d, ours %d", kind, letters, shown, expected, got);
        CHECK(optind == our_optind && optopt == our_optopt && optarg == our_optarg,
              "getopt kind %d \"%s\", %s: optind %d %d optopt %d %d", kind, letters, shown, optind, our_optind, optopt,
              our_optopt);
        CHECK(their_index == our_index && their_flag == our_flag, "index of getopt_long, %s", shown);
        CHECK(strcmp(message, our_message) == 0, "message for %s: %s, ours %s", shown, message, our_message);
        CHECK(memcmp(their_line, our_line, sizeof our_line) == 0, "order of arguments, %s", shown);
        if (expected == -1 || expected != got)
            break;
    }
}

void test_getopt(void)
{
    static const char *letters[] = {"abc",    "ab:c::", "+ab:c", "-ab:c",   ":ab:c",
                                    "ab:cW;", "+:b:",   "",      "-:ab:W;", "o:ver"};
    memcpy(our_options, their_options, sizeof our_options);
    our_options[5].flag = &our_flag;
    error_file = tmpfile();
    real_error = dup(2);
    for (int round = 0; round < 8000; round++) {
        char *line[12] = {(char *)"./program"};
        int count = 1 + (int)random_below(7);
        for (int i = 1; i < count; i++)
            line[i] = (char *)words[random_below(WORDS)];
        compare_line((enum kind)random_below(3), letters[random_below(10)], line, count);
    }
    fclose(error_file);
    close(real_error);
}
