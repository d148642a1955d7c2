//! What was typed. What it means is decided elsewhere. Options stand in groups, each a struct of its own with the heading that `--help`
//! shows; a subcommand flattens the groups that it uses.

pub mod cover;
pub mod explore;
pub mod program;
pub mod reach;
pub mod run;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

pub use cover::CoverArgs;
pub use explore::ExploreArgs;
pub use program::{CompilerArgs, LibraryArgs};
pub use reach::ReachArgs;
pub use run::RunArgs;

/// The headings of `--help`, in its order.
pub mod heading {
    pub const PROGRAM: &str = "Program";
    pub const INPUTS: &str = "Inputs";
    pub const LIMITS: &str = "Limits";
    pub const OUTPUT: &str = "Output";
    pub const SEARCH: &str = "Search";
    pub const SOLVER: &str = "Solver";
    pub const RESEARCH: &str = "Research";
}

/// Finds inputs that make a C, C++ or Rust program reach a line, or all of its code.
#[derive(Parser, Debug)]
#[command(name = "symcrete", version, about, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write a test suite that covers a program
    Cover(Box<CoverArgs>),
    /// Find one input that executes a line, or prove that none does
    ///
    /// Targets are FILE:LINE, FILE:LINE:COLUMN or names of functions. Without one, the target is what the program marks: calls of
    /// symcrete_target(), reach_error() or __VERIFIER_error(), or assertions. Without a program, it is the file of the target.
    Reach(Box<ReachArgs>),
    /// Run tests natively, compare them with what they claim, and count what they cover
    Replay(crate::replay::ReplayArgs),
    /// Execute a program concretely, and report memory errors
    Run(RunArgs),
    /// Decide an SMT-LIB script with the solver chain alone
    Solve(crate::solve::SolveArgs),
    /// Show what this machine offers: compiler, coverage counters, sandbox
    Doctor(crate::doctor::DoctorArgs),
    /// Print the JSON Schema of a document
    Schema(crate::documents::schema::SchemaArgs),
    /// Print the reference page of a command, in Markdown
    #[command(hide = true)]
    Reference(crate::reference::ReferenceArgs),
    /// The process that calls functions of --library; started by Symcrete itself
    #[command(name = NATIVE_HELPER, hide = true)]
    NativeHelper(NativeHelperArgs),
}

/// The name of the command that only Symcrete itself gives.
pub const NATIVE_HELPER: &str = "native-helper";

#[derive(ClapArgs, Debug)]
pub struct NativeHelperArgs {
    /// Shared objects
    #[arg(value_name = "LIBRARY")]
    pub libraries: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    /// Short help is for every day, and each help text is one sentence without a full stop.
    #[test]
    fn help_is_short() {
        let mut command = Args::command();
        command.build();
        for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let shown = subcommand.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_hide_short_help_set());
            let shown = shown.filter(|arg| arg.get_id() != "help").count();
            assert!(shown <= 14, "`{} -h` shows {shown} options", subcommand.get_name());
            for arg in subcommand.get_arguments() {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.ends_with('.'), "{}: {help}", arg.get_id());
            }
        }
    }
}
