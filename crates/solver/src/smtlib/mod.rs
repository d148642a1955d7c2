//! SMT-LIB 2.6: queries as text, and scripts that are read and executed. No file is opened here.
//!
//! Beyond the standard, a script may declare functions without a body that whoever runs it knows
//! (`Script::with_functions`):
//!
//! - `(declare-fun sin (Float64) Float64)` is the function known as `sin` for these sorts;
//! - `(declare-fun my_sine (Float64) Float64 :pure "sin")` is the same one under another name;
//! - of a name such as `|sin(2)|`, what begins with the parenthesis only tells it apart from others;
//! - `(declare-fun frem_11_53 (Float64 Float64) Float64)` is the remainder of C's `fmod` and LLVM's `frem`, for every
//!   format.
//!
//! Vectors may stand for floats, as their bits. Queries are printed so; what reads them without knowing the functions
//! answers for any functions. A printed constant for the bits of a float is annotated with `:bits`, and is no variable
//! when it is read again; what the machine converts to an integer, however large, is annotated with `:machine-signed`
//! or `:machine-unsigned` and the float.

mod error;
mod function;
mod print;
mod read;
mod script;
mod term;
mod value;

pub use error::{Error, Place, Problem};
pub use function::{Resolver, Signature, Unresolved, ValueSort};
pub use print::{print, print_with_status};
pub use script::{Outcome, Script};
