//! The one unsafe file of `libm`: the table of C shims, and calling one. What functions mean and take is in `mod.rs`.
//!
//! Contract with `crates/exec/libm/shim.c`:
//! - `symcrete_libm_entry(n)` is null past the end, else a static entry whose two strings are static, ASCII, NUL-terminated.
//! - a shim reads at most `SLOTS` slots at `arguments` and writes at most `SLOTS` slots at `results`; it keeps neither.
//! - an entry's `function` gives the address of the library's function of that name. Where the entry's name is the library's (complex
//!   functions have names of ours) and its signature says numbers only, that is a function which takes and gives these numbers.
//! - a slot is dereferenced only by shims whose signature says "text" there, and then it is null or a NUL-terminated string.
//! - shims are thread-safe: libm is, except for `signgam`, which the shims do not use.

use std::ffi::{CStr, c_char, c_int, c_void};

use symcrete_expr::dag::Native;

/// How names begin that are ours and not the library's.
const OURS: &str = "__symcrete_";

/// The slots that a shim may read, and may write.
pub(super) const SLOTS: usize = 6;

type Shim = unsafe extern "C" fn(arguments: *const [u128; SLOTS], results: *mut [u128; SLOTS]) -> c_int;

#[repr(C)]
struct Entry {
    name: *const c_char,
    signature: *const c_char,
    call: Shim,
    function: unsafe extern "C" fn() -> *const c_void,
}

unsafe extern "C" {
    fn symcrete_libm_entry(index: usize) -> *const Entry;
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
    /// The library's function itself, where its arguments and result are one kind of float.
    pub direct: Option<Native>,
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
        Some(Listed { name, signature, function, direct: direct(entry, name, signature) })
    })
}

/// Compiled constraints call the function itself. It sets errno, at which nobody looks who calls it so.
fn direct(entry: &Entry, name: &str, signature: &str) -> Option<Native> {
    type Double1 = extern "C" fn(f64) -> f64;
    type Double2 = extern "C" fn(f64, f64) -> f64;
    type Single1 = extern "C" fn(f32) -> f32;
    type Single2 = extern "C" fn(f32, f32) -> f32;
    if name.starts_with(OURS) || !matches!(signature, "d:d" | "d:dd" | "f:f" | "f:ff") {
        return None;
    }
    // SAFETY: it may be called at any time.
    let address = unsafe { (entry.function)() };
    // SAFETY: by the contract above, it is the address of a function with this signature.
    Some(unsafe {
        match signature {
            "d:d" => Native::Double1(std::mem::transmute::<*const c_void, Double1>(address)),
            "d:dd" => Native::Double2(std::mem::transmute::<*const c_void, Double2>(address)),
            "f:f" => Native::Single1(std::mem::transmute::<*const c_void, Single1>(address)),
            _ => Native::Single2(std::mem::transmute::<*const c_void, Single2>(address)),
        }
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
