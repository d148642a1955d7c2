//! `symcrete doctor`: what this machine offers, and what is missing for more.

use std::io::Write as _;

use clap::Args as ClapArgs;
use symcrete_sandbox::Attempt;
use symcrete_testcase::replay::tools;

use crate::args::heading;
use crate::args::program::ClangArgs;
use crate::documents::{self, DoctorDocument, FoundCompiler};
use crate::error::Error;
use crate::{compile, sandbox};

#[derive(ClapArgs, Debug)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub compiler: ClangArgs,

    /// Print one JSON document on standard output (see `symcrete schema`)
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
}

/// Prints a line for each thing; the exit status is 0 if programs can be compiled and run in a sandbox, 1 if not.
pub fn run(args: &DoctorArgs) -> Result<u8, Error> {
    let path = compile::search_path();
    let compiler = compile::find_clang(&args.compiler).ok().and_then(|clang| tools::Compiler::ask(&clang, &path));
    let (chosen, attempts) = sandbox::attempts()?;
    let coverage = compiler.as_ref().map(|found| match tools::counter(found, &path) {
        tools::Counter::Llvm { cov, .. } | tools::Counter::LlvmGcov { cov } => cov.display().to_string(),
        tools::Counter::Gcov { gcov } => gcov.display().to_string(),
        tools::Counter::None(missing) => missing,
    });
    let sandbox = |attempt: &Attempt| documents::Sandbox {
        level: attempt.level.name().to_owned(),
        trouble: attempt.trouble.as_ref().map(ToString::to_string),
    };
    let document = DoctorDocument {
        version: documents::VERSION,
        complete: compiler.is_some() && chosen.is_ok(),
        compiler: compiler.map(|found| FoundCompiler { path: found.path, major: found.major }),
        coverage,
        sandboxes: attempts.iter().map(sandbox).collect(),
    };
    match args.json {
        true => {
            let _ = writeln!(std::io::stdout(), "{}", documents::json(&document));
        }
        false => print(&document, chosen.err().as_deref()),
    }
    Ok(u8::from(!document.complete))
}

fn print(document: &DoctorDocument, refused: Option<&str>) {
    match &document.compiler {
        Some(found) => line("compiler", &format!("{} {}", found.path.display(), found.major)),
        None => line("compiler", "none was found; install clang, or name one with --clang PATH"),
    }
    if let Some(coverage) = &document.coverage {
        line("coverage", coverage);
    }
    for sandbox in &document.sandboxes {
        let result = match &sandbox.trouble {
            None => "holds; programs under test are run in it".to_owned(),
            Some(trouble) => format!("cannot be used: {trouble}"),
        };
        line("sandbox", &format!("{}: {result}", sandbox.level));
    }
    if let Some(refused) = refused {
        line("sandbox", refused);
    }
}

fn line(what: &str, text: &str) {
    let _ = writeln!(std::io::stdout(), "{what:<10}{text}");
}
