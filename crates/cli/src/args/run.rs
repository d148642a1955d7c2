//! The options of `run`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::heading;
use super::program::ProgramArgs;
use crate::numbers;
use crate::settings::ConfigArgs;

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    /// C, C++ or Rust sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json
    #[arg(required = true, value_name = "PROGRAM")]
    pub files: Vec<PathBuf>,

    /// Arguments of the program, after `--`
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub program: ProgramArgs,

    /// Seed of what would be random: the clock, /dev/urandom
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count::<u64>, allow_negative_numbers = true, help_heading = heading::INPUTS, hide_short_help = true)]
    pub seed: u64,

    /// Time limit, such as 10s or 1h30m [default: none]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    pub time: Option<Duration>,

    /// Directory for the files that the program writes [default: they stay in memory]
    #[arg(long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub scratch: Option<PathBuf>,

    /// Print the number of instructions and the time
    #[arg(long, help_heading = heading::OUTPUT)]
    pub stats: bool,

    /// Execute every instruction without short forms for machine words (slow)
    #[arg(long, hide = true, help_heading = heading::RESEARCH)]
    pub general: bool,
}
