//! The options of group `Program`: how a program is compiled, linked, checked, and kept in a sandbox.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueHint};

use super::heading;
use crate::numbers;
use crate::sandbox::SandboxArgs;

#[derive(ClapArgs, Clone, Debug)]
pub struct ProgramArgs {
    #[command(flatten)]
    pub compiler: CompilerArgs,

    #[command(flatten)]
    pub library: LibraryArgs,

    #[command(flatten)]
    pub calls: NativeCallArgs,

    #[command(flatten)]
    pub checks: CheckArgs,

    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct ClangArgs {
    /// Compiler for sources [default: the first clang on the path]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath, hide_short_help = true)]
    pub clang: Option<PathBuf>,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct CompilerArgs {
    #[command(flatten)]
    pub clang: ClangArgs,

    /// Directory for the include path (repeatable)
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub includes: Vec<PathBuf>,

    /// Macro definition (repeatable)
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,

    /// Flag for clang, as in --cflag=-O2 (repeatable)
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true, hide_short_help = true)]
    pub flags: Vec<String>,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct LibraryArgs {
    /// Native definitions of functions that the program only declares: .so, .o, .a or .c (repeatable)
    #[arg(long = "library", value_name = "FILE", hide_short_help = true)]
    pub libraries: Vec<PathBuf>,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct NativeCallArgs {
    /// Time for one call of a function of --library
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = numbers::duration, allow_negative_numbers = true, hide_short_help = true)]
    pub call_time: Duration,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct CheckArgs {
    /// Report heap memory that is never freed
    #[arg(long, hide_short_help = true)]
    pub leaks: bool,

    /// Report signed overflow and shifts by too many bits
    #[arg(long, hide_short_help = true)]
    pub overflow: bool,
}
