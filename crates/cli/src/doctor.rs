//! `symcrete doctor`: what this machine offers, and what is missing for more.

use std::io::Write as _;

use clap::Args as ClapArgs;
use symcrete_testcase::replay::tools;

use crate::args::program::ClangArgs;
use crate::error::Error;
use crate::{compile, sandbox};

#[derive(ClapArgs, Debug)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub compiler: ClangArgs,
}

/// Prints a line for each thing; the exit status is 0 if programs can be compiled and run in a sandbox, 1 if not.
pub fn run(args: &DoctorArgs) -> Result<u8, Error> {
    let path = compile::search_path();
    let compiler = compile::find_clang(&args.compiler).ok().and_then(|clang| tools::Compiler::ask(&clang, &path));
    match &compiler {
        Some(found) => {
            line("compiler", &format!("{} {}", found.path.display(), found.major));
            let counter = match tools::counter(found, &path) {
                tools::Counter::Llvm { cov, .. } | tools::Counter::LlvmGcov { cov } => cov.display().to_string(),
                tools::Counter::Gcov { gcov } => gcov.display().to_string(),
                tools::Counter::None(missing) => missing,
            };
            line("coverage", &counter);
        }
        None => line("compiler", "none was found; install clang, or name one with --clang PATH"),
    }
    let (chosen, attempts) = sandbox::attempts()?;
    for attempt in &attempts {
        let result = match &attempt.trouble {
            None => "holds; programs under test are run in it".to_owned(),
            Some(trouble) => format!("cannot be used: {trouble}"),
        };
        line("sandbox", &format!("{}: {result}", attempt.level.name()));
    }
    if let Err(refused) = &chosen {
        line("sandbox", refused);
    }
    Ok(u8::from(compiler.is_none() || chosen.is_err()))
}

fn line(what: &str, text: &str) {
    let _ = writeln!(std::io::stdout(), "{what:<10}{text}");
}
