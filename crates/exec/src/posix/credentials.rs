//! As whom this process runs: the one unsafe file of `posix`. The calls below only report, and always succeed or say so.

use super::Credentials;

/// The effective user and groups of this process.
pub(super) fn effective() -> Credentials {
    // SAFETY: both functions take nothing, cannot fail and touch no memory.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    Credentials { user, group, supplementary_groups: supplementary_groups() }
}

fn supplementary_groups() -> Vec<u32> {
    // SAFETY: with a size of 0 nothing is written; the call returns the number of groups.
    let count = unsafe { libc::getgroups(0, std::ptr::null_mut()) };
    let mut groups = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: the vector has room for the number of groups that is passed; the call fails rather than write more.
    let written = unsafe { libc::getgroups(groups.len() as i32, groups.as_mut_ptr()) };
    groups.truncate(usize::try_from(written).unwrap_or(0));
    groups
}
