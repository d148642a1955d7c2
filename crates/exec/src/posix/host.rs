//! What the POSIX layer needs from outside: the `Host` trait and the plain data that crosses it. No implementation is here.

use super::Errno;
use std::rc::Rc;

/// The part of `struct stat` that programs see; mirrors `struct symcrete_stat` field by field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Stat {
    pub device: u64,
    pub inode: u64,
    pub mode: u64,
    pub links: u64,
    pub user: u64,
    pub group: u64,
    pub rdevice: u64,
    pub size: i64,
    pub block_size: i64,
    pub blocks: i64,
    pub access_seconds: i64,
    pub access_nanoseconds: i64,
    pub modify_seconds: i64,
    pub modify_nanoseconds: i64,
    pub change_seconds: i64,
    pub change_nanoseconds: i64,
}

/// The bits of `mode` that say what kind of file it is.
const KIND_MASK: u64 = 0o170000;
pub(super) const KIND_FIFO: u64 = 0o010000;
pub(super) const KIND_CHARACTER_DEVICE: u64 = 0o020000;
pub(super) const KIND_DIRECTORY: u64 = 0o040000;
pub(super) const KIND_SOCKET: u64 = 0o140000;
pub(super) const KIND_REGULAR: u64 = 0o100000;
pub(super) const KIND_SYMLINK: u64 = 0o120000;

impl Stat {
    /// The number of 64-bit words in `struct symcrete_stat`.
    pub const WORDS: usize = 16;

    /// The fields in the order of `struct symcrete_stat`; signed ones as two's complement.
    pub fn to_words(&self) -> [u64; Stat::WORDS] {
        [
            self.device,
            self.inode,
            self.mode,
            self.links,
            self.user,
            self.group,
            self.rdevice,
            self.size as u64,
            self.block_size as u64,
            self.blocks as u64,
            self.access_seconds as u64,
            self.access_nanoseconds as u64,
            self.modify_seconds as u64,
            self.modify_nanoseconds as u64,
            self.change_seconds as u64,
            self.change_nanoseconds as u64,
        ]
    }

    /// The bytes of `struct symcrete_stat` on a little-endian machine.
    pub fn to_bytes(&self) -> [u8; 8 * Stat::WORDS] {
        let mut bytes = [0; 8 * Stat::WORDS];
        for (place, word) in bytes.chunks_exact_mut(8).zip(self.to_words()) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    pub fn is_regular(&self) -> bool {
        self.kind() == KIND_REGULAR
    }

    pub fn is_directory(&self) -> bool {
        self.kind() == KIND_DIRECTORY
    }

    pub fn is_symlink(&self) -> bool {
        self.kind() == KIND_SYMLINK
    }

    pub(super) fn kind(&self) -> u64 {
        self.mode & KIND_MASK
    }

    /// The `d_type` of a directory entry for such a file.
    pub(super) fn directory_entry_type(&self) -> u8 {
        // Linux made DT_REG, DT_DIR and the others the kind bits shifted down.
        (self.kind() >> 12) as u8
    }

    /// Sets the size, and the blocks that a file of this size without holes takes.
    pub(super) fn set_size(&mut self, size: i64) {
        self.size = size;
        self.blocks = (size as u64).div_ceil(4096) as i64 * 8;
    }

    pub(super) fn set_modified(&mut self, now: Time) {
        (self.modify_seconds, self.modify_nanoseconds) = (now.seconds, now.nanoseconds);
        self.set_changed(now);
    }

    pub(super) fn set_accessed(&mut self, now: Time) {
        (self.access_seconds, self.access_nanoseconds) = (now.seconds, now.nanoseconds);
    }

    pub(super) fn set_changed(&mut self, now: Time) {
        (self.change_seconds, self.change_nanoseconds) = (now.seconds, now.nanoseconds);
    }
}

/// What `struct timespec` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: i64,
}

/// As whom the program runs, for the checks of permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    pub user: u32,
    pub group: u32,
    pub supplementary_groups: Vec<u32>,
}

/// Which of the host's files a program sees, where it may change something, and as whom it runs. The default shows everything and
/// lets the program change everything, in the overlay of its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Directories of the host that look empty.
    pub hidden: Vec<Vec<u8>>,
    /// Directories that are empty at the start of the program and that it may write to, with their permissions.
    pub private: Vec<(Vec<u8>, u32)>,
    /// Directories of the host below which the program may change something, if `is_read_only`.
    pub writable: Vec<Vec<u8>>,
    /// What lies outside of the directory in which the program starts, and of `private` and `writable`, is a read-only file
    /// system.
    pub is_read_only: bool,
    /// The directory in which the program starts, if it is not that of this process.
    pub start: Option<Vec<u8>>,
    /// The number that stands for this process's user and group. All others look like `OTHER_USER`.
    pub user: Option<u32>,
}

/// How users look that a namespace of users has no number for.
pub(super) const OTHER_USER: u32 = 65534;

impl View {
    /// What a test is given, in the engine and in the sandbox of native runs. docs/book/src/reference/environment.md
    /// has the table. `home` is the user's.
    pub fn of_test(home: Option<Vec<u8>>) -> View {
        const HIDDEN: &[&str] =
            &["/home", "/root", "/run", "/var/run", "/var/tmp", "/mnt", "/media", "/boot", "/lost+found"];
        const WORK: &[u8] = b"/scratch";
        let home = home.filter(|home| home.starts_with(b"/") && home.len() > 1);
        View {
            hidden: HIDDEN.iter().map(|path| path.as_bytes().to_vec()).chain(home).collect(),
            private: vec![(b"/tmp".to_vec(), 0o1777), (WORK.to_vec(), 0o755)],
            writable: Vec::new(),
            is_read_only: true,
            start: Some(WORK.to_vec()),
            user: Some(1000),
        }
    }

    /// What `symcrete run` gives: the caller's files, with the same places to write to.
    pub fn of_run() -> View {
        View { writable: vec![b"/tmp".to_vec()], is_read_only: true, ..View::default() }
    }

    /// A file as the program sees it; `own` says as whom this process runs.
    pub(super) fn shown(&self, stat: Stat, own: &Credentials) -> Stat {
        let Some(number) = self.user else { return stat };
        // Root becomes an ordinary user to run programs, and nothing is that user's.
        let seen =
            |owner: u64, own: u32| u64::from(if owner == u64::from(own) && own != 0 { number } else { OTHER_USER });
        Stat { user: seen(stat.user, own.user), group: seen(stat.group, own.group), ..stat }
    }

    pub(super) fn credentials(&self, own: Credentials) -> Credentials {
        match self.user {
            Some(user) => Credentials { user, group: user, supplementary_groups: Vec::new() },
            None => own,
        }
    }
}

/// The standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standard {
    Input,
    Output,
    Error,
}

impl Standard {
    /// The descriptor that the stream has when the program starts.
    pub fn descriptor(self) -> i32 {
        match self {
            Standard::Input => 0,
            Standard::Output => 1,
            Standard::Error => 2,
        }
    }
}

/// The world outside of the program: its standard streams, and files that it may read. There is no way to write a file.
///
/// Paths are absolute, without `.`, `..`, double or trailing slashes, and no part of them but the last is a symbolic link.
pub trait Host {
    /// Reads the next bytes of standard input, waiting for them; 0 at the end. If standard input is a regular file, the first
    /// call gives the bytes at the file's start, whatever `standard_input_offset` says.
    fn read_standard_input(&mut self, buffer: &mut [u8]) -> Result<usize, Errno>;

    /// Where a regular file that is standard input was positioned when the program started.
    fn standard_input_offset(&mut self) -> u64 {
        0
    }

    /// Writes to standard output; may write less than all of a non-empty `bytes`, but not nothing.
    fn write_standard_output(&mut self, bytes: &[u8]) -> Result<usize, Errno>;

    /// Writes to standard error; may write less than all of a non-empty `bytes`, but not nothing.
    fn write_standard_error(&mut self, bytes: &[u8]) -> Result<usize, Errno>;

    /// Moves the position of standard output or error, as `lseek` does. Whoever cannot says ESPIPE.
    fn seek_standard(&mut self, _stream: Standard, _offset: i64, _whence: i32) -> Result<i64, Errno> {
        Err(Errno::ESPIPE)
    }

    /// Whether the stream is a terminal.
    fn is_terminal(&mut self, stream: Standard) -> bool;

    /// `fstat` of a standard stream.
    fn standard_metadata(&mut self, stream: Standard) -> Result<Stat, Errno>;

    /// The whole content of a regular file.
    fn read_file(&mut self, path: &[u8]) -> Result<Rc<[u8]>, Errno>;

    /// `lstat`: what is at the path itself; a symbolic link is not followed.
    fn metadata(&mut self, path: &[u8]) -> Result<Stat, Errno>;

    /// What the symbolic link at the path says.
    fn read_link(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno>;

    /// The names in a directory with their `d_type`, in any order, without `.` and `..`.
    fn list_directory(&mut self, path: &[u8]) -> Result<Vec<(Vec<u8>, u8)>, Errno>;

    /// The absolute path of the directory in which the program starts.
    fn current_directory(&mut self) -> Result<Vec<u8>, Errno>;

    /// As whom the program runs.
    fn credentials(&mut self) -> Credentials;

    /// Which files the program sees, and where it may write.
    fn view(&self) -> View {
        View::default()
    }
}
