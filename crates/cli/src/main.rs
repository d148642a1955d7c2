//! The command line: flags, words, files, exit codes. Only this crate prints, reads the environment, or exits.
#![forbid(unsafe_code)]

mod args;
mod compile;
mod cover;
mod coverage;
mod disagreements;
mod doctor;
mod error;
mod inputs_text;
mod library;
mod native;
mod numbers;
mod program;
mod progress;
mod pure;
mod reach;
mod replay;
mod report;
mod run;
mod runtime;
mod sandbox;
mod solve;
mod solving;
mod suggest;

use std::process::ExitCode;

use clap::Parser;

/// States, expressions and conditions are many small pieces that live and die on the thread of their worker.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A process of a sandbox starts with what it was started for, and does nothing else.
    let words: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    if let Some(word) = words.first().and_then(|word| word.to_str())
        && let Some(status) = symcrete_sandbox::serve(word, &words[1..])
    {
        std::process::exit(status);
    }
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let result = match args.command {
        args::Command::Run(args) => run::run(&args),
        args::Command::Cover(args) => cover::run(&args),
        args::Command::Reach(args) => reach::run(&args),
        args::Command::Replay(args) => replay::run(&args),
        args::Command::Solve(args) => solve::run(&args),
        args::Command::Doctor(args) => doctor::run(&args),
        args::Command::NativeHelper(args) => {
            symcrete_native::serve(&args.libraries).map(|()| 0).map_err(|source| error::Error::Streams { source })
        }
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            report::error(&error);
            ExitCode::from(error.status())
        }
    }
}
