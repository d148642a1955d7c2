//! SMT-LIB 2.6: queries as text, and scripts that are read and executed. No file is opened here.

mod error;
mod print;
mod read;
mod script;
mod term;
mod value;

pub use error::{Error, Place, Problem};
pub use print::{print, print_with_status};
pub use script::{Outcome, Script};
