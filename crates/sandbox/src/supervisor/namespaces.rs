//! Namespaces: who the processes of a sandbox are, and the way into it.

use std::fs;
use std::io;

use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::{DumpableBehavior, Pid, WaitOptions, set_dumpable_behavior, waitpid};

use super::files::Folders;
use super::{named, root};
use crate::protocol::Setup;
use crate::sys;

/// The user that programs believe to be, as the engine's C library says.
const PROGRAM_USER: u32 = 1000;

const OWN: i32 = libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// Makes the namespaces, and the process that is number 1 in them. `None` in that process.
pub fn enter() -> io::Result<Option<i32>> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if sys::is_root() {
        sys::unshare(OWN)?;
    } else {
        sys::unshare(OWN | libc::CLONE_NEWUSER)?;
        map_ids(0, user, group)?;
    }
    // Nothing that is mounted here shows outside.
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    sys::fork()
}

/// What the first process of the namespaces does: the file system, and then no privileges any more. `owner` is the user that
/// root becomes.
pub fn settle(setup: &Setup, owner: Option<u32>) -> io::Result<Folders> {
    let folders = root::build(setup, owner)?;
    // A program that talks to itself finds a network. Without one it is still a program.
    let _ = sys::loopback_up();
    let inherited = match owner {
        Some(user) => {
            sys::become_user(user)?;
            // Who changed its user cannot look into itself, which it must for its map of users.
            set_dumpable_behavior(DumpableBehavior::Dumpable)?;
            user
        }
        None => 0,
    };
    // The file system belongs to the namespace of users that is left here: nobody inside can change it any more. Where
    // ordinary users cannot have one, the user that root became has no privileges anyway.
    match sys::unshare(libc::CLONE_NEWUSER) {
        Ok(()) => map_ids(PROGRAM_USER, inherited, inherited).map_err(|error| named("the map of users", error))?,
        Err(_) if owner.is_some() => {}
        Err(error) => return Err(named("a second namespace of users", error)),
    }
    // Programs cannot look into this process, nor at what it has open.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(folders)
}

/// One user and one group, known as `inside`.
fn map_ids(inside: u32, user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{inside} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{inside} {group} 1"))
}

/// What the process outside does: waits for the one inside.
pub fn wait_for(child: i32) -> io::Result<i32> {
    loop {
        match waitpid(Pid::from_raw(child), WaitOptions::empty()) {
            Err(error) if error == rustix::io::Errno::INTR => {}
            Ok(ended) => return Ok(ended.and_then(|(_, status)| status.exit_status()).unwrap_or(1)),
            Err(error) => return Err(error.into()),
        }
    }
}
