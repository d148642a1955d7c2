//! The POSIX layer: files, descriptors, directories and clocks as one path of the program sees them.
//!
//! It works on plain data (paths and buffers are bytes, failures are [`Errno`]); memory of the program and the calling
//! convention are the caller's. Everything outside of the program comes through the [`Host`] trait, which can be read but not
//! written: what a program writes to files stays in its own path's overlay of the host's files. Only standard output and
//! standard error leave the engine, through the host.
//!
//! [`Posix`] holds the state of one path. Its clones are independent, and cloning copies no file, table or buffer.

mod attributes;
mod clock;
mod credentials;
mod descriptors;
#[cfg(test)]
mod differential_tests;
mod errno;
mod file_system;
mod fingerprint;
mod host;
mod inode;
mod links;
#[cfg(test)]
mod memory_host;
mod mounts;
mod names;
mod open;
mod outside;
mod overlay;
mod parts;
mod random;
mod real_host;
mod resolve;
mod standard_input;
mod streams;
#[cfg(test)]
mod tests;

pub use attributes::NewTime;
pub use errno::{Errno, returned};
pub use file_system::DirectoryEntry;
pub use host::{Credentials, Host, Standard, Stat, Time, View};
pub use outside::OutsideChange;
pub use overlay::{OverlayChange, OverlayEntry};
pub use parts::{Data, Part};
pub use real_host::RealHost;

use clock::Clock;
use descriptors::{Description, DescriptorTable, Object};
use file_system::{FileSystem, MAY_EXECUTE, MAY_READ, MAY_WRITE};
use inode::{HostContents, InodeId, Node};
use open::OpenFlags;
use random::RandomBytes;
use standard_input::StandardInput;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number that `getpid` gives, always.
pub const PROCESS_ID: i64 = 4242;

/// The modes of `access`, or'ed.
const ACCESS_MODES: i32 = libc::R_OK | libc::W_OK | libc::X_OK;
const INITIAL_UMASK: u32 = 0o022;

/// The state of files and clocks on one path of the program. Methods are named after the system calls they implement.
#[derive(Clone)]
pub struct Posix {
    files: Rc<FileSystem>,
    descriptors: Rc<DescriptorTable>,
    /// What `readdir` goes through: the entries as they were when it began, by directory. A program that removes files while
    /// it reads the directory sees each of them once.
    listings: Rc<BTreeMap<InodeId, Rc<Vec<DirectoryEntry>>>>,
    contents: HostContents,
    standard_input: StandardInput,
    /// Whether standard input is a regular file. If so every description has its own offset in it, else all share one.
    input_is_file: bool,
    /// How far this path has read standard input, unless that is a file.
    input_position: usize,
    current_directory: InodeId,
    /// Where the program began.
    beginning: Rc<[u8]>,
    changes: outside::Changes,
    umask: u32,
    clock: Clock,
    random: RandomBytes,
}

impl Posix {
    /// The state at the start of a program: descriptors 0, 1 and 2 open, in the host's current directory. The seed chooses the
    /// date and the random bytes.
    pub fn new(host: &mut dyn Host, seed: u64) -> Posix {
        let mut files = FileSystem::new(host);
        let start = host.current_directory().unwrap_or_else(|_| b"/".to_vec());
        let view = host.view();
        let current_directory = files.arrange(host, &view, &start);
        let mut descriptors = DescriptorTable::new();
        let input_is_file = host.standard_metadata(Standard::Input).is_ok_and(|stat| stat.is_regular());
        let input_offset = if input_is_file { host.standard_input_offset() as i64 } else { 0 };
        for (stream, offset) in [(Standard::Input, input_offset), (Standard::Output, 0), (Standard::Error, 0)] {
            // An empty table has room for three.
            let _ = descriptors.open(Description::standard(stream, offset));
        }
        Posix {
            files: Rc::new(files),
            descriptors: Rc::new(descriptors),
            listings: Rc::default(),
            contents: Rc::default(),
            standard_input: StandardInput::default(),
            input_is_file,
            input_position: 0,
            current_directory,
            beginning: start.into(),
            changes: outside::Changes::default(),
            umask: INITIAL_UMASK,
            clock: Clock::new(seed),
            random: RandomBytes::new(seed),
        }
    }

    /// Sets the clocks: the number of instructions that this path has executed so far. Call it before any other call, so that
    /// files get the time of the call.
    pub fn set_instructions(&mut self, executed: u64) {
        self.clock.set_instructions(executed);
    }

    /// Every expression that a byte of a file is part of.
    pub(crate) fn visit_exprs(&self, visit: &mut impl FnMut(symcrete_expr::Expr)) {
        self.files.inodes().for_each(|inode| inode.parts.exprs().for_each(&mut *visit));
    }

    /// As whom the program runs.
    pub fn credentials(&self) -> &Credentials {
        self.files.credentials()
    }

    /// `clock_gettime`.
    pub fn clock(&self, clock: i32) -> Result<Time, Errno> {
        self.clock.read(clock)
    }

    /// Random bytes that the seed fixes, as `getrandom` gives.
    pub fn random_bytes(&mut self, count: usize) -> Vec<u8> {
        self.random.next(count)
    }

    /// Sets the mask of permissions that new files do not get. Returns the old one.
    pub fn umask(&mut self, mask: u32) -> u32 {
        std::mem::replace(&mut self.umask, mask & 0o777)
    }

    fn files(&mut self) -> &mut FileSystem {
        Rc::make_mut(&mut self.files)
    }

    fn descriptors(&mut self) -> &mut DescriptorTable {
        Rc::make_mut(&mut self.descriptors)
    }

    /// A file in the current directory, made before the program begins.
    pub fn give_file(&mut self, host: &mut dyn Host, name: &[u8], data: &Data) -> Result<(), Errno> {
        let fd = self.open(host, name, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, 0o644)? as i32;
        self.write_data(host, fd, data)?;
        self.close(fd)?;
        Ok(())
    }

    /// Makes standard input a file with this content, which has no name.
    pub fn give_standard_input(&mut self, host: &mut dyn Host, data: &Data) -> Result<(), Errno> {
        const NAME: &[u8] = b".standard-input";
        self.give_file(host, NAME, data)?;
        let fd = self.open(host, NAME, libc::O_RDONLY, 0)? as i32;
        self.dup2(fd, 0)?;
        self.close(fd)?;
        self.unlink(host, NAME)?;
        Ok(())
    }

    /// Returns the new descriptor.
    pub fn open(&mut self, host: &mut dyn Host, path: &[u8], flags: i32, mode: u32) -> Result<i64, Errno> {
        let flags = OpenFlags::parse(flags)?;
        if flags.changes() {
            self.note_change("open", path);
        }
        self.descriptors.check_free()?;
        let (start, mode, now) = (self.current_directory, mode & !self.umask, self.clock.now());
        let id = self.files().open(host, start, path, flags, mode, now)?;
        let description = match &self.files.inode(id).node {
            Node::Standard(stream) => self.reopen(*stream, flags)?,
            Node::Unsupported if self.files.inode(id).stat.kind() == host::KIND_FIFO => return Err(Errno::ENOSYS),
            Node::Unsupported | Node::Device(inode::Device::Terminal) => return Err(Errno::ENXIO),
            _ => {
                if flags.read {
                    // What cannot be read must fail now, not at the first read.
                    self.load(host, id)?;
                }
                Description::new(Object::Inode(id), flags)
            }
        };
        let descriptor = self.descriptors().open(description)?;
        self.descriptors().set_close_on_exec(descriptor, flags.close_on_exec)?;
        Ok(i64::from(descriptor))
    }

    /// Opens again what is open as the descriptor of a standard stream: a file from its start, a stream where it is.
    fn reopen(&mut self, stream: Standard, flags: OpenFlags) -> Result<Description, Errno> {
        let object = self.descriptors.get(stream.descriptor()).map_err(|_| Errno::ENOENT)?.object;
        if let Object::Inode(id) = object {
            let now = self.clock.now();
            self.files().open_existing(id, flags, false, now)?;
        }
        Ok(Description::new(object, flags))
    }

    fn load(&mut self, host: &mut dyn Host, id: InodeId) -> Result<(), Errno> {
        if matches!(self.files.inode(id).node, Node::File(inode::Content::Unread)) {
            let contents = self.contents.clone();
            self.files().inode_mut(id).load(host, &contents)?;
        }
        Ok(())
    }

    pub fn close(&mut self, descriptor: i32) -> Result<i64, Errno> {
        let closed = self.descriptors().close(descriptor)?;
        self.release(closed);
        Ok(0)
    }

    pub fn dup(&mut self, descriptor: i32) -> Result<i64, Errno> {
        self.descriptors().duplicate(descriptor, 0).map(i64::from)
    }

    /// `fcntl`, as far as it is about the descriptor and its flags.
    pub fn fcntl(&mut self, descriptor: i32, command: i32, argument: i32) -> Result<i64, Errno> {
        let description = self.descriptors.get(descriptor)?;
        match command {
            libc::F_GETFD => {
                let is_set = self.descriptors.close_on_exec(descriptor)?;
                Ok(i64::from(if is_set { libc::FD_CLOEXEC } else { 0 }))
            }
            libc::F_SETFD => {
                self.descriptors().set_close_on_exec(descriptor, argument & libc::FD_CLOEXEC != 0)?;
                Ok(0)
            }
            libc::F_GETFL => Ok(i64::from(description.status_flags())),
            libc::F_SETFL => {
                self.descriptors().get_mut(descriptor)?.set_status_flags(argument);
                Ok(0)
            }
            libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
                let least = usize::try_from(argument).map_err(|_| Errno::EINVAL)?;
                let copy = self.descriptors().duplicate(descriptor, least)?;
                self.descriptors().set_close_on_exec(copy, command == libc::F_DUPFD_CLOEXEC)?;
                Ok(i64::from(copy))
            }
            _ => Err(Errno::EINVAL),
        }
    }

    /// Makes a call in which relative paths begin at an open directory, as those with `at` in their name do.
    pub fn beginning_at<R>(
        &mut self,
        directory: i32,
        path: &[u8],
        call: impl FnOnce(&mut Posix) -> Result<R, Errno>,
    ) -> Result<R, Errno> {
        if directory == libc::AT_FDCWD || path.starts_with(b"/") {
            return call(self);
        }
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let start = self.open_directory(directory)?;
        let before = std::mem::replace(&mut self.current_directory, start);
        let result = call(self);
        self.current_directory = before;
        result
    }

    /// A path that begins at an open directory, as one that begins at the current directory or at the root.
    pub fn from_current_directory(&self, directory: i32, path: Vec<u8>) -> Result<Vec<u8>, Errno> {
        if directory == libc::AT_FDCWD || path.starts_with(b"/") || path.is_empty() {
            return Ok(path);
        }
        let id = self.open_directory(directory)?;
        let base = self.files.path_of(id).ok_or(Errno::ENOENT)?;
        Ok([base.as_slice(), b"/", path.as_slice()].concat())
    }

    fn open_directory(&self, descriptor: i32) -> Result<InodeId, Errno> {
        match self.descriptors.get(descriptor)?.object {
            Object::Inode(id) if self.files.inode(id).is_directory() => Ok(id),
            _ => Err(Errno::ENOTDIR),
        }
    }

    pub fn fchdir(&mut self, descriptor: i32) -> Result<i64, Errno> {
        let id = self.open_directory(descriptor)?;
        self.files.check_permission(id, MAY_EXECUTE)?;
        self.current_directory = id;
        Ok(0)
    }

    pub fn dup2(&mut self, descriptor: i32, to: i32) -> Result<i64, Errno> {
        let closed = self.descriptors().duplicate_to(descriptor, to)?;
        self.release(closed);
        Ok(i64::from(to))
    }

    /// Frees a file that has neither a name nor a descriptor any more. Directories stay: `..` of others may lead to them.
    fn release(&mut self, candidate: Option<Object>) {
        if let Some(Object::Inode(id)) = candidate {
            let inode = self.files.inode(id);
            if inode.removed && !inode.is_directory() && !self.descriptors.has_open(id) {
                self.files().release(id);
            }
        }
    }

    /// Follows a symbolic link.
    pub fn stat(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<Stat, Errno> {
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, true)?;
        match self.files.inode(id).node {
            Node::Standard(stream) => self.fstat(host, stream.descriptor()).map_err(|_| Errno::ENOENT),
            _ => Ok(self.files.inode(id).stat),
        }
    }

    /// Does not follow a symbolic link.
    pub fn lstat(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<Stat, Errno> {
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, false)?;
        Ok(self.files.inode(id).stat)
    }

    pub fn fstat(&self, host: &mut dyn Host, descriptor: i32) -> Result<Stat, Errno> {
        match self.descriptors.get(descriptor)?.object {
            Object::Inode(id) => Ok(self.files.inode(id).stat),
            Object::Standard(stream) => host.standard_metadata(stream),
        }
    }

    /// Returns 1 or 0.
    pub fn isatty(&self, host: &mut dyn Host, descriptor: i32) -> Result<i64, Errno> {
        match self.descriptors.get(descriptor)?.object {
            Object::Inode(_) => Ok(0),
            Object::Standard(stream) => Ok(i64::from(host.is_terminal(stream))),
        }
    }

    pub fn access(&mut self, host: &mut dyn Host, path: &[u8], mode: i32) -> Result<i64, Errno> {
        if mode & !ACCESS_MODES != 0 {
            return Err(Errno::EINVAL);
        }
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, true)?;
        self.files.check_permission(id, mode as u32)?;
        let is_special = matches!(self.files.inode(id).node, Node::Device(_) | Node::Standard(_) | Node::Unsupported);
        if mode as u32 & MAY_WRITE != 0 && !is_special {
            self.files.check_writable(id)?;
        }
        Ok(0)
    }

    pub fn unlink(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<i64, Errno> {
        self.note_change("unlink", path);
        let (start, now) = (self.current_directory, self.clock.now());
        let id = self.files().remove_file(host, start, path, now)?;
        self.release(Some(Object::Inode(id)));
        Ok(0)
    }

    pub fn rename(&mut self, host: &mut dyn Host, from: &[u8], to: &[u8]) -> Result<i64, Errno> {
        [from, to].into_iter().for_each(|path| self.note_change("rename", path));
        let (start, now) = (self.current_directory, self.clock.now());
        let replaced = self.files().rename(host, start, from, to, now)?;
        self.release(replaced.map(Object::Inode));
        Ok(0)
    }

    pub fn mkdir(&mut self, host: &mut dyn Host, path: &[u8], mode: u32) -> Result<i64, Errno> {
        self.note_change("mkdir", path);
        let (start, mode, now) = (self.current_directory, mode & !self.umask, self.clock.now());
        self.files().make_directory(host, start, path, mode, now)?;
        Ok(0)
    }

    pub fn rmdir(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<i64, Errno> {
        self.note_change("rmdir", path);
        let (start, now) = (self.current_directory, self.clock.now());
        self.files().remove_directory(host, start, path, now)?;
        Ok(0)
    }

    pub fn chdir(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<i64, Errno> {
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, true)?;
        if !self.files.inode(id).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        self.files.check_permission(id, MAY_EXECUTE)?;
        self.current_directory = id;
        Ok(0)
    }

    /// The path of the current directory with its NUL: what fits into a buffer of `size` bytes, or ERANGE.
    pub fn getcwd(&self, size: usize) -> Result<Vec<u8>, Errno> {
        let mut path = self.files.path_of(self.current_directory).ok_or(Errno::ENOENT)?;
        path.push(0);
        if path.len() <= size { Ok(path) } else { Err(Errno::ERANGE) }
    }

    /// Entry number `index` of a directory: its name, without NUL, and its `d_type`; None past the last. `.` and `..` come
    /// first, the others sorted. Asking for number 0 takes a new look at the directory.
    pub fn readdir(&mut self, host: &mut dyn Host, path: &[u8], index: usize) -> Result<Option<DirectoryEntry>, Errno> {
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, true)?;
        if !self.files.inode(id).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        self.files.check_permission(id, MAY_READ)?;
        let listings = Rc::make_mut(&mut self.listings);
        let listing = match listings.get(&id).filter(|_| index > 0) {
            Some(listing) => listing.clone(),
            None => {
                let dots = [b".".to_vec(), b"..".to_vec()].map(|name| (name, libc::DT_DIR));
                let entries = self.files.entries(host, id)?;
                let listing = Rc::new(dots.into_iter().chain(entries).collect());
                listings.insert(id, Rc::clone(&listing));
                listing
            }
        };
        let entry = listing.get(index).cloned();
        if entry.is_none() {
            listings.remove(&id);
        }
        Ok(entry)
    }
}
