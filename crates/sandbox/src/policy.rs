//! Which sandbox is used: the strongest one that stands up to the probe.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::client::Sandbox;
use crate::level::{Attempt, Level};
use crate::probe;

/// How a supervisor is started: the program that calls `serve`, and the words that it wants.
#[derive(Clone, Debug)]
pub struct Launcher {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl Launcher {
    /// The same program as a probe.
    fn probe(&self) -> Launcher {
        let replaced = self.arguments.iter().map(|word| match word.to_str() {
            Some(crate::SUPERVISOR) => crate::PROBE.into(),
            _ => word.clone(),
        });
        Launcher { program: self.program.clone(), arguments: replaced.collect() }
    }
}

/// How programs under test are run.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) launcher: Launcher,
    pub(crate) level: Level,
    pub(crate) hidden: Vec<PathBuf>,
    /// Where scratch directories go; the system's place if absent.
    pub(crate) scratch: Option<PathBuf>,
}

/// Directories that are nobody's business, beside the user's home: homes, keys, sockets, other people's temporary files.
const HIDDEN: &[&str] =
    &["/home", "/root", "/run", "/var/run", "/tmp", "/var/tmp", "/dev/shm", "/mnt", "/media", "/boot", "/lost+found"];

/// No level holds.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no sandbox here ({}), so programs under test are not run natively; --unsafe-replay runs them without one", reasons(.attempts))]
pub struct Refused {
    pub attempts: Vec<Attempt>,
}

fn reasons(attempts: &[Attempt]) -> String {
    let told = attempts
        .iter()
        .filter_map(|attempt| attempt.trouble.as_ref().map(|trouble| format!("{}: {trouble}", attempt.level.name())));
    told.collect::<Vec<_>>().join("; ")
}

impl Policy {
    /// This level, whether it holds or not. `home` is the user's.
    pub fn of_level(launcher: Launcher, level: Level, home: Option<&Path>) -> Policy {
        let given = home.filter(|home| home.is_absolute()).map(Path::to_owned);
        // Where they really lie, too: what is mounted over a link covers something else.
        let named: Vec<PathBuf> = HIDDEN.iter().map(PathBuf::from).chain(given).collect();
        let real = named.iter().filter_map(|path| path.canonicalize().ok());
        let mut hidden: Vec<PathBuf> =
            real.chain(named.iter().cloned()).filter(|path| path != Path::new("/")).collect();
        hidden.sort();
        hidden.dedup();
        Policy { launcher, level, hidden, scratch: None }
    }

    /// The strongest level that holds. Each is tried: a program that does its best to change what is outside must fail.
    pub fn choose(launcher: Launcher, home: Option<&Path>) -> Result<(Policy, Vec<Attempt>), Refused> {
        let mut attempts = Vec::new();
        for level in [Level::Namespaces, Level::Landlock { abi: None }] {
            let policy = Policy::of_level(launcher.clone(), level, home);
            let trouble = policy.trouble();
            let holds = trouble.is_none();
            attempts.push(Attempt { level, trouble });
            if holds {
                return Ok((policy, attempts));
            }
        }
        Err(Refused { attempts })
    }

    /// Why this sandbox does not hold, if it does not.
    pub fn trouble(&self) -> Option<String> {
        let probe = self.launcher.probe();
        let shared = [probe::shared(&probe)];
        match Sandbox::start(self, &shared) {
            Ok(sandbox) => probe::try_out(sandbox, &probe, self.level).err(),
            Err(error) => Some(error.to_string()),
        }
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// The same, with scratch directories in this folder.
    pub fn in_folder(mut self, scratch: Option<PathBuf>) -> Policy {
        self.scratch = scratch;
        self
    }

    /// The path of an outside file as programs see it.
    pub fn inside(&self, shared: &[crate::Shared], outside: &Path) -> PathBuf {
        if self.level != Level::Namespaces {
            return outside.to_owned();
        }
        let found = shared.iter().find_map(|shared| Some((shared, outside.strip_prefix(&shared.outside).ok()?)));
        match found {
            Some((shared, rest)) if rest.as_os_str().is_empty() => shared.inside.clone(),
            Some((shared, rest)) => shared.inside.join(rest),
            None => outside.to_owned(),
        }
    }
}
