//! Finding or making the inode that `open` means, with the semantics of its flags. Descriptors are in `descriptors`.

use super::file_system::{FileSystem, MAY_READ, MAY_WRITE};
use super::host::KIND_REGULAR;
use super::inode::{Content, InodeId, Node};
use super::resolve::{Last, LinkBudget, Parent};
use super::{Errno, Host, Time};
use std::rc::Rc;

/// What F_SETFL changes.
pub(super) const SETTABLE_STATUS: i32 =
    libc::O_APPEND | libc::O_NONBLOCK | libc::O_ASYNC | libc::O_DIRECT | libc::O_NOATIME;
/// What F_GETFL tells of the flags of `open` beside that and the access mode.
const KEPT_STATUS: i32 = libc::O_SYNC | libc::O_DIRECTORY | libc::O_NOFOLLOW;
/// What the kernel adds to the flags of every file that a 64-bit program opens.
const LARGE_FILE: i32 = 0o100000;

/// The flags of `open`, by their meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenFlags {
    pub read: bool,
    pub write: bool,
    pub append: bool,
    create: bool,
    exclusive: bool,
    truncate: bool,
    directory_only: bool,
    no_follow: bool,
    pub close_on_exec: bool,
    /// Those of them that `fcntl` tells and changes.
    pub status: i32,
}

impl OpenFlags {
    /// Reads the flags of the C interface. What has no meaning here (O_CLOEXEC, O_NONBLOCK, O_SYNC ...) is ignored.
    pub fn parse(flags: i32) -> Result<OpenFlags, Errno> {
        let (read, write) = match flags & libc::O_ACCMODE {
            libc::O_RDONLY => (true, false),
            libc::O_WRONLY => (false, true),
            libc::O_RDWR => (true, true),
            _ => return Err(Errno::EINVAL),
        };
        let has = |flag: i32| flags & flag == flag;
        // O_TMPFILE contains O_DIRECTORY.
        #[cfg(target_os = "linux")]
        if has(libc::O_TMPFILE) {
            return Err(Errno::EOPNOTSUPP);
        }
        Ok(OpenFlags {
            read,
            write,
            append: has(libc::O_APPEND),
            create: has(libc::O_CREAT),
            exclusive: has(libc::O_EXCL),
            truncate: has(libc::O_TRUNC),
            directory_only: has(libc::O_DIRECTORY),
            no_follow: has(libc::O_NOFOLLOW),
            close_on_exec: has(libc::O_CLOEXEC),
            status: flags & (SETTABLE_STATUS | KEPT_STATUS) | LARGE_FILE,
        })
    }

    /// Whether opening makes, empties or prepares to write a file.
    pub fn changes(self) -> bool {
        self.write || self.create || self.truncate
    }

    /// Permissions that the file must grant.
    fn wanted_permissions(self) -> u32 {
        let read = if self.read { MAY_READ } else { 0 };
        read | if self.write || self.truncate { MAY_WRITE } else { 0 }
    }
}

impl FileSystem {
    /// The inode that `open` opens: found or made, checked, and truncated where the flags say so. `mode` is for a new file and
    /// already masked by the umask.
    pub fn open(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        flags: OpenFlags,
        mode: u32,
        now: Time,
    ) -> Result<InodeId, Errno> {
        let mut budget = LinkBudget::new();
        let (mut start, mut path) = (start, Rc::<[u8]>::from(path));
        loop {
            let Parent { directory, last, trailing_slash } = self.parent_within(host, start, &path, &mut budget)?;
            let name = match last {
                Last::Name(name) => name,
                Last::DotDot => return self.open_existing(self.parent(directory), flags, trailing_slash, now),
                Last::Dot | Last::Root => return self.open_existing(directory, flags, trailing_slash, now),
            };
            if flags.create && trailing_slash {
                return Err(Errno::EISDIR);
            }
            let Some(id) = self.lookup(host, directory, &name)? else {
                if !flags.create {
                    return Err(Errno::ENOENT);
                }
                self.check_writable(directory)?;
                self.check_may_create(directory)?;
                let mode = KIND_REGULAR | u64::from(mode & 0o7777);
                return Ok(self.create(directory, &name, mode, Node::File(Content::Written(Rc::default())), now));
            };
            let stays_at_link = (flags.no_follow && !trailing_slash) || (flags.create && flags.exclusive);
            match self.link_target(id).filter(|_| !stays_at_link) {
                Some(target) => {
                    budget.spend()?;
                    // A slash after the link says that what it leads to must be a directory.
                    path = if trailing_slash { [&target, b"/".as_slice()].concat().into() } else { target };
                    start = directory;
                }
                None => return self.open_existing(id, flags, trailing_slash, now),
            }
        }
    }

    pub fn open_existing(
        &mut self,
        id: InodeId,
        flags: OpenFlags,
        trailing_slash: bool,
        now: Time,
    ) -> Result<InodeId, Errno> {
        let inode = self.inode(id);
        if flags.create && flags.exclusive {
            return Err(Errno::EEXIST);
        }
        if flags.create && inode.is_directory() {
            return Err(Errno::EISDIR);
        }
        if (flags.directory_only || trailing_slash) && !inode.is_directory() {
            return Err(Errno::ENOTDIR);
        }
        let wanted = flags.wanted_permissions();
        match &inode.node {
            Node::Symlink(_) => return Err(Errno::ELOOP),
            Node::Standard(_) if flags.no_follow => return Err(Errno::ELOOP),
            Node::Directory(_) if wanted & MAY_WRITE != 0 => return Err(Errno::EISDIR),
            _ => {}
        }
        self.check_permission(id, wanted)?;
        if wanted & MAY_WRITE != 0 && matches!(self.inode(id).node, Node::File(_)) {
            self.check_writable(id)?;
        }
        let inode = self.inode(id);
        if flags.truncate && matches!(inode.node, Node::File(_)) {
            self.truncate(id, 0, now);
        }
        Ok(id)
    }

    /// Sets the length of a file, which must be loaded unless the length is 0.
    pub fn truncate(&mut self, id: InodeId, length: usize, now: Time) {
        self.drop_privileges(id);
        let inode = self.inode_mut(id);
        inode.change_bytes(|bytes| bytes.resize(length, 0));
        inode.stat.set_modified(now);
    }
}
