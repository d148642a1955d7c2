// The end of a program: exit and its handlers, quick_exit, _exit, abort.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "../internal.h"

enum handler_kind { PLAIN, WITH_STATUS, WITH_OBJECT };

struct handler {
    enum handler_kind kind;
    union {
        void (*plain)(void);
        void (*with_status)(int status, void *argument);
        void (*with_object)(void *argument);
    } call;
    void *argument, *module;
    struct handler *previous;
    int allocated;
};

static struct handler *exit_handlers, *quick_exit_handlers;

// The first few need no heap, so that a program without leaks of its own shows none.
static struct handler first_handlers[32];
static unsigned first_handlers_used;

int __cxa_atexit(void (*function)(void *), void *argument, void *module);
int __cxa_at_quick_exit(void (*function)(void *), void *module);
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *module);
void __cxa_finalize(void *module);
int at_quick_exit(void (*function)(void));

static int add(struct handler **list, struct handler handler)
{
    struct handler *place;
    handler.allocated = first_handlers_used == sizeof first_handlers / sizeof first_handlers[0];
    if (!handler.allocated)
        place = &first_handlers[first_handlers_used++];
    else if ((place = malloc(sizeof *place)) == NULL)
        return -1;
    handler.previous = *list;
    *place = handler;
    *list = place;
    return 0;
}

// Takes a handler out of its list and calls it.
static void call(struct handler **place, int status)
{
    struct handler handler = **place;
    if (handler.allocated)
        free(*place);
    *place = handler.previous;
    switch (handler.kind) {
    case PLAIN:
        handler.call.plain();
        break;
    case WITH_STATUS:
        handler.call.with_status(status, handler.argument);
        break;
    case WITH_OBJECT:
        handler.call.with_object(handler.argument);
        break;
    }
}

// Last registered, first called; a handler may register more.
static void run(struct handler **list, int status)
{
    while (*list != NULL)
        call(list, status);
}

int atexit(void (*function)(void))
{
    return add(&exit_handlers, (struct handler){.kind = PLAIN, .call.plain = function});
}

int on_exit(void (*function)(int, void *), void *argument)
{
    return add(&exit_handlers,
               (struct handler){.kind = WITH_STATUS, .call.with_status = function, .argument = argument});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *module)
{
    return add(
        &exit_handlers,
        (struct handler){.kind = WITH_OBJECT, .call.with_object = function, .argument = argument, .module = module});
}

// There is one thread, which ends with the program.
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *module)
{
    return __cxa_atexit(function, argument, module);
}

int at_quick_exit(void (*function)(void))
{
    return add(&quick_exit_handlers, (struct handler){.kind = PLAIN, .call.plain = function});
}

int __cxa_at_quick_exit(void (*function)(void *), void *module)
{
    return add(&quick_exit_handlers,
               (struct handler){.kind = WITH_OBJECT, .call.with_object = function, .module = module});
}

// Runs the handlers of one module, or all for a null pointer.
void __cxa_finalize(void *module)
{
    struct handler **place = &exit_handlers;
    while (*place != NULL) {
        if (module != NULL && (*place)->module != module) {
            place = &(*place)->previous;
            continue;
        }
        call(place, 0);
        place = &exit_handlers;
    }
}

_Noreturn void exit(int status)
{
    run(&exit_handlers, status);
    __symcrete_flush_all();
    __symcrete_exit(status);
}

_Noreturn void quick_exit(int status)
{
    run(&quick_exit_handlers, status);
    __symcrete_exit(status);
}

_Noreturn void _Exit(int status)
{
    __symcrete_exit(status);
}
ALIAS(_exit, _Exit);

_Noreturn void abort(void)
{
    __symcrete_raise(SIGABRT);
    __symcrete_abort(); // a handler returned
}
