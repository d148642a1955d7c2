//! Signals to the processes of a run: its process group, and those that left the group.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// Asks every process of the group that `leader` leads to end; the driver saves its coverage and dies.
pub fn terminate_group(leader: u32) {
    signal_group(leader, Signal::TERM);
}

/// Ends every process of the group that `leader` leads. The kernel does it in one step, so that no process of the group
/// can escape by making another.
pub fn kill_group(leader: u32) {
    signal_group(leader, Signal::KILL);
}

fn signal_group(leader: u32, signal: Signal) {
    // The numbers 0 and 1 would stand for our own group and for everybody.
    let Ok(leader @ 2..) = i32::try_from(leader) else { return };
    let Some(leader) = Pid::from_raw(leader) else { return };
    // A group that is gone already is no error.
    let _ = kill_process_group(leader, signal);
}

/// Ends processes that left the group of their run (`setsid`, `daemon`): those that work in its directory, or were
/// started with it in their environment. One of them may make another while we look, hence several rounds.
pub fn kill_strays(scratch: &Path) {
    const ROUNDS: usize = 10;
    for _ in 0..ROUNDS {
        let strays = strays(scratch);
        if strays.is_empty() {
            return;
        }
        for stray in strays {
            let _ = kill_process(stray, Signal::KILL);
        }
    }
}

fn strays(scratch: &Path) -> Vec<Pid> {
    let ourselves = std::process::id();
    let mark = scratch.as_os_str().as_bytes();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let works_there = || fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder.starts_with(scratch));
        let was_started_there = || {
            fs::read(entry.path().join("environ")).is_ok_and(|text| text.windows(mark.len()).any(|part| part == mark))
        };
        if number != ourselves && (works_there() || was_started_there()) && !is_dead(&entry.path()) {
            found.extend(i32::try_from(number).ok().and_then(Pid::from_raw));
        }
    }
    found
}

/// Whether only the entry of a process is left, which nobody has asked for yet.
fn is_dead(process: &Path) -> bool {
    let status = fs::read_to_string(process.join("stat")).unwrap_or_default();
    status.rsplit(')').next().is_none_or(|rest| rest.trim_start().starts_with(['Z', 'X']))
}
