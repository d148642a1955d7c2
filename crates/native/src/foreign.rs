//! The one unsafe file of `native`: loading shared objects, and calling what is in them. Runs in the helper process
//! only.
//!
//! Contract with `crates/native/call.c`: `symcrete_native_call` reads one `Arguments`, writes 16 bytes at `result`,
//! keeps neither, and calls the function with the registers and stack slots that `Arguments` says. Whether the function
//! really takes what it is given is for the caller to know: the program's own declaration says so. If that is wrong the
//! function does what it does in the native program too, and may take this process with it, which is why there is one.

use std::ffi::{CStr, CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::{Kind, MOST_FLOATS, MOST_INTEGERS, MOST_LONG_DOUBLES};

/// As `struct arguments` of call.c.
#[repr(C, align(16))]
#[derive(Default)]
pub(crate) struct Arguments {
    pub integers: [u64; MOST_INTEGERS],
    /// The bits of a float or a double, in the low bits.
    pub floats: [u64; MOST_FLOATS],
    pub long_doubles: [u128; MOST_LONG_DOUBLES],
}

unsafe extern "C" {
    fn symcrete_native_call(function: *mut c_void, arguments: *const Arguments, kind: c_int, result: *mut [u8; 16]);
}

/// The address of a function in a shared object that stays loaded.
#[derive(Clone, Copy)]
pub(crate) struct Address(*mut c_void);

/// Loads a shared object for good; what it defines is visible to those that come after it.
pub(crate) fn load(path: &Path) -> Result<(), String> {
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| "its name has a NUL in it".to_owned())?;
    // SAFETY: the name is a NUL-terminated string that outlives the call. What the object's constructors do, they do
    // here.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if handle.is_null() { Err(last_error()) } else { Ok(()) }
}

fn last_error() -> String {
    // SAFETY: dlerror returns null or a NUL-terminated string that is valid until the next call on this thread, the
    // only one.
    let text = unsafe { libc::dlerror().as_ref().map(|text| CStr::from_ptr(text)) };
    text.map_or("the reason is not known".to_owned(), |text| text.to_string_lossy().into_owned())
}

/// A function among all that was loaded.
pub(crate) fn find(name: &str) -> Option<Address> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a NUL-terminated string that outlives the call; RTLD_DEFAULT stands for all that is loaded
    // globally.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(Address(address))
}

/// Calls the function; the bits of its result in the low bits.
pub(crate) fn call(function: Address, arguments: &Arguments, result: Option<Kind>) -> u128 {
    let kind = match result {
        None => 0,
        Some(Kind::Integer { .. }) => 1,
        Some(Kind::Single | Kind::Double) => 2,
        Some(Kind::X87) => 3,
    };
    let mut bytes = [0; 16];
    // SAFETY: by the contract above; the address came from `find`, and its object is never unloaded.
    unsafe { symcrete_native_call(function.0, arguments, kind, &mut bytes) };
    u128::from_le_bytes(bytes)
}

/// Signals end this process as they end a C program: the handlers of Rust's runtime are taken out.
pub(crate) fn die_of_signals() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGPIPE] {
        // SAFETY: the default action needs no handler that could be wrong.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
