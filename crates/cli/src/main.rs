//! The command line: flags, words, files, exit codes. Only this crate prints, reads the environment, or exits.
#![forbid(unsafe_code)]

mod args;
mod compile;
mod cover;
mod coverage;
mod disagreements;
mod doctor;
mod documents;
mod error;
mod inputs_text;
mod library;
mod native;
mod numbers;
mod program;
mod progress;
mod pure;
mod reach;
mod reference;
mod replay;
mod report;
mod run;
mod runtime;
mod sandbox;
mod settings;
mod solve;
mod solving;
mod suggest;

use std::ffi::OsString;
use std::process::ExitCode;

use error::Error;
use settings::{Parsed, Trouble};

/// States, expressions and conditions are many small pieces that live and die on the thread of their worker.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A process of a sandbox starts with what it was started for, and does nothing else.
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(word) = words.first().and_then(|word| word.to_str())
        && let Some(status) = symcrete_sandbox::serve(word, &words[1..])
    {
        std::process::exit(status);
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    let args = match settings::parse(&words) {
        Ok(Parsed::Args(args)) => args,
        Ok(Parsed::Print(text)) => {
            print!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(Trouble::Words(error)) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
        Err(Trouble::File(error)) => return failed(&error),
    };
    let result = match args.command {
        args::Command::Run(args) => run::run(&args),
        args::Command::Cover(args) => cover::run(&args),
        args::Command::Reach(args) => reach::run(&args),
        args::Command::Replay(args) => replay::run(&args),
        args::Command::Solve(args) => solve::run(&args),
        args::Command::Doctor(args) => doctor::run(&args),
        args::Command::Reference(args) => reference::run(&args),
        args::Command::Schema(args) => documents::schema::run(&args),
        args::Command::NativeHelper(args) => {
            symcrete_native::serve(&args.libraries).map(|()| 0).map_err(|source| Error::Streams { source })
        }
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(error) => failed(&error),
    }
}

fn failed(error: &Error) -> ExitCode {
    report::error(error);
    ExitCode::from(error.status())
}
