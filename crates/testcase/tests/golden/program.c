/* A unit test that Symcrete wrote, of the program that PROGRAM names in the environment. */
#undef NDEBUG /* The checks must not vanish. */
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYMCRETE_RUN /* Several tests may stand in one file. */
#define SYMCRETE_RUN
struct symcrete_file { const char *name, *bytes; size_t size; };

/* Runs a program in a new directory with these files (the last has no name), and returns the status of waitpid.
   `start` is the program's main; without one, the environment's PROGRAM names the file to execute. */
static int symcrete_run(int (*start)(int, char **), char **arguments, const struct symcrete_file *files,
                        const char *input, size_t size)
{
    char *program = start || !getenv("PROGRAM") ? NULL : realpath(getenv("PROGRAM"), NULL);
    assert(start || (program && access(program, X_OK) == 0));
    FILE *standard_input = tmpfile();
    assert(standard_input);
    size_t written = fwrite(input, 1, size, standard_input);
    assert(written == size);
    rewind(standard_input);

    char folder[] = "/tmp/symcrete-XXXXXX", text[4096];
    const char *made = mkdtemp(folder);
    assert(made);
    for (; files && files->name; files++) {
        snprintf(text, sizeof text, "%s/%s", folder, files->name);
        FILE *file = fopen(text, "wb");
        assert(file);
        written = fwrite(files->bytes, 1, files->size, file);
        fclose(file);
        assert(written == files->size);
    }

    int count = 0, status;
    while (arguments[count])
        count++;
    fflush(NULL); /* Or the child would write it once more. */
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) != 0 || dup2(fileno(standard_input), 0) != 0)
            _exit(127);
        if (start)
            exit(start(count, arguments));
        execv(program, arguments);
        _exit(127);
    }
    pid_t ended = waitpid(child, &status, 0);
    fclose(standard_input);
    free(program);
    snprintf(text, sizeof text, "rm -rf %s", folder);
    int removed = system(text);
    assert(removed == 0);
    assert(child > 0 && ended == child);
    return status;
}
#endif

/* Runs the program; ends: exit with status 1.
   Reaches count.c:8. */
void test_000008(void)
{
    char *arguments[] = {"count.c", "-l", "two\n", NULL};
    const struct symcrete_file files[] = {
        {"A", "\037\213", 2},
        {NULL, NULL, 0},
    };
    int status = symcrete_run(NULL, arguments, files, "a line\n", 7);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}
