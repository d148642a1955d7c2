//! The bitcode reader: LLVM bitcode to `ir`. The only crate that knows LLVM's format.
