//! What was typed. What it means is decided elsewhere.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Finds inputs that make a C, C++ or Rust program reach a line, or all of its code.
#[derive(Parser, Debug)]
#[command(name = "symcrete", version, about)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Execute a program concretely, exactly as the machine would, and report memory errors
    Run(RunArgs),
}

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    /// C or C++ sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json
    #[arg(required = true, value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Arguments of the program, after `--`
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,

    #[command(flatten)]
    pub compiler: CompilerArgs,

    /// Report heap memory that was never freed
    #[arg(long)]
    pub leaks: bool,

    /// Report signed arithmetic that overflows
    #[arg(long)]
    pub overflow: bool,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,

    /// Seed of everything that would be random: the clock, /dev/urandom
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Put the files that the program writes into this directory (otherwise they live in memory only)
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,

    /// Execute every instruction the general way, without short forms for machine words (slow; for testing the engine)
    #[arg(long, hide = true)]
    pub general: bool,

    /// Print what was executed and how long it took
    #[arg(long)]
    pub stats: bool,
}

#[derive(ClapArgs, Debug)]
pub struct CompilerArgs {
    /// The clang to compile sources with
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// A flag for clang, as in --cflag=-O2 (may be given several times)
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,

    /// Add a directory to the include path
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
}
