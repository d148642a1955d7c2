//! The directories of a job: filled before it starts, read and emptied after it ended.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat};

use super::below;
use crate::protocol::{File, Place, Setup};

/// How much of what the driver left is handed back, in all and in number.
const MOST_RESULT_BYTES: u64 = 128 << 20;
const MOST_RESULTS: usize = 10_000;

/// The permissions of `/tmp`.
pub const TEMPORARY_MODE: u32 = 0o1777;

/// As this process and programs see them.
pub struct Folders {
    pub work: PathBuf,
    pub control: PathBuf,
    pub temporary: PathBuf,
    /// How much may be in them, where nothing else bounds that.
    pub bounded_by: Option<u64>,
}

impl Folders {
    /// In the directory that the caller made.
    pub fn in_scratch(setup: &Setup) -> io::Result<Folders> {
        let make = |name: &str| {
            let folder = setup.scratch.join(name);
            fs::create_dir(&folder).map(|()| folder)
        };
        let folders = Folders {
            work: make("work")?,
            control: make("control")?,
            temporary: make("tmp")?,
            bounded_by: Some(setup.disk_bytes),
        };
        fs::set_permissions(&setup.scratch, fs::Permissions::from_mode(0o755))?;
        Ok(folders)
    }

    /// Lets another user write there.
    pub fn give_to(&self, user: u32) -> io::Result<()> {
        self.all().into_iter().try_for_each(|folder| chown(folder, Some(user), Some(user)))
    }

    fn all(&self) -> [&Path; 3] {
        [&self.work, &self.control, &self.temporary]
    }

    fn of(&self, place: Place) -> &Path {
        match place {
            Place::Work => &self.work,
            Place::Control => &self.control,
        }
    }

    /// Writes what a job begins with; `user` is who runs it, if not this user.
    pub fn fill(&self, files: &[File], user: Option<u32>) -> io::Result<()> {
        for file in files {
            let folder = self.of(file.place);
            let path = below(folder, &file.path)?;
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent)?;
            fs::write(&path, &file.bytes)?;
            if let Some(user) = user {
                let made = path.ancestors().take_while(|path| *path != folder);
                made.into_iter().try_for_each(|path| chown(path, Some(user), Some(user)))?;
            }
        }
        Ok(())
    }

    /// What the driver left. Programs may have put anything there: only regular files count, and none is followed out.
    pub fn results(&self, given: &[File]) -> Vec<File> {
        let mut results = Vec::new();
        let mut left = MOST_RESULT_BYTES;
        collect(&self.control, Path::new(""), &mut left, &mut results);
        let is_same = |left: &File, right: &File| left.path == right.path && left.bytes == right.bytes;
        let of_driver = || given.iter().filter(|file| file.place == Place::Control);
        results.retain(|result| !of_driver().any(|given| is_same(given, result)));
        results
    }

    /// Removes everything. Nothing may run any more.
    pub fn clear(&self) {
        for (folder, mode) in self.all().into_iter().zip([0o755, 0o755, TEMPORARY_MODE]) {
            let _ = empty(folder);
            remove_attributes(folder);
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(mode));
        }
    }

    /// How much is in them now.
    pub fn usage(&self) -> u64 {
        let open = |folder: &Path| open_folder(CWD, folder.as_os_str()).ok();
        self.all().into_iter().filter_map(open).map(|folder| usage(&folder, 0)).fold(0, u64::saturating_add)
    }
}

fn collect(folder: &Path, relative: &Path, left: &mut u64, results: &mut Vec<File>) {
    let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), relative.join(entry.file_name()));
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            collect(&path, &name, left, results);
        } else if kind.is_file() && results.len() < MOST_RESULTS && *left > 0 {
            let open = fs::OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&path);
            let mut bytes = Vec::new();
            if open.and_then(|file| file.take(*left).read_to_end(&mut bytes)).is_ok() {
                *left -= bytes.len() as u64;
                results.push(File { place: Place::Control, path: name, bytes });
            }
        }
    }
}

/// Removes what is in a directory. Programs may have taken away the permissions that this needs, and nested directories deeper than
/// any path is long.
fn empty(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    let top = open_folder(CWD, folder.as_os_str())?;
    let mut moved = 0u64;
    loop {
        let left = names(&top)?;
        if left.is_empty() {
            return Ok(());
        }
        for name in left {
            if unlinkat(&top, &name, AtFlags::empty()).is_ok() || unlinkat(&top, &name, AtFlags::REMOVEDIR).is_ok() {
                continue;
            }
            chmodat(&top, &name, Mode::from_raw_mode(0o755), AtFlags::empty())?;
            let inner = open_folder(&top, &name)?;
            for below in names(&inner)? {
                if unlinkat(&inner, &below, AtFlags::empty()).is_err() {
                    // A directory: one level up, until none is left below.
                    let place = loop {
                        let place = format!("symcrete-{moved}");
                        moved += 1;
                        if statat(&top, &place, AtFlags::SYMLINK_NOFOLLOW).is_err() {
                            break place;
                        }
                    };
                    let _ = chmodat(&inner, &below, Mode::from_raw_mode(0o755), AtFlags::empty());
                    renameat(&inner, &below, &top, place)?;
                }
            }
            unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

fn open_folder(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// The names in a directory, all read before any is removed.
fn names(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let entries = Dir::read_from(folder)?.map(|entry| Ok(OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned()));
    let names: Vec<OsString> = entries.collect::<io::Result<_>>()?;
    Ok(names.into_iter().filter(|name| name != "." && name != "..").collect())
}

/// Attributes that a program put on a directory which outlives it, access lists among them.
fn remove_attributes(folder: &Path) {
    let mut list = vec![0; 1 << 16];
    let length = rustix::fs::listxattr(folder, &mut list[..]).unwrap_or(0);
    for name in list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let _ = rustix::fs::removexattr(folder, OsStr::from_bytes(name));
    }
}

/// Directories below each other of which the files are counted. Deeper ones take more than there is.
const MOST_LEVELS: u32 = 200;

fn usage(folder: &OwnedFd, level: u32) -> u64 {
    let of_entry = |name: OsString| {
        let Ok(about) = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { return 0 };
        // An empty file takes something, too.
        let own = about.st_blocks as u64 * 512 + 1024;
        let below = match open_folder(folder, &name) {
            Ok(_) if level == MOST_LEVELS => u64::MAX / 2,
            Ok(below) => usage(&below, level + 1),
            Err(_) => 0,
        };
        own.saturating_add(below)
    };
    names(folder).unwrap_or_default().into_iter().map(of_entry).fold(0, u64::saturating_add)
}
