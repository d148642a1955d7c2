//! The part of a unit test in C that runs a whole program: as a process of its own, in a directory of its own, with its
//! end checked.

use std::fmt::Write as _;

use super::expected::{Expected, expected};
use crate::bytes::quoted;
use crate::test::TestCase;

/// What all tests of programs share. Arguments, files and input are strings of C, since a shell would change some.
pub const RUN: &str = "\
#ifndef SYMCRETE_RUN /* Several tests may stand in one file. */
#define SYMCRETE_RUN
struct symcrete_file { const char *name, *bytes; size_t size; };

/* Runs a program in a new directory with these files (the last has no name), and returns the status of waitpid.
   `start` is the program's main; without one, the environment's PROGRAM names the file to execute. */
static int symcrete_run(int (*start)(int, char **), char **arguments, const struct symcrete_file *files,
                        const char *input, size_t size)
{
    char *program = start || !getenv(\"PROGRAM\") ? NULL : realpath(getenv(\"PROGRAM\"), NULL);
    assert(start || (program && access(program, X_OK) == 0));
    FILE *standard_input = tmpfile();
    assert(standard_input);
    size_t written = fwrite(input, 1, size, standard_input);
    assert(written == size);
    rewind(standard_input);

    char folder[] = \"/tmp/symcrete-XXXXXX\", text[4096];
    const char *made = mkdtemp(folder);
    assert(made);
    for (; files && files->name; files++) {
        snprintf(text, sizeof text, \"%s/%s\", folder, files->name);
        FILE *file = fopen(text, \"wb\");
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
    snprintf(text, sizeof text, \"rm -rf %s\", folder);
    int removed = system(text);
    assert(removed == 0);
    assert(child > 0 && ended == child);
    return status;
}
#endif

";

/// The call of `symcrete_run` and the check of what it returns. `start` is the program's main, or NULL.
pub fn run(text: &mut String, test: &TestCase, start: &str) {
    let name = test.program.first().map_or("program", String::as_str);
    let words = std::iter::once(name.as_bytes()).chain(test.arguments.iter().map(|argument| argument.0.as_slice()));
    // A program may write to its arguments, which literals do not allow.
    let words: Vec<_> = match start {
        "NULL" => words.map(quoted).collect(),
        _ => words.map(|word| format!("(char[]){{{}}}", quoted(word))).collect(),
    };
    let _ = writeln!(text, "    char *arguments[] = {{{}, NULL}};", words.join(", "));
    if !test.files.is_empty() {
        text.push_str("    const struct symcrete_file files[] = {\n");
        for file in &test.files {
            let (name, bytes) = (quoted(file.name.as_bytes()), quoted(&file.bytes.0));
            let _ = writeln!(text, "        {{{name}, {bytes}, {}}},", file.bytes.0.len());
        }
        text.push_str("        {NULL, NULL, 0},\n    };\n");
    }
    let files = if test.files.is_empty() { "NULL" } else { "files" };
    let input = test.stdin.as_ref().map_or(&[][..], |stdin| &stdin.0);
    let call = format!("symcrete_run({start}, arguments, {files}, {}, {})", quoted(input), input.len());
    let _ = match check(expected(&test.ends)) {
        Some(condition) => writeln!(text, "    int status = {call};\n    assert({condition});"),
        None => writeln!(text, "    {call};"),
    };
}

/// The condition on `status`.
fn check(expected: Expected) -> Option<String> {
    const ABORT: &str = "WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT";
    let exit = |status: i32| format!("WIFEXITED(status) && WEXITSTATUS(status) == {status}");
    match expected {
        Expected::Exit(Some(status)) => Some(exit(status)),
        Expected::Exit(None) => Some("WIFEXITED(status)".to_owned()),
        Expected::Signal(signal) => Some(format!("WIFSIGNALED(status) && WTERMSIG(status) == {signal}")),
        Expected::Abort => Some(ABORT.to_owned()),
        Expected::Panic => Some(format!("({}) || ({ABORT})", exit(101))),
        Expected::Failure => Some("status != 0".to_owned()),
        Expected::Anything => None,
    }
}
