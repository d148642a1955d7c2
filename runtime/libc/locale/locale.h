// What the runtime's files know of the program's locale.
#ifndef SYMCRETE_LOCALE_H
#define SYMCRETE_LOCALE_H

// Whether multibyte characters are UTF-8; otherwise they are ASCII, and other bytes are errors.
extern int __symcrete_utf8;

// The canonical name of a locale that the runtime knows, or a null pointer. An empty name stands for the environment's
// choice.
const char *__symcrete_find_locale(int category, const char *name);

#endif
