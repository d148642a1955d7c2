//! The one unsafe file of `libm`: the table of C shims, and calling one. What functions mean and take is in `mod.rs`.
//!
//! Contract with `crates/exec/libm/shim.c`:
//! - `symcrete_libm_entry(n)` is null past the end, else a static entry whose two strings are static, ASCII, NUL-terminated.
//! - a shim reads at most `SLOTS` slots at `arguments` and writes at most `SLOTS` slots at `results`; it keeps neither.
//! - a slot is dereferenced only by shims whose signature says "text" there, and then it is null or a NUL-terminated string.
//! - shims are thread-safe: libm is, except for `signgam`, which the shims do not use.

use std::ffi::{CStr, c_char, c_int};

use symcrete_expr::dag::Native;

/// The slots that a shim may read, and may write.
pub(super) const SLOTS: usize = 6;

type Shim = unsafe extern "C" fn(arguments: *const [u128; SLOTS], results: *mut [u128; SLOTS]) -> c_int;

#[repr(C)]
struct Entry {
    name: *const c_char,
    signature: *const c_char,
    call: Shim,
}

unsafe extern "C" {
    fn symcrete_libm_entry(index: usize) -> *const Entry;
}

// The functions of libm that compiled constraints call most, by themselves. They take numbers and give numbers, and set errno, at which
// nobody looks who calls them so.
unsafe extern "C" {
    safe fn sin(x: f64) -> f64;
    safe fn sinf(x: f32) -> f32;
    safe fn cos(x: f64) -> f64;
    safe fn cosf(x: f32) -> f32;
    safe fn tan(x: f64) -> f64;
    safe fn tanf(x: f32) -> f32;
    safe fn asin(x: f64) -> f64;
    safe fn asinf(x: f32) -> f32;
    safe fn acos(x: f64) -> f64;
    safe fn acosf(x: f32) -> f32;
    safe fn atan(x: f64) -> f64;
    safe fn atanf(x: f32) -> f32;
    safe fn sinh(x: f64) -> f64;
    safe fn sinhf(x: f32) -> f32;
    safe fn cosh(x: f64) -> f64;
    safe fn coshf(x: f32) -> f32;
    safe fn tanh(x: f64) -> f64;
    safe fn tanhf(x: f32) -> f32;
    safe fn asinh(x: f64) -> f64;
    safe fn asinhf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
    safe fn exp(x: f64) -> f64;
    safe fn expf(x: f32) -> f32;
    safe fn exp2(x: f64) -> f64;
    safe fn exp2f(x: f32) -> f32;
    safe fn expm1(x: f64) -> f64;
    safe fn expm1f(x: f32) -> f32;
    safe fn log(x: f64) -> f64;
    safe fn logf(x: f32) -> f32;
    safe fn log2(x: f64) -> f64;
    safe fn log2f(x: f32) -> f32;
    safe fn log10(x: f64) -> f64;
    safe fn log10f(x: f32) -> f32;
    safe fn log1p(x: f64) -> f64;
    safe fn log1pf(x: f32) -> f32;
    safe fn cbrt(x: f64) -> f64;
    safe fn cbrtf(x: f32) -> f32;
    safe fn erf(x: f64) -> f64;
    safe fn erff(x: f32) -> f32;
    safe fn erfc(x: f64) -> f64;
    safe fn erfcf(x: f32) -> f32;
    safe fn pow(x: f64, y: f64) -> f64;
    safe fn powf(x: f32, y: f32) -> f32;
    safe fn atan2(x: f64, y: f64) -> f64;
    safe fn atan2f(x: f32, y: f32) -> f32;
    safe fn hypot(x: f64, y: f64) -> f64;
    safe fn hypotf(x: f32, y: f32) -> f32;
}

/// A table of them by name.
macro_rules! direct {
    ($name:ident: $($one:ident $one_single:ident)*; $($two:ident $two_single:ident)*) => {
        match $name {
            $(stringify!($one) => Some(Native::Double1($one)), stringify!($one_single) => Some(Native::Single1($one_single)),)*
            $(stringify!($two) => Some(Native::Double2($two)), stringify!($two_single) => Some(Native::Single2($two_single)),)*
            _ => None,
        }
    };
}

/// The function of this name, to be called without its shim.
pub(super) fn direct(name: &str) -> Option<Native> {
    direct! { name:
        sin sinf
        cos cosf
        tan tanf
        asin asinf
        acos acosf
        atan atanf
        sinh sinhf
        cosh coshf
        tanh tanhf
        asinh asinhf
        acosh acoshf
        atanh atanhf
        exp expf
        exp2 exp2f
        expm1 expm1f
        log logf
        log2 log2f
        log10 log10f
        log1p log1pf
        cbrt cbrtf
        erf erff
        erfc erfcf;
        pow powf
        atan2 atan2f
        hypot hypotf
    }
}

/// A shim, and whether its only argument is the address of a string.
#[derive(Clone, Copy)]
pub(super) struct NativeFunction {
    shim: Shim,
    takes_text: bool,
}

/// What one entry of the C table says.
pub(super) struct Listed {
    pub name: &'static str,
    pub signature: &'static str,
    pub function: NativeFunction,
}

/// The entries of the C table, in its order.
pub(super) fn entries() -> impl Iterator<Item = Listed> {
    (0..).map_while(|index| {
        // SAFETY: any index may be asked for; the answer is null or points to a static entry.
        let entry = unsafe { symcrete_libm_entry(index).as_ref() }?;
        // SAFETY: both are static NUL-terminated strings by the contract above.
        let (name, signature): (&'static CStr, &'static CStr) =
            unsafe { (CStr::from_ptr(entry.name), CStr::from_ptr(entry.signature)) };
        let (name, signature) = (name.to_str().ok()?, signature.to_str().ok()?);
        let function = NativeFunction { shim: entry.call, takes_text: signature.ends_with(":s") };
        Some(Listed { name, signature, function })
    })
}

impl NativeFunction {
    /// Calls the shim; `text` is the string argument of functions that take one. Returns the slots written and errno.
    pub(super) fn call(self, mut arguments: [u128; SLOTS], text: Option<&CStr>) -> ([u128; SLOTS], i32) {
        if self.takes_text {
            arguments[0] = text.map_or(0, |text| text.as_ptr() as usize as u128);
        }
        let mut results = [0; SLOTS];
        // SAFETY: both arrays have the size that shims may touch; an address is passed only in the slot of a text, was taken
        // just above, and `text` outlives the call.
        let errno = unsafe { (self.shim)(&arguments, &mut results) };
        (results, errno)
    }
}
