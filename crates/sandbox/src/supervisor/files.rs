//! The directories of a job: filled before it starts, read and emptied after it ended.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use super::below;
use crate::protocol::{File, Place, Setup};

/// How much of what the driver left is handed back, in all and in number.
const MOST_RESULT_BYTES: u64 = 512 << 20;
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
            empty(folder);
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(mode));
        }
    }

    /// How much is in them now.
    pub fn usage(&self) -> u64 {
        self.all().into_iter().map(usage).sum()
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

/// Programs may have taken the permissions away that removing needs.
fn empty(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            empty(&path);
            let _ = fs::remove_dir(&path);
        } else {
            let _ = fs::remove_file(&path);
        }
    }
}

fn usage(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of_entry = |entry: fs::DirEntry| {
        let Ok(metadata) = entry.metadata() else { return 0 };
        // An empty file takes something, too.
        let own = metadata.blocks() * 512 + 1024;
        own + if metadata.is_dir() { usage(&entry.path()) } else { 0 }
    };
    entries.map(of_entry).sum()
}
