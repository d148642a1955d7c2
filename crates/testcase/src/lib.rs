//! Tests and findings as data: the file formats, and the native replay that proves a test. Knows nothing of how a test
//! was found.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod error;
pub mod finding;
pub mod format;
pub mod replay;
pub mod suite;
pub mod test;
pub mod value;

pub use bytes::Text;
pub use error::Error;
pub use finding::{Finding, Frame};
pub use format::Format;
pub use replay::{Build, Coverage, Entry, Function, NativeEnd, Outcome, Parameter, Replayed, Replayer, Source};
pub use suite::{Writer, read_tests};
pub use test::{Call, Covered, Ends, EntryKind, File, Input, Object, Origin, Place, Pointer, TestCase};

/// The headers that programs may include, by the name that they include them with.
pub const HEADERS: &[(&str, &str)] = &[
    ("symcrete.h", include_str!("../../../runtime/include/symcrete.h")),
    ("klee/klee.h", include_str!("../../../runtime/include/klee/klee.h")),
];
