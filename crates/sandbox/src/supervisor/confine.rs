//! What a process goes through between fork and exec: limits, another user, Landlock, the filter over system calls.

use std::io;
use std::process::Command;

use rustix::process::{Resource, Rlimit, Signal, setrlimit};

use super::{filter, rules};
use crate::protocol::Limits;
use crate::sys;

/// What keeps programs in beside the surroundings of this process.
pub enum Confinement {
    Namespaces { rules: Option<rules::Rules> },
    Landlock { rules: rules::Rules, user: Option<u32> },
    Off,
}

/// The first of the users that root becomes; their numbers are nobody's on usual machines.
const FIRST_PRIVATE_USER: u32 = 1_900_000_000;

/// The user that programs run as instead of root. Nobody else is this user, so that its limits count these processes alone.
pub fn private_user() -> Option<u32> {
    sys::is_root().then(|| FIRST_PRIVATE_USER + std::process::id())
}

impl Confinement {
    /// Whom the files of a job belong to, if not this user.
    pub fn user(&self) -> Option<u32> {
        match self {
            Confinement::Landlock { user, .. } => *user,
            Confinement::Namespaces { .. } | Confinement::Off => None,
        }
    }

    /// Has the command do all that before it becomes the program.
    pub fn apply(&self, command: &mut Command, limits: &Limits) -> io::Result<()> {
        let limits = *limits;
        match self {
            Confinement::Namespaces { rules } => {
                let filter = filter::in_namespaces();
                let mut ruleset = rules.as_ref().map(rules::Rules::ruleset).transpose()?;
                sys::before_exec(command, move || {
                    begin(&limits, limits.processes)?;
                    // Queues and semaphores of one job are not there for the next. Where the supervisor may not do that, programs have none
                    // of them in common with the machine all the same.
                    let _ = sys::unshare(libc::CLONE_NEWIPC);
                    rustix::thread::set_no_new_privs(true)?;
                    ruleset.take().map_or(Ok(()), rules::restrict)?;
                    sys::install_filter(&filter)
                });
            }
            Confinement::Landlock { rules, user } => {
                let (mut ruleset, abi, user) = (Some(rules.ruleset()?), rules.abi(), *user);
                let others = if user.is_some() { 0 } else { tasks_of_user() };
                sys::before_exec(command, move || {
                    begin(&limits, others + limits.processes)?;
                    user.map_or(Ok(()), sys::become_user)?;
                    // The supervisor ends all processes of a job, unless it is killed itself.
                    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
                    rustix::thread::set_no_new_privs(true)?;
                    ruleset.take().map_or(Ok(()), rules::restrict)?;
                    sys::install_filter(&filter::with_landlock(abi, std::process::id()))
                });
            }
            Confinement::Off => sys::before_exec(command, move || begin(&limits, u64::MAX)),
        }
        Ok(())
    }
}

/// A session of its own, no descriptors, and the limits of each process.
fn begin(limits: &Limits, processes: u64) -> io::Result<()> {
    rustix::process::setsid()?;
    sys::close_others_on_exec()?;
    let limit = |resource, most: u64| {
        let before = rustix::process::getrlimit(resource).maximum;
        let most = before.map_or(most, |before| before.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
    };
    // Less than any core file has; 0 would still start a handler where the system has one.
    limit(Resource::Core, 1)?;
    limit(Resource::Stack, limits.stack_bytes)?;
    limit(Resource::Fsize, limits.file_bytes)?;
    limit(Resource::Nofile, limits.open_files)?;
    if processes != u64::MAX {
        limit(Resource::Nproc, processes)?;
    }
    if limits.limits_address_space {
        limit(Resource::As, limits.memory_bytes)?;
    }
    Ok(())
}

/// How many processes and threads this user has: where no namespace counts apart, the limit is beyond those.
fn tasks_of_user() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::getuid().as_raw();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_number =
        |entry: &std::fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
    let is_own = |entry: &std::fs::DirEntry| entry.metadata().is_ok_and(|metadata| metadata.uid() == own);
    let threads =
        |entry: std::fs::DirEntry| std::fs::read_dir(entry.path().join("task")).map_or(1, |tasks| tasks.count());
    entries.filter(|entry| is_number(entry) && is_own(entry)).map(|entry| threads(entry) as u64).sum()
}
