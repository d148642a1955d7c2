//! Landlock's rules: which files programs may read and write where they share the machine's file system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};

use super::files::Folders;
use crate::protocol::Shared;
use crate::sys;

pub struct Rules {
    created: RulesetCreated,
    abi: u32,
}

/// Harmless devices, which programs also write to.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// The version of Landlock's interface to use: the kernel's, or the wanted one if it is older.
pub fn usable_abi(wanted: Option<u32>) -> io::Result<u32> {
    let known = sys::landlock_abi()
        .ok_or_else(|| io::Error::other("this kernel has no Landlock (Linux 5.13 or newer, enabled)"))?;
    Ok(wanted.map_or(known, |wanted| wanted.min(known)))
}

fn version(abi: u32) -> ABI {
    match abi {
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        _ => ABI::V6,
    }
}

impl Rules {
    pub fn new(abi: u32, folders: &Folders, hidden: &[PathBuf], shared: &[Shared]) -> io::Result<Rules> {
        let version = version(abi);
        let all = AccessFs::from_all(version);
        let mut ruleset =
            Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(all).map_err(other)?;
        if abi >= 4 {
            ruleset = ruleset.handle_access(AccessNet::from_all(version)).map_err(other)?;
        }
        if abi >= 6 {
            ruleset = ruleset.scope(Scope::from_all(version)).map_err(other)?;
        }
        let mut created = ruleset.create().map_err(other)?;
        let read = AccessFs::from_read(version);
        let of_file = AccessFs::from_file(version);
        let mut allow = |path: &Path, access| -> io::Result<()> {
            // What is not there, or not for this user, is not allowed either.
            let Ok(fd) = PathFd::new(path) else { return Ok(()) };
            let access =
                if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) { access } else { access & of_file };
            let rules = (&mut created).add_rule(PathBeneath::new(fd, access));
            rules.map(drop).map_err(other)
        };
        let mut hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
        hidden.extend(["/dev", "/sys/kernel"].map(PathBuf::from));
        for path in visible(Path::new("/"), &hidden) {
            allow(&path, read)?;
        }
        for shared in shared {
            allow(&shared.outside, read)?;
        }
        for device in DEVICES {
            allow(Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile)?;
        }
        for folder in [&folders.work, &folders.control, &folders.temporary] {
            allow(folder, all)?;
        }
        Ok(Rules { created, abi })
    }

    pub fn abi(&self) -> u32 {
        self.abi
    }

    /// For one process.
    pub fn ruleset(&self) -> io::Result<RulesetCreated> {
        self.created.try_clone()
    }
}

/// From here on this process, and what it becomes and makes, keeps to the rules.
pub fn restrict(ruleset: RulesetCreated) -> io::Result<()> {
    let status = ruleset.restrict_self().map_err(other)?;
    match status.ruleset {
        landlock::RulesetStatus::FullyEnforced => Ok(()),
        _ => Err(io::Error::other("Landlock does not enforce all of its rules")),
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::other(error)
}

/// The largest directories and files without anything hidden in them.
fn visible(folder: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Where a link leads is decided by where that lies.
        if entry.file_type().is_ok_and(|kind| kind.is_symlink()) || hidden.contains(&path) {
            continue;
        }
        if hidden.iter().any(|hidden| hidden.starts_with(&path)) {
            found.extend(visible(&path, hidden));
        } else {
            found.push(path);
        }
    }
    found
}
