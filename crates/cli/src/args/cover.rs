//! The options of `cover` alone.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::explore::ExploreArgs;
use super::heading;
use crate::numbers;
use crate::settings::ConfigArgs;

#[derive(ClapArgs, Clone, Debug)]
#[command(args_override_self = true)]
pub struct CoverArgs {
    // Before the groups: it has none.
    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub common: ExploreArgs,

    #[command(flatten)]
    pub exploring: ExploringArgs,

    #[command(flatten)]
    pub suite: SuiteArgs,

    #[command(flatten)]
    pub testing: TestingArgs,
}

/// How `cover` explores.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::SEARCH)]
pub struct ExploringArgs {
    /// Exploration mode
    #[arg(long, value_enum, default_value_t = Exploring::Forward, value_name = "MODE", display_order = 0)]
    pub mode: Exploring,

    /// With --mode lazy: functions whose calls are abstracted, and no others (separated by commas)
    #[arg(long = "abstract", value_name = "FUNCTIONS", value_delimiter = ',', value_parser = trimmed, hide_short_help = true)]
    pub abstracted: Vec<String>,

    /// With --mode lazy: functions whose calls are never abstracted (separated by commas)
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',', value_parser = trimmed, hide_short_help = true)]
    pub no_abstract: Vec<String>,

    /// With --mode lazy: skip what the function under test calls, and forward search
    #[arg(long, hide_short_help = true)]
    pub no_deeper: bool,

    /// With --mode concolic: replace non-linear terms of conditions by their values in the run, which loses paths
    #[arg(long, help_heading = heading::RESEARCH, hide_short_help = true)]
    pub simplify: bool,
}

/// Which tests a suite has, and where it begins.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub struct SuiteArgs {
    /// Write a test for every path, and follow all paths also once all code is covered
    #[arg(long, hide_short_help = true)]
    pub every_path: bool,

    /// Resume the search in this output directory; its program and options need not be repeated
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}

/// For tests of Symcrete itself.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::RESEARCH)]
pub struct TestingArgs {
    /// Interval of checkpoints
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = numbers::duration_or_zero, allow_negative_numbers = true, hide = true)]
    pub checkpoint: Duration,

    /// File that says which path claims which input, for programs of one or two bytes of input
    #[arg(long, value_name = "FILE", hide = true)]
    pub partition: Option<PathBuf>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Exploring {
    /// States fork where branches depend on inputs, and a strategy chooses which one runs next
    Forward,
    /// Concrete runs, each on an input that negates a condition of an earlier run (as DART, CUTE and SAGE do)
    Concolic,
    /// Paths of the function under test with calls abstracted, which are concretised on demand (lazy expansion)
    Lazy,
}

/// A name in a list, which may have blanks around it.
fn trimmed(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}
