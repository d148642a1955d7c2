//! The same random calls go to the kernel, in a temporary directory, and to the overlay over a copy of that directory: results,
//! errors and the final files must be the same, and the copy must not change. Unsafe only to make system calls.
//!
//! The process is shared with other tests, so the kernel's side has its current directory in a descriptor and uses the `*at`
//! calls, and the umask stays as it is.
#![allow(clippy::unwrap_used)]

use super::{Errno, Host, NewTime, OverlayChange, OverlayEntry, Posix, RealHost, Stat, Time};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

const SEQUENCES: u64 = 40;
const CALLS: usize = 150;
const NOBODY: u32 = 65534;

/// One system call. Paths that begin with `@` are in the base directory, absolutely.
#[derive(Clone, Debug)]
enum Call {
    Open(String, i32, u32),
    Close(i32),
    Read(i32, usize),
    Write(i32, Vec<u8>),
    Seek(i32, i64, i32),
    Truncate(i32, i64),
    Duplicate(i32),
    DuplicateTo(i32, i32),
    StatOpen(i32),
    Stat(String),
    StatLink(String),
    Access(String, i32),
    Unlink(String),
    Rename(String, String),
    MakeDirectory(String, u32),
    RemoveDirectory(String),
    ChangeDirectory(String),
    CurrentDirectory,
    List(String),
    ChangeMode(String, u32),
    Link(String, String),
    LinkSymbolically(String, String),
    ReadLink(String),
    /// Seconds of access and change, both of them small.
    SetTimes(String, bool, [i64; 2]),
    Times(String),
}

/// What a call gave, in a form in which the two sides can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reply {
    Number(i64),
    Bytes(Vec<u8>),
    /// mode, user, group, links, size; the last two are 0 for directories, since file systems differ there.
    Stat([u64; 5]),
    Names(Vec<(Vec<u8>, u8)>),
}

fn comparable(stat: &Stat) -> Reply {
    let is_directory = stat.is_directory();
    let links = if is_directory { 0 } else { stat.links };
    let size = if is_directory { 0 } else { stat.size as u64 };
    Reply::Stat([stat.mode, stat.user, stat.group, links, size])
}

/// A time of the last change that the program set; the kernel's own are those of today. That of the last access is not compared: whether
/// reading changes it is a matter of how the file system is mounted.
fn old_times(stat: &Stat) -> Reply {
    let old = |seconds: i64, nanoseconds: i64| if seconds < 1000 { (seconds * 1000 + nanoseconds) as u64 } else { 0 };
    Reply::Stat([old(stat.modify_seconds, stat.modify_nanoseconds), 0, 0, 0, 0])
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    fn path(&mut self) -> String {
        const NAMES: [&str; 19] = [
            "f1", "f1", "f2", "d1", "d1", "d2", "d2", "new1", "new1", "new2", "sub", "f3", "f4", "link_f", "link_d",
            "loop", "dangling", "ro", "nowrite",
        ];
        let rare = [
            "",
            "/",
            ".",
            "..",
            "@",
            "wo",
            "noexec",
            "noexec/in",
            "nowrite/in",
            "f1/",
            "dangling/",
            "./",
            "d1/..",
            "d2/.",
        ];
        if self.one_in(12) {
            return self.pick(&rare).to_owned();
        }
        if self.one_in(100) {
            return "n".repeat(if self.one_in(2) { 255 } else { 256 });
        }
        let mut parts: Vec<String> = (0..1 + self.below(6) / 3).map(|_| self.pick(&NAMES).to_owned()).collect();
        if self.one_in(8) {
            // One `..` at most: no path can leave the temporary directory.
            let place = self.below(parts.len() + 1);
            parts.insert(place, self.pick(&["..", ".", ""]).to_owned());
        }
        let mut path = parts.join("/").trim_start_matches('/').to_owned();
        if self.one_in(10) {
            path.push('/');
        }
        if self.one_in(6) { format!("@/{path}") } else { path }
    }

    /// A path in the temporary directory: the machine's own directories must keep their attributes.
    fn path_inside(&mut self) -> String {
        loop {
            let path = self.path();
            if !path.starts_with('/') {
                return path;
            }
        }
    }

    fn open_flags(&mut self) -> i32 {
        let mut flags = self.pick(&[libc::O_RDONLY, libc::O_RDONLY, libc::O_WRONLY, libc::O_RDWR, libc::O_RDWR]);
        for (flag, odds) in [(libc::O_CREAT, 2), (libc::O_TRUNC, 4), (libc::O_APPEND, 4), (libc::O_NOFOLLOW, 8)] {
            if self.one_in(odds) {
                flags |= flag;
            }
        }
        if flags & libc::O_CREAT != 0 && self.one_in(4) {
            flags |= libc::O_EXCL;
        }
        // Together with O_CREAT its meaning depends on the version of Linux.
        if flags & libc::O_CREAT == 0 && self.one_in(8) {
            flags |= libc::O_DIRECTORY;
        }
        flags
    }

    fn call(&mut self, open: &[i32]) -> Call {
        let mode = self.pick(&[0o666, 0o777, 0o600, 0o444, 0o200, 0]);
        let bad_descriptor = [900];
        let file = if open.is_empty() || self.one_in(20) { &bad_descriptor } else { open };
        let descriptor = self.pick(file);
        match self.below(32) {
            0..=5 => Call::Open(self.path(), self.open_flags(), mode),
            6 => Call::Close(descriptor),
            7 | 8 => Call::Read(descriptor, self.below(20)),
            9..=11 => {
                let length = self.below(12);
                Call::Write(descriptor, (0..length).map(|_| b'a' + self.below(26) as u8).collect())
            }
            12 | 13 => Call::Seek(descriptor, self.below(40) as i64 - 10, self.pick(&[0, 1, 2, 0, 1, 2, 17])),
            14 => Call::Truncate(descriptor, self.below(60) as i64 - 5),
            15 => Call::Duplicate(descriptor),
            16 => Call::DuplicateTo(descriptor, self.pick(file)),
            17 => Call::StatOpen(descriptor),
            18 => self.pick(&[Call::Stat, Call::StatLink])(self.path()),
            19 => Call::Access(self.path(), self.pick(&[0, 1, 2, 4, 6, 7, 8])),
            20 => Call::Unlink(self.path()),
            21 | 22 => Call::Rename(self.path(), self.path()),
            23 if self.one_in(2) => Call::MakeDirectory(self.path(), mode),
            23 => Call::RemoveDirectory(self.path()),
            24 if self.one_in(2) => Call::ChangeDirectory(self.path()),
            24 => Call::CurrentDirectory,
            25 => Call::List(self.path()),
            26 => Call::ChangeMode(
                self.path_inside(),
                self.pick(&[0o666, 0o777, 0o600, 0o4755, 0o2777, 0o1777, 0o444, 0]),
            ),
            27 => Call::Link(self.path(), self.path()),
            // No `..`: links must not lead out of the temporary directory.
            28 => Call::LinkSymbolically(
                self.pick(&["f1", "d1", "d2/f3", "new1", "missing", "", "."]).to_owned(),
                self.path(),
            ),
            29 => Call::ReadLink(self.path()),
            30 => Call::SetTimes(self.path_inside(), self.one_in(2), [self.below(100) as i64, self.below(100) as i64]),
            _ => Call::Times(self.path()),
        }
    }
}

/// The overlay's side of the comparison.
struct Overlay {
    posix: Posix,
    host: RealHost,
    base: String,
}

impl Overlay {
    fn new(base: &Path) -> Overlay {
        let base = base.to_str().unwrap().to_owned();
        let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
        let mut host = RealHost::new(null(), null(), null(), base.clone().into_bytes());
        let mut posix = Posix::new(&mut host, 0);
        posix.umask(process_umask());
        Overlay { posix, host, base }
    }

    /// What that means, file systems do not agree on.
    fn is_seek_in_directory(&mut self, call: &Call) -> bool {
        let Call::Seek(descriptor, ..) = call else { return false };
        self.posix.fstat(&mut self.host, *descriptor).is_ok_and(|stat| stat.is_directory())
    }

    fn list(&mut self, path: &str) -> Result<Vec<(Vec<u8>, u8)>, Errno> {
        let path = path.replace('@', &self.base).into_bytes();
        let mut names = Vec::new();
        while let Some(entry) = self.posix.readdir(&mut self.host, &path, names.len())? {
            names.push(entry);
        }
        Ok(names)
    }

    fn perform(&mut self, call: &Call) -> Result<Reply, Errno> {
        let expand = |path: &str| path.replace('@', &self.base).into_bytes();
        let (posix, host) = (&mut self.posix, &mut self.host);
        let number = match call {
            Call::Open(path, flags, mode) => posix.open(host, &expand(path), *flags, *mode),
            Call::Close(descriptor) => posix.close(*descriptor),
            Call::Read(descriptor, count) => return posix.read(host, *descriptor, *count).map(Reply::Bytes),
            Call::Write(descriptor, bytes) => posix.write(host, *descriptor, bytes),
            Call::Seek(descriptor, offset, whence) => posix.lseek(host, *descriptor, *offset, *whence),
            Call::Truncate(descriptor, length) => posix.ftruncate(host, *descriptor, *length),
            Call::Duplicate(descriptor) => posix.dup(*descriptor),
            Call::DuplicateTo(descriptor, to) => posix.dup2(*descriptor, *to),
            Call::StatOpen(descriptor) => return posix.fstat(host, *descriptor).map(|stat| comparable(&stat)),
            Call::Stat(path) => return posix.stat(host, &expand(path)).map(|stat| comparable(&stat)),
            Call::StatLink(path) => return posix.lstat(host, &expand(path)).map(|stat| comparable(&stat)),
            Call::Access(path, mode) => posix.access(host, &expand(path), *mode),
            Call::Unlink(path) => posix.unlink(host, &expand(path)),
            Call::Rename(from, to) => posix.rename(host, &expand(from), &expand(to)),
            Call::MakeDirectory(path, mode) => posix.mkdir(host, &expand(path), *mode),
            Call::RemoveDirectory(path) => posix.rmdir(host, &expand(path)),
            Call::ChangeDirectory(path) => posix.chdir(host, &expand(path)),
            Call::CurrentDirectory => {
                let path = posix.getcwd(4096)?;
                return Ok(Reply::Bytes(relative(&path[..path.len() - 1], &self.base)));
            }
            Call::List(path) => return self.list(path).map(Reply::Names),
            Call::ChangeMode(path, mode) => posix.chmod(host, Some(&expand(path)), -1, *mode),
            Call::Link(from, to) => posix.link(host, &expand(from), &expand(to), false),
            Call::LinkSymbolically(target, path) => posix.symlink(host, target.as_bytes(), &expand(path)),
            Call::ReadLink(path) => {
                return posix.readlink(host, &expand(path)).map(|target| Reply::Bytes(target.to_vec()));
            }
            Call::SetTimes(path, follow, seconds) => {
                let times = seconds.map(|seconds| NewTime::At(Time { seconds, nanoseconds: 7 }));
                posix.set_times(host, Some(&expand(path)), -1, *follow, times)
            }
            Call::Times(path) => return posix.lstat(host, &expand(path)).map(|stat| old_times(&stat)),
        };
        number.map(Reply::Number)
    }
}

/// The kernel's side of the comparison. Knows its descriptors by the numbers that the overlay gives them.
struct Kernel {
    current_directory: i32,
    descriptors: BTreeMap<i32, i32>,
    base: String,
}

impl Kernel {
    fn new(base: &Path) -> Kernel {
        let base = base.to_str().unwrap().to_owned();
        let mut kernel = Kernel { current_directory: libc::AT_FDCWD, descriptors: BTreeMap::new(), base };
        kernel.perform(&Call::ChangeDirectory("@".to_owned()), 0).unwrap();
        kernel
    }

    fn path(&self, path: &str) -> CString {
        CString::new(path.replace('@', &self.base)).unwrap()
    }

    /// `given` is the descriptor that the overlay returned, if it did.
    fn perform(&mut self, call: &Call, given: i32) -> Result<Reply, Errno> {
        let at = self.current_directory;
        let real = |descriptor: &i32| self.descriptors.get(descriptor).copied().unwrap_or(-1);
        // SAFETY: every pointer is to a live buffer of the length that is passed or to a NUL-terminated string.
        let number = unsafe {
            match call {
                Call::Open(path, flags, mode) => libc::openat(at, self.path(path).as_ptr(), *flags, *mode) as i64,
                Call::Close(descriptor) => libc::close(real(descriptor)) as i64,
                Call::Read(descriptor, count) => {
                    let mut buffer = vec![0; *count];
                    let read = check(libc::read(real(descriptor), buffer.as_mut_ptr().cast(), *count) as i64)?;
                    buffer.truncate(read as usize);
                    return Ok(Reply::Bytes(buffer));
                }
                Call::Write(descriptor, bytes) => {
                    libc::write(real(descriptor), bytes.as_ptr().cast(), bytes.len()) as i64
                }
                Call::Seek(descriptor, offset, whence) => libc::lseek(real(descriptor), *offset, *whence),
                Call::Truncate(descriptor, length) => libc::ftruncate(real(descriptor), *length) as i64,
                Call::Duplicate(descriptor) => libc::dup(real(descriptor)) as i64,
                Call::DuplicateTo(descriptor, to) => {
                    // The number is the overlay's; the kernel's own number of `to` would not compare.
                    check(libc::dup2(real(descriptor), real(to)) as i64)?;
                    i64::from(*to)
                }
                Call::StatOpen(descriptor) => {
                    let empty = c"".as_ptr();
                    return kernel_stat(real(descriptor), empty, libc::AT_EMPTY_PATH);
                }
                Call::Stat(path) => return kernel_stat(at, self.path(path).as_ptr(), 0),
                Call::StatLink(path) => return kernel_stat(at, self.path(path).as_ptr(), libc::AT_SYMLINK_NOFOLLOW),
                Call::Access(path, mode) => libc::faccessat(at, self.path(path).as_ptr(), *mode, 0) as i64,
                Call::Unlink(path) => libc::unlinkat(at, self.path(path).as_ptr(), 0) as i64,
                Call::Rename(from, to) => {
                    libc::renameat(at, self.path(from).as_ptr(), at, self.path(to).as_ptr()) as i64
                }
                Call::MakeDirectory(path, mode) => libc::mkdirat(at, self.path(path).as_ptr(), *mode) as i64,
                Call::RemoveDirectory(path) => libc::unlinkat(at, self.path(path).as_ptr(), libc::AT_REMOVEDIR) as i64,
                Call::ChangeDirectory(path) => return self.change_directory(path),
                Call::CurrentDirectory => return self.current_directory(),
                Call::List(path) => return self.list(path),
                Call::ChangeMode(path, mode) => libc::fchmodat(at, self.path(path).as_ptr(), *mode, 0) as i64,
                Call::Link(from, to) => {
                    libc::linkat(at, self.path(from).as_ptr(), at, self.path(to).as_ptr(), 0) as i64
                }
                Call::LinkSymbolically(target, path) => {
                    let target = CString::new(target.as_str()).unwrap();
                    libc::symlinkat(target.as_ptr(), at, self.path(path).as_ptr()) as i64
                }
                Call::ReadLink(path) => {
                    let mut buffer = vec![0; 4096];
                    let read = libc::readlinkat(at, self.path(path).as_ptr(), buffer.as_mut_ptr().cast(), 4096);
                    let length = check(read as i64)?;
                    buffer.truncate(length as usize);
                    return Ok(Reply::Bytes(buffer));
                }
                Call::SetTimes(path, follow, seconds) => {
                    let times = seconds.map(|seconds| libc::timespec { tv_sec: seconds, tv_nsec: 7 });
                    let flags = if *follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
                    libc::utimensat(at, self.path(path).as_ptr(), times.as_ptr(), flags) as i64
                }
                Call::Times(path) => {
                    return kernel_lstat(at, self.path(path).as_ptr()).map(|stat| old_times(&stat));
                }
            }
        };
        let number = check(number)?;
        match call {
            Call::Open(..) | Call::Duplicate(_) => {
                self.descriptors.insert(given, number as i32);
                return Ok(Reply::Number(i64::from(given)));
            }
            Call::Close(descriptor) => {
                self.descriptors.remove(descriptor);
            }
            _ => {}
        }
        Ok(Reply::Number(number))
    }

    fn change_directory(&mut self, path: &str) -> Result<Reply, Errno> {
        let path = self.path(path);
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        // SAFETY: the strings are NUL-terminated; the descriptors are this structure's own.
        unsafe {
            let opened = check(libc::openat(self.current_directory, path.as_ptr(), flags) as i64)? as i32;
            if let Err(errno) = check(libc::faccessat(opened, c".".as_ptr(), libc::X_OK, 0) as i64) {
                libc::close(opened);
                return Err(errno);
            }
            if self.current_directory >= 0 {
                libc::close(self.current_directory);
            }
            self.current_directory = opened;
        }
        Ok(Reply::Number(0))
    }

    fn current_directory(&self) -> Result<Reply, Errno> {
        let path = fs::read_link(format!("/proc/thread-self/fd/{}", self.current_directory))?;
        let path = path.into_os_string().into_vec();
        if path.ends_with(b" (deleted)") {
            return Err(Errno::ENOENT);
        }
        Ok(Reply::Bytes(relative(&path, &self.base)))
    }

    fn list(&self, path: &str) -> Result<Reply, Errno> {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY;
        // SAFETY: the string is NUL-terminated, and the directory stream is used before it is closed.
        unsafe {
            let opened = check(libc::openat(self.current_directory, self.path(path).as_ptr(), flags) as i64)? as i32;
            let directory = libc::fdopendir(opened);
            let mut names = Vec::new();
            while let Some(entry) = libc::readdir(directory).as_ref() {
                let name = std::ffi::CStr::from_ptr(entry.d_name.as_ptr()).to_bytes().to_vec();
                names.push((name, entry.d_type));
            }
            libc::closedir(directory);
            names.sort();
            // A removed directory has no dots any more; ours keeps them.
            if names.is_empty() {
                names = [b".".to_vec(), b"..".to_vec()].map(|name| (name, libc::DT_DIR)).to_vec();
            }
            Ok(Reply::Names(names))
        }
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        let mut real: Vec<i32> = self.descriptors.values().copied().collect();
        real.push(self.current_directory);
        for descriptor in real {
            // SAFETY: the descriptors are this structure's own.
            unsafe { libc::close(descriptor) };
        }
    }
}

fn check(result: i64) -> Result<i64, Errno> {
    if result < 0 { Err(std::io::Error::last_os_error().into()) } else { Ok(result) }
}

fn kernel_lstat(at: i32, path: *const libc::c_char) -> Result<Stat, Errno> {
    // SAFETY: all zeros is a valid `stat`, and the callers pass a NUL-terminated string.
    let stat = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check(libc::fstatat(at, path, &mut stat, libc::AT_SYMLINK_NOFOLLOW) as i64)?;
        stat
    };
    Ok(Stat { modify_seconds: stat.st_mtime, modify_nanoseconds: stat.st_mtime_nsec, ..Stat::default() })
}

fn kernel_stat(at: i32, path: *const libc::c_char, flags: i32) -> Result<Reply, Errno> {
    // SAFETY: all zeros is a valid `stat`, and the callers pass a NUL-terminated string.
    let stat = unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        check(libc::fstatat(at, path, &mut stat, flags) as i64)?;
        stat
    };
    Ok(comparable(&Stat {
        mode: stat.st_mode.into(),
        user: stat.st_uid.into(),
        group: stat.st_gid.into(),
        links: stat.st_nlink as u64,
        size: stat.st_size,
        ..Stat::default()
    }))
}

/// A path below the directory that contains the base, with the rest cut off.
fn relative(path: &[u8], base: &str) -> Vec<u8> {
    let above = Path::new(base).parent().unwrap().as_os_str().as_bytes();
    path.strip_prefix(above).unwrap_or(b"outside").to_vec()
}

fn process_umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:")).unwrap();
    u32::from_str_radix(line.trim(), 8).unwrap()
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// The files that both sides begin with, in `<root>/above/base`.
fn make_files(root: &Path, owner: Option<u32>) -> PathBuf {
    let base = root.join("above/base");
    for directory in ["d1/sub", "d2", "nowrite", "noexec"] {
        fs::create_dir_all(base.join(directory)).unwrap();
    }
    for (file, content) in [
        ("f1", "hello, world"),
        ("f2", ""),
        ("d1/f3", "three"),
        ("d1/sub/f4", "four"),
        ("ro", "read only"),
        ("wo", "write only"),
        ("nowrite/in", "in"),
        ("noexec/in", "in"),
    ] {
        fs::write(base.join(file), content).unwrap();
    }
    for (link, target) in [("link_f", "f1"), ("link_d", "d1"), ("loop", "loop"), ("dangling", "d2/nowhere")] {
        symlink(target, base.join(link)).unwrap();
    }
    for (path, bits) in [("ro", 0o444), ("wo", 0o200), ("nowrite", 0o500), ("noexec", 0o600)] {
        mode(&base.join(path), bits);
    }
    if let Some(owner) = owner {
        for path in everything_below(root) {
            std::os::unix::fs::lchown(path, Some(owner), Some(owner)).unwrap();
        }
        chown(root, Some(owner), Some(owner)).unwrap();
    }
    base
}

fn everything_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                pending.push(entry.path());
            }
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// What is below a directory: the kind and permissions of each path, and the content of files.
type Tree = BTreeMap<Vec<u8>, (u32, Vec<u8>)>;

fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    for path in everything_below(root) {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let content = if metadata.is_file() {
            fs::read(&path).unwrap()
        } else if metadata.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_vec()
        } else {
            Vec::new()
        };
        let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
        tree.insert(name, (metadata.permissions().mode(), content));
    }
    tree
}

/// What the files of the copy would be if the overlay's changes were made to them. None if the program changed or moved what it
/// may not read, so that nobody knows the content.
fn overlaid(changes: Vec<OverlayEntry>, root: &Path, mut tree: Tree) -> Option<Tree> {
    let prefix = [root.as_os_str().as_bytes(), b"/"].concat();
    let (mut removed, mut added) = (Vec::new(), Tree::new());
    for entry in changes {
        let name = entry.path.strip_prefix(prefix.as_slice()).unwrap().to_vec();
        if let OverlayChange::Permissions { mode } = entry.change {
            if let Some((known, _)) = tree.get_mut(&name) {
                *known = *known & !0o7777 | mode;
            }
            continue;
        }
        removed.push(name.clone());
        match entry.change {
            OverlayChange::File { mode: 0o200, .. } => return None,
            OverlayChange::File { content, mode } => added.insert(name, (0o100000 | mode, content.to_vec())),
            OverlayChange::Directory { mode } => added.insert(name, (0o040000 | mode, Vec::new())),
            OverlayChange::Symlink { target } => added.insert(name, (0o120777, target.to_vec())),
            OverlayChange::Unreadable(_) => return None,
            OverlayChange::Removed | OverlayChange::Permissions { .. } => None,
        };
    }
    let is_removed = |path: &[u8]| {
        removed
            .iter()
            .any(|gone| path.strip_prefix(gone.as_slice()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/'))
    };
    tree.retain(|path, _| !is_removed(path));
    tree.extend(added);
    Some(tree)
}

/// Performs one sequence of calls on both sides, as this thread's user.
fn run_sequence(seed: u64, kernel_base: &Path, overlay_base: &Path) -> Overlay {
    let mut random = Random(seed);
    let (mut kernel, mut overlay) = (Kernel::new(kernel_base), Overlay::new(overlay_base));
    let mut history = Vec::new();
    for _ in 0..CALLS {
        let open: Vec<i32> = kernel.descriptors.keys().copied().collect();
        let call = random.call(&open);
        if overlay.is_seek_in_directory(&call) {
            continue;
        }
        let ours = overlay.perform(&call);
        let given = if let Ok(Reply::Number(number)) = ours { number as i32 } else { -1 };
        let theirs = kernel.perform(&call, given);
        history.push(format!("{call:?} = {ours:?}"));
        assert_eq!(ours, theirs, "seed {seed}, ours and the kernel's, after\n{}", history.join("\n"));
        let place = overlay.perform(&Call::CurrentDirectory);
        assert_eq!(place, kernel.current_directory(), "seed {seed}, after\n{}", history.join("\n"));
        if place.is_ok_and(|place| place == Reply::Bytes(b"outside".to_vec())) {
            break;
        }
    }
    overlay
}

/// Makes this thread alone run as another user, for good. The calls of the C library would change the whole process.
fn become_user(user: u32) {
    let user = libc::c_long::from(user);
    // SAFETY: the system calls take numbers, and a null list of length 0.
    unsafe {
        assert_eq!(libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<u32>()), 0);
        assert_eq!(libc::syscall(libc::SYS_setresgid, user, user, user), 0);
        assert_eq!(libc::syscall(libc::SYS_setresuid, user, user, user), 0);
    }
}

fn compare(seed: u64, user: Option<u32>) {
    let (kernel_root, overlay_root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let kernel_base = make_files(kernel_root.path(), user);
    let overlay_base = make_files(overlay_root.path(), user);
    let runs_as_root = super::credentials::effective().user == 0;
    let overlay_path = overlay_root.path().to_owned();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            // Trees are read by root, who may read everything; without root, what cannot be read is not compared.
            let before = runs_as_root.then(|| tree(&overlay_path));
            if let Some(user) = user {
                become_user(user);
            }
            let mut overlay = run_sequence(seed, &kernel_base, &overlay_base);
            let changes = overlay.posix.overlay_files(&mut overlay.host);
            before.map(|before| (overlaid(changes, &overlay_path, before.clone()), before))
        });
        let Some((after, before)) = thread.join().unwrap() else { return };
        assert_eq!(tree(overlay_root.path()), before, "seed {seed}: the overlay changed the host");
        if let Some(after) = after {
            assert_eq!(after, tree(kernel_root.path()), "seed {seed}: the files at the end");
        }
    });
}

#[test]
fn random_calls_do_what_the_kernel_does() {
    for seed in 0..SEQUENCES {
        compare(seed, None);
    }
}

#[test]
fn random_calls_do_what_the_kernel_does_for_other_users() {
    if super::credentials::effective().user != 0 {
        return; // Then the other test has already been one of another user than root.
    }
    for seed in 0..SEQUENCES {
        compare(1_000_000 + seed, Some(NOBODY));
    }
}

#[test]
fn the_real_host_reads_files_and_streams() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in");
    fs::write(&path, b"0123456789").unwrap();
    let null = || File::options().write(true).open("/dev/null").unwrap();
    let mut host = RealHost::new(File::open(&path).unwrap(), null(), null(), b"/".to_vec());
    let mut posix = Posix::new(&mut host, 0);
    assert_eq!(posix.read(&mut host, 0, 4).unwrap(), b"0123");
    assert_eq!(posix.lseek(&mut host, 0, -1, libc::SEEK_END), Ok(9));
    assert_eq!(posix.read(&mut host, 0, 4).unwrap(), b"9");
    assert_eq!(posix.write(&mut host, 1, b"gone"), Ok(4));
    assert_eq!(posix.isatty(&mut host, 0), Ok(0));
    assert_eq!(posix.fstat(&mut host, 0).unwrap().size, 10);
    assert_eq!(posix.stat(&mut host, path.as_os_str().as_bytes()).unwrap().size, 10);
    assert_eq!(host.read_file(b"/no/such/file"), Err(Errno::ENOENT));
    assert!(!host.read_file(b"/proc/self/status").unwrap().is_empty());
}
