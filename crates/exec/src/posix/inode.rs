//! Inodes: what a file, directory, link or device is, wherever it is named. Names and their lookup are in `file_system`.

use super::host::{KIND_CHARACTER_DEVICE, KIND_DIRECTORY, KIND_REGULAR, KIND_SYMLINK, Standard};
use super::mounts::Mount;
use super::parts::Parts;
use super::{Errno, Host, Stat};
use cranelift_entity::entity_impl;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Names an inode within one path's file system. Not the number that `stat` shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct InodeId(u32);
entity_impl!(InodeId, "inode");

#[derive(Clone)]
pub(super) struct Inode {
    /// Kept up to date: its size is that of the content, once the program has changed the content.
    pub stat: Stat,
    /// The path on the host that this was read from: the content of a file not yet changed and the entries of a directory not
    /// overridden are there. None for what the program made.
    pub origin: Option<Rc<[u8]>>,
    /// No longer in the tree: kept for descriptors and the current directory only. Nothing can be made in such a directory.
    pub removed: bool,
    pub mount: Mount,
    pub node: Node,
    /// The bytes of the content that depend on inputs.
    pub parts: Parts,
}

#[derive(Clone)]
pub(super) enum Node {
    File(Content),
    Directory(Directory),
    Symlink(Rc<[u8]>),
    Device(Device),
    /// A link to what is open as a standard stream's descriptor, such as /dev/stdin.
    Standard(Standard),
    /// A pipe, socket or device of the host: can be seen, not opened.
    Unsupported,
    /// The slot of a file that is gone, free for another one.
    Gone,
}

#[derive(Clone)]
pub(super) enum Content {
    /// As the file at `origin`; not looked at so far.
    Unread,
    /// As the file at `origin` was when it was first read.
    Host(Rc<[u8]>),
    /// Changed or made by the program.
    Written(Rc<Vec<u8>>),
}

#[derive(Clone)]
pub(super) struct Directory {
    pub parent: InodeId,
    /// What is known of its names; None hides a name of the host's directory.
    pub entries: BTreeMap<Vec<u8>, Option<InodeId>>,
}

/// The devices that every program finds, whatever the host has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Device {
    Null,
    Zero,
    Full,
    Random,
    Terminal,
}

/// The contents of the host's files that were read, shared by all paths: they see the same content however late they look.
pub(super) type HostContents = Rc<RefCell<BTreeMap<Rc<[u8]>, Rc<[u8]>>>>;

impl Inode {
    /// The inode for what the host has at `path`.
    pub fn from_host(host: &mut dyn Host, path: &[u8], stat: Stat, parent: InodeId) -> Result<Inode, Errno> {
        let node = match stat.kind() {
            KIND_REGULAR => Node::File(Content::Unread),
            KIND_DIRECTORY => Node::Directory(Directory::new(parent)),
            KIND_SYMLINK => Node::Symlink(host.read_link(path)?.into()),
            _ => Node::Unsupported,
        };
        let (mount, parts) = (Mount::default(), Parts::default());
        Ok(Inode { stat, origin: Some(path.into()), removed: false, mount, node, parts })
    }

    pub fn directory(&self) -> Option<&Directory> {
        match &self.node {
            Node::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    pub fn directory_mut(&mut self) -> Option<&mut Directory> {
        match &mut self.node {
            Node::Directory(directory) => Some(directory),
            _ => None,
        }
    }

    pub fn is_directory(&self) -> bool {
        self.directory().is_some()
    }

    /// Reads the content from the host unless that was done before.
    pub fn load(&mut self, host: &mut dyn Host, contents: &HostContents) -> Result<(), Errno> {
        if let (Node::File(content @ Content::Unread), Some(origin)) = (&mut self.node, &self.origin) {
            let known = contents.borrow().get(origin).cloned();
            let bytes = match known {
                Some(bytes) => bytes,
                None => {
                    let bytes = host.read_file(origin)?;
                    contents.borrow_mut().insert(origin.clone(), bytes.clone());
                    bytes
                }
            };
            *content = Content::Host(bytes);
        }
        Ok(())
    }

    /// The content of a file, as far as it is loaded.
    pub fn bytes(&self) -> &[u8] {
        match &self.node {
            Node::File(Content::Host(bytes)) => bytes,
            Node::File(Content::Written(bytes)) => bytes,
            _ => &[],
        }
    }

    /// Changes the content of a file; the size in `stat` follows. Unless the file is loaded, its old content is lost.
    pub fn change_bytes(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        let Node::File(content) = &mut self.node else { return };
        let mut bytes = match std::mem::replace(content, Content::Unread) {
            Content::Unread => Rc::default(),
            Content::Host(bytes) => Rc::new(bytes.to_vec()),
            Content::Written(bytes) => bytes,
        };
        let vector = Rc::make_mut(&mut bytes);
        change(vector);
        self.stat.set_size(vector.len() as i64);
        self.parts.truncate(vector.len());
        *content = Content::Written(bytes);
    }
}

impl Directory {
    pub fn new(parent: InodeId) -> Directory {
        Directory { parent, entries: BTreeMap::new() }
    }
}

impl Device {
    pub const ALL: [(&'static str, Device); 6] = [
        ("null", Device::Null),
        ("zero", Device::Zero),
        ("full", Device::Full),
        ("random", Device::Random),
        ("urandom", Device::Random),
        ("tty", Device::Terminal),
    ];

    /// What Linux shows of the device.
    pub fn stat(self, name: &str) -> Stat {
        let (major, minor) = match self {
            Device::Null => (1, 3),
            Device::Zero => (1, 5),
            Device::Full => (1, 7),
            Device::Random => (1, if name == "random" { 8 } else { 9 }),
            Device::Terminal => (5, 0),
        };
        let rdevice = major << 8 | minor;
        Stat { mode: KIND_CHARACTER_DEVICE | 0o666, links: 1, rdevice, block_size: 4096, ..Stat::default() }
    }
}
