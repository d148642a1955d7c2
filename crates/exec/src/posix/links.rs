//! Links, symbolic ones and second names of files, and special files.

use super::file_system::FileSystem;
use super::host::{KIND_FIFO, KIND_REGULAR, KIND_SOCKET, KIND_SYMLINK};
use super::inode::{Content, InodeId, Node};
use super::resolve::{Last, Parent};
use super::{Errno, Host, Posix};
use std::rc::Rc;

const LONGEST_TARGET: usize = 4095;
const KIND_MASK: u64 = 0o170000;

impl Posix {
    /// What a symbolic link says, without a NUL.
    pub fn readlink(&mut self, host: &mut dyn Host, path: &[u8]) -> Result<Rc<[u8]>, Errno> {
        let start = self.current_directory;
        let id = self.files().resolve(host, start, path, false)?;
        match self.files.inode(id).node {
            Node::Standard(stream) => Ok(format!("/proc/self/fd/{}", stream.descriptor()).into_bytes().into()),
            _ => self.files.link_target(id).ok_or(Errno::EINVAL),
        }
    }

    pub fn symlink(&mut self, host: &mut dyn Host, target: &[u8], path: &[u8]) -> Result<i64, Errno> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        if target.len() > LONGEST_TARGET {
            return Err(Errno::ENAMETOOLONG);
        }
        self.note_change("symlink", path);
        let (start, now) = (self.current_directory, self.clock.now());
        let files = self.files();
        let (directory, name) = files.new_name(host, start, path)?;
        files.check_may_create(directory)?;
        let id = files.create(directory, &name, KIND_SYMLINK | 0o777, Node::Symlink(target.into()), now);
        files.inode_mut(id).stat.size = target.len() as i64;
        Ok(0)
    }

    /// Gives a file another name.
    pub fn link(&mut self, host: &mut dyn Host, from: &[u8], to: &[u8], follow: bool) -> Result<i64, Errno> {
        [from, to].into_iter().for_each(|path| self.note_change("link", path));
        let (start, now) = (self.current_directory, self.clock.now());
        let files = self.files();
        let id = files.resolve(host, start, from, follow)?;
        let (directory, name) = files.new_name(host, start, to)?;
        if files.inode(id).mount != files.inode(directory).mount {
            return Err(Errno::EXDEV);
        }
        files.check_may_link(id)?;
        files.check_may_create(directory)?;
        if files.inode(id).is_directory() {
            return Err(Errno::EPERM);
        }
        files.inode_mut(id).stat.links += 1;
        files.inode_mut(id).stat.set_changed(now);
        files.link(directory, &name, id, now);
        Ok(0)
    }

    /// Makes a regular file, a pipe with a name or a socket. `mode` has the kind and the permissions.
    pub fn mknod(&mut self, host: &mut dyn Host, path: &[u8], mode: u32) -> Result<i64, Errno> {
        self.note_change("mknod", path);
        let (kind, permissions) = (u64::from(mode) & KIND_MASK, mode & 0o7777 & !self.umask);
        let (start, now) = (self.current_directory, self.clock.now());
        let node = match kind {
            0 | KIND_REGULAR => Node::File(Content::Written(Rc::default())),
            KIND_FIFO | KIND_SOCKET => Node::Unsupported,
            super::host::KIND_DIRECTORY => return Err(Errno::EPERM),
            _ => {
                self.files().new_name(host, start, path)?;
                return Err(Errno::EPERM);
            }
        };
        let kind = if kind == 0 { KIND_REGULAR } else { kind };
        let files = self.files();
        let (directory, name) = files.new_name(host, start, path)?;
        files.check_may_create(directory)?;
        files.create(directory, &name, kind | u64::from(permissions), node, now);
        Ok(0)
    }
}

impl FileSystem {
    /// Where a name that is not there yet is to be made, which is not a directory's.
    fn new_name(&mut self, host: &mut dyn Host, start: InodeId, path: &[u8]) -> Result<(InodeId, Vec<u8>), Errno> {
        let Parent { directory, last, trailing_slash } = self.resolve_parent(host, start, path)?;
        let Last::Name(name) = last else { return Err(Errno::EEXIST) };
        if self.lookup(host, directory, &name)?.is_some() {
            return Err(Errno::EEXIST);
        }
        if trailing_slash {
            return Err(Errno::ENOENT);
        }
        self.check_writable(directory)?;
        Ok((directory, name))
    }
}
