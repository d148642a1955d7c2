// The names that functions on complex numbers have for _Float32, _Float64, _Float32x and _Float64x.
#ifndef SYMCRETE_COMPLEX_NAMES_H
#define SYMCRETE_COMPLEX_NAMES_H

#include "../internal.h"

#define FLOAT_N_NAMES(name)                                                                                            \
    ALIAS(name##f32, name##f);                                                                                         \
    ALIAS(name##f64, name);                                                                                            \
    ALIAS(name##f32x, name);                                                                                           \
    ALIAS(name##f64x, name##l);

#endif
