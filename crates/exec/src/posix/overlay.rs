//! What a path changed in the file system, so that someone can copy it to where it may be seen. Copies nothing itself.

use super::file_system::{FileSystem, join};
use super::inode::{Content, InodeId, Node};
use super::{Errno, Host, Posix};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A difference between the host's files and those that the program sees. But for `Permissions`, it replaces whatever the host has at
/// the path, and what is in that if it is a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayEntry {
    /// Absolute.
    pub path: Vec<u8>,
    pub change: OverlayChange,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OverlayChange {
    /// A file made, written or moved here by the program, with its permission bits.
    File { content: Rc<[u8]>, mode: u32 },
    /// A directory made or moved here by the program, with its permission bits. What is in it follows.
    Directory { mode: u32 },
    /// A symbolic link moved here by the program.
    Symlink { target: Rc<[u8]> },
    /// What the host has at the path stays, with other permission bits.
    Permissions { mode: u32 },
    /// Something that the host has and the program removed or moved away.
    Removed,
    /// A file or directory moved here by the program, whose content the host does not let us read.
    Unreadable(Errno),
}

impl Posix {
    /// What the program wrote, made, moved and removed, sorted by path; directories before what is in them. The host is asked
    /// for the content of files that were moved but never read.
    pub fn overlay_files(&self, host: &mut dyn Host) -> Vec<OverlayEntry> {
        let mut files = FileSystem::clone(&self.files);
        let mut changes = Vec::new();
        let mut pending = vec![(files.root(), b"/".to_vec())];
        while let Some((directory, path)) = pending.pop() {
            let entries = match relevant_entries(&mut files, host, directory, &path) {
                Ok(entries) => entries,
                Err(errno) => {
                    changes.push(OverlayEntry { path, change: OverlayChange::Unreadable(errno) });
                    continue;
                }
            };
            for (name, entry) in entries {
                let path = join(&path, &name);
                let Some(id) = entry else {
                    if host.metadata(&path).is_ok() {
                        changes.push(OverlayEntry { path, change: OverlayChange::Removed });
                    }
                    continue;
                };
                if let Some(change) = self.change(&mut files, host, id, &path) {
                    changes.push(OverlayEntry { path: path.clone(), change });
                }
                if files.inode(id).is_directory() {
                    pending.push((id, path));
                }
            }
        }
        changes.sort_by(|left, right| left.path.cmp(&right.path));
        changes
    }

    /// How what is at `path` differs from what the host has there.
    fn change(&self, files: &mut FileSystem, host: &mut dyn Host, id: InodeId, path: &[u8]) -> Option<OverlayChange> {
        let inode = files.inode(id);
        let stays = inode.origin.as_deref() == Some(path);
        let mode = (inode.stat.mode & 0o7777) as u32;
        match &inode.node {
            Node::File(Content::Unread | Content::Host(_)) | Node::Directory(_) if stays => {
                let is_new = host.metadata(path).is_ok_and(|stat| stat.mode & 0o7777 != u64::from(mode));
                is_new.then_some(OverlayChange::Permissions { mode })
            }
            Node::File(_) => Some(match files.inode_mut(id).load(host, &self.contents) {
                Ok(()) => OverlayChange::File { content: files.inode(id).bytes().into(), mode },
                Err(errno) => OverlayChange::Unreadable(errno),
            }),
            Node::Directory(_) => Some(OverlayChange::Directory { mode }),
            Node::Symlink(target) if !stays => Some(OverlayChange::Symlink { target: target.clone() }),
            _ => None,
        }
    }
}

/// A name in a directory and what it stands for; None if the program took it away.
type KnownName = (Vec<u8>, Option<InodeId>);

/// The names in a directory that may differ from the host's: those looked up so far, or all, where the directory was moved.
fn relevant_entries(
    files: &mut FileSystem,
    host: &mut dyn Host,
    directory: InodeId,
    path: &[u8],
) -> Result<Vec<KnownName>, Errno> {
    let moved_from_host = files.inode(directory).origin.as_deref().is_some_and(|origin| origin != path);
    let names: BTreeSet<Vec<u8>> = match files.inode(directory).directory() {
        Some(known) if !moved_from_host => known.entries.keys().cloned().collect(),
        _ => files.entries(host, directory)?.into_iter().map(|(name, _)| name).collect(),
    };
    names.into_iter().map(|name| Ok((name.clone(), files.lookup(host, directory, &name)?))).collect()
}
