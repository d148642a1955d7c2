/* What the parts of the replay driver know of each other. Programs include symcrete.h, never this. */
#ifndef SYMCRETE_REPLAY_H
#define SYMCRETE_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the bytes of an input are to be read where a test carries only its text. */
enum replay_form { REPLAY_BYTES, REPLAY_INTEGER, REPLAY_FLOAT };

/* Fills memory with the next input of the test. `name` is what the program calls it; `function` who asks. A test
 * that has no such input, or one of another size or name, ends the process: the program took another way than the
 * test says. */
void replay_take(void *memory, size_t size, const char *name, const char *function, enum replay_form form);

/* Whether the next input of the test has this size and name. */
int replay_is_next(size_t size, const char *name);

/* What the path was told where the program asks whether a value is symbolic, or for the size of what is not on the heap. */
uint64_t replay_answer(void);

/* Writes a line to the report that the replayer reads afterwards. Safe in signal handlers. */
void replay_report(const char *word, const char *detail);

/* Ends the process at once, without running anything more of the program; coverage is kept. */
#if defined(__GNUC__)
__attribute__((__noreturn__))
#endif
void replay_end(int status);

/* Writes the coverage counters of a process that will not reach a normal exit. Safe in signal handlers. */
void replay_save_coverage(void);

/* For generated drivers. */
unsigned symcrete_replay_calls(void);
const char *symcrete_replay_begin_call(unsigned call);
void *symcrete_replay_parameter(unsigned parameter, size_t size);
size_t symcrete_replay_parameter_size(unsigned parameter);
void symcrete_replay_global(const char *name, void *memory, size_t size);
void symcrete_replay_returned(void);

#ifdef __cplusplus
}
#endif

#endif
