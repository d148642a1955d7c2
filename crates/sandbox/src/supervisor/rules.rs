//! Landlock's rules: which files programs may read and write where they share the machine's file system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};

use super::files::Folders;
use crate::protocol::Shared;
use crate::sys;

/// Landlock's rights on files.
type Rights = BitFlags<AccessFs>;

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
    /// Where nothing else keeps programs in.
    pub fn new(abi: u32, folders: &Folders, hidden: &[PathBuf], shared: &[Shared]) -> io::Result<Rules> {
        let version = version(abi);
        let (all, read) = (AccessFs::from_all(version), AccessFs::from_read(version));
        let mut ruleset =
            Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(all).map_err(other)?;
        if abi >= 4 {
            ruleset = ruleset.handle_access(AccessNet::from_all(version)).map_err(other)?;
        }
        if abi >= 6 {
            ruleset = ruleset.scope(Scope::from_all(version)).map_err(other)?;
        }
        let mut rules = Rules { created: ruleset.create().map_err(other)?, abi };
        let mut hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
        hidden.extend(["/dev", "/sys/kernel"].map(PathBuf::from));
        for path in visible(Path::new("/"), &hidden) {
            rules.allow(&path, read)?;
        }
        for shared in shared {
            rules.allow(&shared.outside, read)?;
        }
        rules.allow_writing(AccessFs::ReadFile | AccessFs::WriteFile, all, folders)
    }

    /// Beside namespaces: what is read-only there can still be written if it is a FIFO, to which somebody outside may listen. `None` where
    /// the kernel has no Landlock that lets programs rename files.
    pub fn in_namespaces(folders: &Folders) -> io::Result<Option<Rules>> {
        let Some(abi) = sys::landlock_abi().filter(|abi| *abi >= 2) else { return Ok(None) };
        let writing = AccessFs::WriteFile | AccessFs::Refer;
        let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let created = ruleset.handle_access(writing).and_then(|ruleset| ruleset.create()).map_err(other)?;
        Rules { created, abi }.allow_writing(AccessFs::WriteFile.into(), writing, folders).map(Some)
    }

    fn allow_writing(mut self, devices: Rights, files: Rights, folders: &Folders) -> io::Result<Rules> {
        for device in DEVICES {
            self.allow(Path::new(device), devices)?;
        }
        for folder in [&folders.work, &folders.control, &folders.temporary] {
            self.allow(folder, files)?;
        }
        Ok(self)
    }

    /// What is not there, or not for this user, is not allowed either.
    fn allow(&mut self, path: &Path, access: Rights) -> io::Result<()> {
        let Ok(fd) = PathFd::new(path) else { return Ok(()) };
        let is_directory = fs::metadata(path).is_ok_and(|metadata| metadata.is_dir());
        let access = if is_directory { access } else { access & AccessFs::from_file(version(self.abi)) };
        (&mut self.created).add_rule(PathBeneath::new(fd, access)).map(drop).map_err(other)
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
