//! What system calls do to names: unlink, rmdir, mkdir, rename. The order of the checks is Linux's, since it decides which
//! of several errors a program sees. Opening, which may make a name too, is in `open`.

use super::file_system::{FileSystem, MAY_WRITE};
use super::host::KIND_DIRECTORY;
use super::inode::{Directory, InodeId, Node};
use super::resolve::{Last, Parent};
use super::{Errno, Host, Time};

/// The permission bits that mkdir may set.
const DIRECTORY_PERMISSIONS: u32 = 0o1777;

impl FileSystem {
    /// Removes the name of a file. Returns its inode.
    pub fn remove_file(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        now: Time,
    ) -> Result<InodeId, Errno> {
        let Parent { directory, last, trailing_slash } = self.resolve_parent(host, start, path)?;
        let Last::Name(name) = last else { return Err(Errno::EISDIR) };
        self.check_writable(directory)?;
        let id = self.lookup(host, directory, &name)?.ok_or(Errno::ENOENT)?;
        if trailing_slash {
            return Err(if self.inode(id).is_directory() { Errno::EISDIR } else { Errno::ENOTDIR });
        }
        self.check_may_delete(directory, id, false)?;
        self.unlink(directory, &name, id, now);
        self.drop_link(id, now);
        Ok(id)
    }

    /// Removes an empty directory.
    pub fn remove_directory(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        now: Time,
    ) -> Result<(), Errno> {
        let Parent { directory, last, .. } = self.resolve_parent(host, start, path)?;
        let name = match last {
            Last::Name(name) => name,
            Last::Dot => return Err(Errno::EINVAL),
            Last::DotDot => return Err(Errno::ENOTEMPTY),
            Last::Root => return Err(Errno::EBUSY),
        };
        self.check_writable(directory)?;
        let id = self.lookup(host, directory, &name)?.ok_or(Errno::ENOENT)?;
        self.check_may_delete(directory, id, true)?;
        if !self.entries(host, id)?.is_empty() {
            return Err(Errno::ENOTEMPTY);
        }
        self.unlink(directory, &name, id, now);
        self.drop_link(id, now);
        Ok(())
    }

    /// Makes a directory; `mode` is already masked by the umask.
    pub fn make_directory(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        mode: u32,
        now: Time,
    ) -> Result<(), Errno> {
        let Parent { directory, last, .. } = self.resolve_parent(host, start, path)?;
        let Last::Name(name) = last else { return Err(Errno::EEXIST) };
        if self.lookup(host, directory, &name)?.is_some() {
            return Err(Errno::EEXIST);
        }
        self.check_writable(directory)?;
        self.check_may_create(directory)?;
        let mode = KIND_DIRECTORY | u64::from(mode & DIRECTORY_PERMISSIONS);
        self.create(directory, &name, mode, Node::Directory(Directory::new(directory)), now);
        Ok(())
    }

    /// Renames a file or directory. Returns the file whose name was taken over, if any.
    pub fn rename(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        from: &[u8],
        to: &[u8],
        now: Time,
    ) -> Result<Option<InodeId>, Errno> {
        let source = self.resolve_parent(host, start, from)?;
        let target = self.resolve_parent(host, start, to)?;
        let places = [source.directory, target.directory].map(|id| (self.inode(id).stat.device, self.inode(id).mount));
        if places[0] != places[1] {
            return Err(Errno::EXDEV);
        }
        let (Last::Name(from_name), Last::Name(to_name)) = (&source.last, &target.last) else {
            return Err(Errno::EBUSY);
        };
        self.check_writable(source.directory)?;
        let moved = self.lookup(host, source.directory, from_name)?.ok_or(Errno::ENOENT)?;
        let replaced = self.lookup(host, target.directory, to_name)?;
        let is_directory = self.inode(moved).is_directory();
        if !is_directory && (source.trailing_slash || target.trailing_slash) {
            return Err(Errno::ENOTDIR);
        }
        if is_directory && self.is_ancestor(moved, target.directory) {
            return Err(Errno::EINVAL);
        }
        if replaced.is_some_and(|replaced| self.is_ancestor(replaced, source.directory)) {
            return Err(Errno::ENOTEMPTY);
        }
        if replaced == Some(moved) {
            return Ok(None);
        }
        self.check_may_delete(source.directory, moved, is_directory)?;
        match replaced {
            Some(replaced) => self.check_may_delete(target.directory, replaced, is_directory)?,
            None => self.check_may_create(target.directory)?,
        }
        if is_directory && source.directory != target.directory {
            // The directory's own `..` changes.
            self.check_permission(moved, MAY_WRITE)?;
        }
        if let Some(replaced) = replaced {
            if is_directory && !self.entries(host, replaced)?.is_empty() {
                return Err(Errno::ENOTEMPTY);
            }
            self.unlink(target.directory, to_name, replaced, now);
            self.drop_link(replaced, now);
        }
        self.unlink(source.directory, from_name, moved, now);
        self.link(target.directory, to_name, moved, now);
        self.inode_mut(moved).stat.set_changed(now);
        Ok(replaced.filter(|_| !is_directory))
    }
}
