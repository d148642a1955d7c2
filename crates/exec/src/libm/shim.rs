//! The one unsafe file of `libm`: the table of C shims, and calling one. What functions mean and take is in `mod.rs`.
//!
//! Contract with `crates/exec/libm/shim.c`:
//! - `symcrete_libm_entry(n)` is null past the end, else a static entry whose two strings are static, ASCII, NUL-terminated.
//! - a shim reads at most `SLOTS` slots at `arguments` and writes at most `SLOTS` slots at `results`; it keeps neither.
//! - a slot is dereferenced only by shims whose signature says "text" there, and then it is null or a NUL-terminated string.
//! - shims are thread-safe: libm is, except for `signgam`, which the shims do not use.

use std::ffi::{CStr, c_char, c_int};

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
