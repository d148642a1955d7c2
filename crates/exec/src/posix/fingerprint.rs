//! What a program can tell one world outside from another by, but for the time: for those who want to know whether two paths see the same.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::Posix;
use super::inode::{Content, Inode, Node};

impl Posix {
    /// Notes all of it. Two that are alike note the same.
    pub fn note(&self, noted: &mut impl Hasher) {
        for inode in self.files.inodes() {
            inode.note(noted);
        }
        self.descriptors.hash(noted);
        for (directory, entries) in self.listings.iter() {
            (directory, entries.len()).hash(noted);
        }
        (self.input_position, self.current_directory, self.umask).hash(noted);
        self.random.hash(noted);
    }
}

impl Inode {
    fn note(&self, noted: &mut impl Hasher) {
        let stat = &self.stat;
        (stat.inode, stat.mode, stat.links, stat.user, stat.group, stat.size, self.removed).hash(noted);
        self.origin.hash(noted);
        match &self.node {
            Node::File(Content::Unread) => 0u8.hash(noted),
            // All paths share it.
            Node::File(Content::Host(bytes)) => (1u8, Rc::as_ptr(bytes).cast::<u8>() as usize).hash(noted),
            Node::File(Content::Written(bytes)) => (2u8, bytes).hash(noted),
            Node::Directory(directory) => (3u8, directory.parent, &directory.entries).hash(noted),
            Node::Symlink(target) => (4u8, target).hash(noted),
            Node::Device(_) | Node::Standard(_) | Node::Unsupported | Node::Gone => 5u8.hash(noted),
        }
        for (at, part) in self.parts.range(0, usize::MAX) {
            (at, part.expr.as_u32(), part.index).hash(noted);
        }
    }
}
