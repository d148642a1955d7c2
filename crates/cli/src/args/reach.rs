//! The options of `reach` alone.

use clap::{Arg, Args as ClapArgs};

use super::explore::ExploreArgs;
use super::heading;
use crate::numbers;
use crate::settings::ConfigArgs;

#[derive(ClapArgs, Clone, Debug)]
#[command(args_override_self = true)]
#[command(mut_args(of_reach))]
pub struct ReachArgs {
    // Before the groups: it has none.
    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub common: ExploreArgs,

    #[command(flatten)]
    pub backward: BackwardArgs,
}

/// What common options mean here.
fn of_reach(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "files" => arg.value_name("TARGET|PROGRAM").help(
            "Targets (FILE:LINE or a function), and the program: sources, bitcode (.bc), LLVM text (.ll), or directories with a \
             compile_commands.json",
        ),
        "replay_time" => arg.help("Time limit of the native replay after the search [default: 30s]"),
        _ => arg,
    }
}

/// How `reach` searches.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::SEARCH)]
pub struct BackwardArgs {
    /// Search mode
    #[arg(long, value_enum, default_value_t = Mode::Backward, value_name = "MODE", display_order = 0)]
    pub mode: Mode,

    /// Maximum number of iterations of a loop that the backward search unrolls
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = numbers::count::<usize>, allow_negative_numbers = true, hide_short_help = true)]
    pub rounds: usize,

    /// Skip summaries of loops that change counters
    #[arg(long, help_heading = heading::RESEARCH, hide_short_help = true)]
    pub no_summaries: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Backward from the target, with forward search and concrete runs from the entry beside it
    Backward,
    /// Forward from the entry, as `cover` does, until the target is reached
    Forward,
}
