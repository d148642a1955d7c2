// Calls the host's libm on raw bits. Rust hands over 16-byte slots and takes such slots back, so that no float ever passes
// through a Rust function: signalling NaNs, payloads and all 80 bits of a long double arrive as they are.
// What lives elsewhere: the list of functions (functions.def), and the meaning of a signature's letters in words (src/libm/mod.rs).
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_BFP_EXT__ 1
#define __STDC_WANT_IEC_60559_BFP_EXT_C2X__ 1

#include <complex.h>
#include <dlfcn.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

struct slot {
    unsigned char bytes[16];
};

// Reads its arguments from `in`, one slot a parameter; writes the result to out[0] and what would go through pointers to out[1]
// and out[2]; returns the errno that the call set, or 0. Unused bytes of `out` keep their value.
typedef int shim(const struct slot *in, struct slot *out);

struct entry {
    const char *name;
    const char *signature;
    shim *call;
    // The library's own function, for those that call it without a shim.
    void *(*function)(void);
};

// The letters of signatures: f, d and x are float, double and long double (x87); i, l and q are int, long and long long; v is
// void; s is a string; > and < before a letter say that the parameter is a pointer to a result or to an argument of that type;
// ! at the end says that the call sets signgam, which is then in out[1].
typedef float type_f;
typedef double type_d;
typedef long double type_x;
typedef float _Complex complex_f;
typedef double _Complex complex_d;
typedef long double _Complex complex_x;
typedef int type_i;
typedef long type_l;
typedef long long type_q;

#define ACCESSORS(letter, size)                                                                                                \
    static inline type_##letter get_##letter(const struct slot *from) {                                                        \
        type_##letter value = 0;                                                                                               \
        __builtin_memcpy(&value, from->bytes, size);                                                                           \
        return value;                                                                                                          \
    }                                                                                                                          \
    static inline void put_##letter(struct slot *to, const type_##letter *value) { __builtin_memcpy(to->bytes, value, size); }

ACCESSORS(f, 4)
ACCESSORS(d, 8)
ACCESSORS(i, 4)
ACCESSORS(l, sizeof(long))
ACCESSORS(q, 8)

// The real and the imaginary part of a complex number, in two slots.
#define PARTS(letter)                                                                                                          \
    static inline complex_##letter get_parts_##letter(const struct slot *from) {                                               \
        complex_##letter value;                                                                                                \
        __real__ value = get_##letter(&from[0]);                                                                               \
        __imag__ value = get_##letter(&from[1]);                                                                               \
        return value;                                                                                                          \
    }                                                                                                                          \
    static inline void put_parts_##letter(struct slot *to, complex_##letter value) {                                           \
        put_##letter(&to[0], &__real__ value);                                                                                 \
        put_##letter(&to[1], &__imag__ value);                                                                                 \
    }

PARTS(f)
PARTS(d)

// Where long double is not the x87 format, the functions on it are left out: a program that calls them is from another machine.
#if LDBL_MANT_DIG == 64
ACCESSORS(x, 10)
PARTS(x)
#define IF_X87(...) __VA_ARGS__
#else
#define IF_X87(...)
#endif

// A family of one function for the three types of float: the letter of the type, then the name.
#define FAMILY(shape, name) shape(name, d) shape(name##f, f) IF_X87(shape(name##l, x))

#define UNARY(name) FAMILY(UNARY_OF, name)
#define UNARY_OF(name, t) CALL_1(name, t, t)
#define BINARY(name) FAMILY(BINARY_OF, name)
#define BINARY_OF(name, t) CALL_2(name, t, t, t)
#define TERNARY(name) FAMILY(TERNARY_OF, name)
#define TERNARY_OF(name, t) CALL_3(name, t, t, t, t)
#define NEXTTOWARD(name) IF_X87(FAMILY(NEXTTOWARD_OF, name))
#define NEXTTOWARD_OF(name, t) CALL_2(name, t, t, x)
#define FLOAT_AND_INT(name) FAMILY(FLOAT_AND_INT_OF, name)
#define FLOAT_AND_INT_OF(name, t) CALL_2(name, t, t, i)
#define FLOAT_AND_LONG(name) FAMILY(FLOAT_AND_LONG_OF, name)
#define FLOAT_AND_LONG_OF(name, t) CALL_2(name, t, t, l)
#define INT_AND_FLOAT(name) FAMILY(INT_AND_FLOAT_OF, name)
#define INT_AND_FLOAT_OF(name, t) CALL_2(name, t, i, t)
#define TO_INT(name) FAMILY(TO_INT_OF, name)
#define TO_INT_OF(name, t) CALL_1(name, i, t)
#define TO_LONG(name) FAMILY(TO_LONG_OF, name)
#define TO_LONG_OF(name, t) CALL_1(name, l, t)
#define TO_LONG_LONG(name) FAMILY(TO_LONG_LONG_OF, name)
#define TO_LONG_LONG_OF(name, t) CALL_1(name, q, t)
#define FROMFP(name) FAMILY(FROMFP_OF, name)
#define FROMFP_OF(name, t) CALL_3(name, q, t, i, i)

// f = narrow(double), f = narrow(long double), d = narrow(long double).
#define NARROWING_UNARY(name) CALL_1(f##name, f, d) IF_X87(CALL_1(f##name##l, f, x) CALL_1(d##name##l, d, x))
#define NARROWING_BINARY(name) CALL_2(f##name, f, d, d) IF_X87(CALL_2(f##name##l, f, x, x) CALL_2(d##name##l, d, x, x))
#define NARROWING_TERNARY(name) \
    CALL_3(f##name, f, d, d, d) IF_X87(CALL_3(f##name##l, f, x, x, x) CALL_3(d##name##l, d, x, x, x))

// Functions with pointers. SHIM(name, signature, statements): the statements call, and put what the call gave into `out`.
#define FREXP(name) FAMILY(FREXP_OF, name)
#define FREXP_OF(name, t)                                     \
    SHIM(name, #t ":" #t ">i", {                              \
        type_i exponent = 0;                                  \
        type_##t result = name(get_##t(&in[0]), &exponent);   \
        put_##t(&out[0], &result);                            \
        put_i(&out[1], &exponent);                            \
    })
#define MODF(name) FAMILY(MODF_OF, name)
#define MODF_OF(name, t)                                      \
    SHIM(name, #t ":" #t ">" #t, {                            \
        type_##t whole = 0;                                   \
        type_##t result = name(get_##t(&in[0]), &whole);      \
        put_##t(&out[0], &result);                            \
        put_##t(&out[1], &whole);                             \
    })
#define REMQUO(name) FAMILY(REMQUO_OF, name)
#define REMQUO_OF(name, t)                                                       \
    SHIM(name, #t ":" #t #t ">i", {                                              \
        type_i quotient = 0;                                                     \
        type_##t result = name(get_##t(&in[0]), get_##t(&in[1]), &quotient);     \
        put_##t(&out[0], &result);                                               \
        put_i(&out[1], &quotient);                                               \
    })
#define SINCOS(name) FAMILY(SINCOS_OF, name)
#define SINCOS_OF(name, t)                                    \
    SHIM(name, "v:" #t ">" #t ">" #t, {                       \
        type_##t sine = 0;                                    \
        type_##t cosine = 0;                                  \
        name(get_##t(&in[0]), &sine, &cosine);                \
        put_##t(&out[1], &sine);                              \
        put_##t(&out[2], &cosine);                            \
    })

// lgamma and gamma go through the reentrant function, which computes the same and spares us the process's one signgam.
#define LGAMMA_R(name) SHIM_LGAMMA(lgamma_r, lgamma_r, d, ">i") SHIM_LGAMMA(lgammaf_r, lgammaf_r, f, ">i") \
    IF_X87(SHIM_LGAMMA(lgammal_r, lgammal_r, x, ">i"))
#define LGAMMA(name) SHIM_LGAMMA(name, lgamma_r, d, "!") SHIM_LGAMMA(name##f, lgammaf_r, f, "!") \
    IF_X87(SHIM_LGAMMA(name##l, lgammal_r, x, "!"))
#define SHIM_LGAMMA(name, function, t, sign_place)            \
    SHIM(name, #t ":" #t sign_place, {                        \
        type_i sign = 1;                                      \
        type_##t result = function(get_##t(&in[0]), &sign);   \
        put_##t(&out[0], &result);                            \
        put_i(&out[1], &sign);                                \
    })

// The slot holds the address of a string; null stands for the empty one.
#define NAN_OF_TEXT(name) FAMILY(NAN_OF_TEXT_OF, name)
#define NAN_OF_TEXT_OF(name, t)                                          \
    SHIM(name, #t ":s", {                                                \
        const char *text;                                                \
        __builtin_memcpy(&text, in[0].bytes, sizeof text);               \
        type_##t result = name(text ? text : "");                        \
        put_##t(&out[0], &result);                                       \
    })

#define CANONICALIZE(name) FAMILY(CANONICALIZE_OF, name)
#define CANONICALIZE_OF(name, t)                              \
    SHIM(name, "i:>" #t "<" #t, {                             \
        type_##t canonical = 0;                               \
        type_##t argument = get_##t(&in[1]);                  \
        type_i result = name(&canonical, &argument);          \
        put_i(&out[0], &result);                              \
        put_##t(&out[1], &canonical);                         \
    })
#define GETPAYLOAD(name) FAMILY(GETPAYLOAD_OF, name)
#define GETPAYLOAD_OF(name, t)                                \
    SHIM(name, #t ":<" #t, {                                  \
        type_##t argument = get_##t(&in[0]);                  \
        type_##t result = name(&argument);                    \
        put_##t(&out[0], &result);                            \
    })
#define SETPAYLOAD(name) FAMILY(SETPAYLOAD_OF, name)
#define SETPAYLOAD_OF(name, t)                                \
    SHIM(name, "i:>" #t #t, {                                 \
        type_##t made = 0;                                    \
        type_i result = name(&made, get_##t(&in[1]));         \
        put_i(&out[0], &result);                              \
        put_##t(&out[1], &made);                              \
    })
#define TOTALORDER(name) FAMILY(TOTALORDER_OF, name)
#define TOTALORDER_OF(name, t)                                \
    SHIM(name, "i:<" #t "<" #t, {                             \
        type_##t left = get_##t(&in[0]);                      \
        type_##t right = get_##t(&in[1]);                     \
        type_i result = name(&left, &right);                  \
        put_i(&out[0], &result);                              \
    })

// Complex numbers come and go as their parts, under a name of the engine's own: how a complex number is passed depends on the
// target, and the C runtime (runtime/libc/complex/functions.c), compiled for it, translates.
#define COMPLEX_UNARY(name) FAMILY(COMPLEX_UNARY_OF, name)
#define COMPLEX_UNARY_OF(name, t)                                                     \
    SHIM_AS(__symcrete_##name, name, "v:" #t #t ">" #t ">" #t, {                      \
        put_parts_##t(&out[1], name(get_parts_##t(&in[0])));                          \
    })
#define COMPLEX_BINARY(name) FAMILY(COMPLEX_BINARY_OF, name)
#define COMPLEX_BINARY_OF(name, t)                                                    \
    SHIM_AS(__symcrete_##name, name, "v:" #t #t #t #t ">" #t ">" #t, {                \
        put_parts_##t(&out[1], name(get_parts_##t(&in[0]), get_parts_##t(&in[2])));   \
    })
#define COMPLEX_TO_REAL(name) FAMILY(COMPLEX_TO_REAL_OF, name)
#define COMPLEX_TO_REAL_OF(name, t)                                                   \
    SHIM_AS(__symcrete_##name, name, #t ":" #t #t, {                                  \
        type_##t result = name(get_parts_##t(&in[0]));                                \
        put_##t(&out[0], &result);                                                    \
    })

#define CALL_1(name, r, a)                                    \
    SHIM(name, #r ":" #a, {                                   \
        type_##r result = name(get_##a(&in[0]));              \
        put_##r(&out[0], &result);                            \
    })
#define CALL_2(name, r, a, b)                                             \
    SHIM(name, #r ":" #a #b, {                                            \
        type_##r result = name(get_##a(&in[0]), get_##b(&in[1]));         \
        put_##r(&out[0], &result);                                        \
    })
#define CALL_3(name, r, a, b, c)                                                             \
    SHIM(name, #r ":" #a #b #c, {                                                            \
        type_##r result = name(get_##a(&in[0]), get_##b(&in[1]), get_##c(&in[2]));           \
        put_##r(&out[0], &result);                                                           \
    })

// The library itself, asked by name: a Rust binary carries functions of its own under the same names (cbrt, fmod, rint …), and
// the linker would take those. What cannot be asked falls back to what was linked.
static void *library_symbol(const char *name, void *linked) {
    static void *library;
    if (library == NULL)
        library = dlopen("libm.so.6", RTLD_NOW);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    return found != NULL ? found : linked;
}

// SHIM_AS lists the function under another name than the library's.
#define SHIM(name, signature, ...) SHIM_AS(name, name, signature, __VA_ARGS__)
#define SHIM_AS(listed, name, signature, ...)                                    \
    static void *function_##name(void) {                                         \
        return library_symbol(#name, (void *)name);                              \
    }                                                                            \
    static int shim_##name(const struct slot *in, struct slot *out) {            \
        static __typeof__(name) *found;                                          \
        if (found == NULL)                                                       \
            found = (__typeof__(name) *)function_##name();                       \
        __typeof__(name) *name = found;                                          \
        (void)name;                                                              \
        errno = 0;                                                               \
        __VA_ARGS__                                                              \
        return errno;                                                            \
    }
#include "functions.def"
#undef SHIM_AS

#define SHIM_AS(listed, name, signature, ...) {#listed, signature, shim_##name, function_##name},
static const struct entry entries[] = {
#include "functions.def"
};

// Number `index` of the table, or null past its end.
const struct entry *symcrete_libm_entry(size_t index) {
    return index < sizeof entries / sizeof *entries ? &entries[index] : NULL;
}
