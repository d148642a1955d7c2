//! The processes of a job, whoever their parent was: found by their parents' numbers, since orphans come to this process.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, wait};

/// Everything below this process: numbers, and pages in memory.
fn all() -> Vec<(i32, u64)> {
    let mut children: BTreeMap<i32, Vec<(i32, u64)>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(text) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // After the name, which may contain anything: state, parent, …, resident pages.
        let Some((_, rest)) = text.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let field = |index: usize| fields.get(index).and_then(|field| field.parse::<i64>().ok()).unwrap_or(0);
        children.entry(field(1) as i32).or_default().push((number, field(21).max(0) as u64));
    }
    let mut found = Vec::new();
    let mut open = vec![std::process::id() as i32];
    while let Some(parent) = open.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            open.push(child.0);
            found.push(child);
        }
    }
    found
}

/// Resident memory of all of them together.
pub fn memory_bytes() -> u64 {
    all().iter().map(|(_, pages)| pages * rustix::param::page_size() as u64).sum()
}

/// Ends all of them, and waits until none is left. One may make another meanwhile, hence the rounds; those that are stopped
/// first make none.
pub fn kill_all() {
    const PAUSE: Duration = Duration::from_micros(200);
    while reap().1 {
        let found = all();
        for signal in [Signal::STOP, Signal::KILL] {
            for pid in found.iter().filter_map(|(number, _)| Pid::from_raw(*number)) {
                let _ = kill_process(pid, signal);
            }
        }
        std::thread::sleep(PAUSE);
    }
}

/// Takes note of those that ended: their numbers and how, and whether others still run.
fn reap() -> (Vec<(Pid, WaitStatus)>, bool) {
    let mut ended = Vec::new();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(child)) => ended.push(child),
            Ok(None) => return (ended, true),
            Err(error) if error == rustix::io::Errno::INTR => {}
            Err(_) => return (ended, false),
        }
    }
}

/// Takes note of those that ended; how `wanted` did, if it is among them.
pub fn ended(wanted: Pid) -> Option<WaitStatus> {
    reap().0.into_iter().find(|(pid, _)| *pid == wanted).map(|(_, status)| status)
}
