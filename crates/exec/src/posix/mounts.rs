//! What a program sees of the host: directories that are covered by empty ones, and where it may change something.

use super::file_system::FileSystem;
use super::host::{KIND_DIRECTORY, View};
use super::inode::{Directory, Inode, InodeId, Node};
use super::parts::Parts;
use super::{Errno, Host, Stat};

const HIDDEN_MODE: u32 = 0o755;

/// The mount that an inode belongs to. Names cannot be moved from one to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mount {
    number: u8,
    pub is_read_only: bool,
}

impl FileSystem {
    /// Lays the view over the host's files. Comes before the first lookup. Returns the directory in which the program starts.
    pub fn arrange(&mut self, host: &mut dyn Host, view: &View, start: &[u8]) -> InodeId {
        let outside = Mount { number: 0, is_read_only: view.is_read_only };
        for id in self.ids() {
            self.inode_mut(id).mount = outside;
        }
        for path in &view.hidden {
            if host.metadata(path).is_ok_and(|stat| stat.is_directory()) {
                self.cover(host, path, HIDDEN_MODE, outside);
            }
        }
        let mut number = 0;
        let mut writable = || {
            number += 1;
            Mount { number, is_read_only: false }
        };
        for (path, mode) in &view.private {
            let id = self.cover(host, path, *mode, writable());
            let owner = self.credentials().clone();
            let stat = &mut self.inode_mut(id).stat;
            (stat.user, stat.group) = (owner.user.into(), owner.group.into());
        }
        for path in &view.writable {
            let id = self.attach(host, path);
            self.inode_mut(id).mount = writable();
        }
        let start = self.attach(host, start);
        if self.inode(start).mount.is_read_only {
            self.inode_mut(start).mount = writable();
        }
        start
    }

    /// Puts an empty directory in place of what the host has.
    fn cover(&mut self, host: &mut dyn Host, path: &[u8], mode: u32, mount: Mount) -> InodeId {
        let at = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        let directory = self.attach(host, &path[..at]);
        let id = self.add_empty_directory(directory, mode);
        self.inode_mut(id).mount = mount;
        self.set_entry(directory, &path[at + 1..], Some(id));
        id
    }

    /// A directory that is not the host's.
    pub(super) fn add_empty_directory(&mut self, parent: InodeId, mode: u32) -> InodeId {
        let around = self.inode(parent);
        let (mount, Stat { device, user, group, .. }) = (around.mount, around.stat);
        let inode = self.next_inode_number();
        let mode = KIND_DIRECTORY | u64::from(mode);
        let mut stat = Stat { device, inode, mode, links: 2, user, group, block_size: 4096, ..Stat::default() };
        stat.set_size(4096);
        let node = Node::Directory(Directory::new(parent));
        self.add(Inode { stat, origin: None, removed: false, mount, node, parts: Parts::default() })
    }

    /// Says EROFS where nothing can be changed.
    pub fn check_writable(&self, id: InodeId) -> Result<(), Errno> {
        if self.inode(id).mount.is_read_only { Err(Errno::EROFS) } else { Ok(()) }
    }
}
