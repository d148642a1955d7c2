//! Which sandbox programs under test are run in: what was asked for, and what the machine offers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use symcrete_sandbox::{Attempt, Launcher, Level, Policy};

use crate::args::heading;
use crate::error::Error;

#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::PROGRAM)]
pub struct SandboxArgs {
    /// Sandbox of native runs
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Wanted::Auto, hide_short_help = true)]
    pub sandbox: Wanted,

    /// Run programs natively without a sandbox, where they can do what you can
    #[arg(long, conflicts_with = "sandbox", hide_short_help = true)]
    pub unsafe_replay: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Wanted {
    /// The strongest that works here; `symcrete doctor` shows which
    Auto,
    /// A private file system, process tree and network
    Namespaces,
    /// Rules for files and system calls (Landlock and seccomp)
    Landlock,
}

impl SandboxArgs {
    /// The sandbox, or the sentence that says why there is none.
    pub fn policy(&self) -> Result<Policy, String> {
        let launcher = launcher().map_err(|error| error.to_string())?;
        let home = home();
        let level = match self.sandbox {
            _ if self.unsafe_replay => return Ok(Policy::of_level(launcher, Level::Off, home.as_deref())),
            Wanted::Auto => return choose(launcher, home.as_deref()).0,
            Wanted::Namespaces => Level::Namespaces,
            Wanted::Landlock => Level::Landlock { abi: None },
        };
        let policy = Policy::of_level(launcher, level, home.as_deref());
        match policy.trouble() {
            None => Ok(policy),
            Some(trouble) => Err(format!(
                "--sandbox {} does not hold here ({trouble}), so programs under test are not run natively; --unsafe-replay runs them \
                     without a sandbox",
                level.name()
            )),
        }
    }
}

/// The strongest level that holds, and all that were tried.
fn choose(launcher: Launcher, home: Option<&Path>) -> (Result<Policy, String>, Vec<Attempt>) {
    match Policy::choose(launcher, home) {
        Ok((policy, attempts)) => (Ok(policy), attempts),
        Err(refused) => (Err(refused.to_string()), refused.attempts),
    }
}

/// For `doctor`.
pub fn attempts() -> Result<(Result<Policy, String>, Vec<Attempt>), Error> {
    Ok(choose(launcher()?, home().as_deref()))
}

/// This program, as a supervisor.
fn launcher() -> Result<Launcher, Error> {
    Ok(Launcher { program: own_program()?, arguments: vec![OsString::from(symcrete_sandbox::SUPERVISOR)] })
}

/// Where this program lies.
pub fn own_program() -> Result<PathBuf, Error> {
    std::env::current_exe().map_err(|error| Error::Internal(format!("where this program lies is not known: {error}")))
}

fn home() -> Option<PathBuf> {
    std::env::home_dir()
}
