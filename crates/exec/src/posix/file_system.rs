//! The tree of files as one path sees it: the host's, overridden by what the program changed. Inodes of the host are made when
//! they are first looked up. Walking a path is in `resolve`, what system calls do to names in `names` and `open`.

use super::host::{KIND_DIRECTORY, KIND_SYMLINK, Standard};
use super::inode::{Device, Directory, Inode, InodeId, Node};
use super::mounts::Mount;
use super::parts::Parts;
use super::{Credentials, Errno, Host, Stat, Time};
use cranelift_entity::PrimaryMap;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const MAY_READ: u32 = 4;
pub(super) const MAY_WRITE: u32 = 2;
pub(super) const MAY_EXECUTE: u32 = 1;

const LONGEST_NAME: usize = 255;
/// Numbers that `stat` shows for inodes made by the program count from here: they fit 32 bits and are far from the host's.
const FIRST_MADE_INODE: u64 = 0xc000_0000;
/// Where directories count their subdirectories as links. Other file systems show one link for every directory.
const LINKS_OF_EMPTY_DIRECTORY: u64 = 2;
const SET_GROUP_ID: u64 = 0o2000;
const STICKY: u64 = 0o1000;

/// A name in a directory, and its `d_type`.
pub type DirectoryEntry = (Vec<u8>, u8);

#[derive(Clone)]
pub(super) struct FileSystem {
    inodes: PrimaryMap<InodeId, Rc<Inode>>,
    free: Vec<InodeId>,
    root: InodeId,
    made: u64,
    credentials: Rc<Credentials>,
}

impl FileSystem {
    pub fn new(host: &mut dyn Host) -> FileSystem {
        let credentials = Rc::new(host.credentials());
        let mut inodes = PrimaryMap::new();
        let root = inodes.next_key();
        inodes.push(Rc::new(host_directory(host, b"/", root)));
        let mut files = FileSystem { inodes, free: Vec::new(), root, made: 0, credentials };
        files.add_devices(host);
        files
    }

    /// Puts the devices that every program finds into /dev.
    fn add_devices(&mut self, host: &mut dyn Host) {
        let dev = self.add(host_directory(host, b"/dev", self.root));
        self.set_entry(self.root, b"dev", Some(dev));
        for (name, device) in Device::ALL {
            self.add_special(dev, name, device.stat(name), Node::Device(device));
        }
        let streams = [("stdin", Standard::Input), ("stdout", Standard::Output), ("stderr", Standard::Error)];
        for (name, stream) in streams {
            let stat = Stat { mode: KIND_SYMLINK | 0o777, links: 1, size: 15, block_size: 4096, ..Stat::default() };
            self.add_special(dev, name, stat, Node::Standard(stream));
        }
    }

    fn add_special(&mut self, directory: InodeId, name: &str, stat: Stat, node: Node) {
        let device = self.inode(directory).stat.device;
        let inode = self.next_inode_number();
        let id = self.add(Inode {
            stat: Stat { device, inode, ..stat },
            origin: None,
            removed: false,
            mount: Mount::default(),
            node,
            parts: Parts::default(),
        });
        self.set_entry(directory, name.as_bytes(), Some(id));
    }

    pub fn root(&self) -> InodeId {
        self.root
    }

    pub fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    /// All inodes there are so far.
    pub fn ids(&self) -> impl Iterator<Item = InodeId> + use<> {
        self.inodes.keys()
    }

    pub fn inodes(&self) -> impl Iterator<Item = &Inode> {
        self.inodes.values().map(|inode| &**inode)
    }

    pub fn inode(&self, id: InodeId) -> &Inode {
        &self.inodes[id]
    }

    pub fn inode_mut(&mut self, id: InodeId) -> &mut Inode {
        Rc::make_mut(&mut self.inodes[id])
    }

    pub(super) fn add(&mut self, inode: Inode) -> InodeId {
        let inode = Rc::new(inode);
        match self.free.pop() {
            Some(id) => {
                self.inodes[id] = inode;
                id
            }
            None => self.inodes.push(inode),
        }
    }

    pub(super) fn next_inode_number(&mut self) -> u64 {
        self.made += 1;
        FIRST_MADE_INODE + self.made
    }

    /// Frees the slot of a file that has no name and is not open.
    pub fn release(&mut self, id: InodeId) {
        self.inodes[id] = Rc::new(Inode {
            stat: Stat::default(),
            origin: None,
            removed: true,
            mount: Mount::default(),
            node: Node::Gone,
            parts: Parts::default(),
        });
        self.free.push(id);
    }

    /// Where a walk that starts at the host's path `path` begins: a directory, taken on trust if the host does not show it. Of
    /// directories that are covered, it shows no more than the way there.
    pub fn attach(&mut self, host: &mut dyn Host, path: &[u8]) -> InodeId {
        let mut directory = self.root;
        let mut parts = path.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).peekable();
        while let Some(name) = parts.next() {
            let known = self.lookup(host, directory, name).ok().flatten();
            directory = match known.filter(|&id| self.inode(id).is_directory()) {
                Some(id) => id,
                None => {
                    let is_last = parts.peek().is_none();
                    let id = match self.host_path(directory, name) {
                        Some(child_path) => self.add_host_directory(host, &child_path, directory),
                        None if is_last => self.add_host_directory(host, path, directory),
                        None => self.add_empty_directory(directory, 0o755),
                    };
                    self.set_entry(directory, name, Some(id));
                    id
                }
            };
        }
        directory
    }

    fn add_host_directory(&mut self, host: &mut dyn Host, path: &[u8], parent: InodeId) -> InodeId {
        let mount = self.inode(parent).mount;
        self.add(Inode { mount, ..host_directory(host, path, parent) })
    }

    fn host_path(&self, directory: InodeId, name: &[u8]) -> Option<Vec<u8>> {
        Some(join(self.inode(directory).origin.as_ref()?, name))
    }

    /// The inode that `name` stands for in a directory.
    pub fn lookup(&mut self, host: &mut dyn Host, directory: InodeId, name: &[u8]) -> Result<Option<InodeId>, Errno> {
        if name.len() > LONGEST_NAME {
            return Err(Errno::ENAMETOOLONG);
        }
        let known = self.inode(directory).directory().ok_or(Errno::ENOTDIR)?.entries.get(name);
        if let Some(known) = known {
            return Ok(*known);
        }
        let Some(path) = self.host_path(directory, name) else { return Ok(None) };
        let stat = match host.metadata(&path) {
            Ok(stat) => stat,
            Err(Errno::ENOENT) => return Ok(None),
            Err(errno) => return Err(errno),
        };
        let mount = self.inode(directory).mount;
        let inode = Inode::from_host(host, &path, stat, directory)?;
        let id = self.add(Inode { mount, ..inode });
        self.set_entry(directory, name, Some(id));
        Ok(Some(id))
    }

    pub(super) fn set_entry(&mut self, directory: InodeId, name: &[u8], entry: Option<InodeId>) {
        let inode = self.inode_mut(directory);
        let overrides_host = inode.origin.is_some();
        let Some(directory) = inode.directory_mut() else { return };
        if entry.is_some() || overrides_host {
            directory.entries.insert(name.to_vec(), entry);
        } else {
            directory.entries.remove(name);
        }
    }

    /// The directory that `..` means; the root is its own.
    pub fn parent(&self, directory: InodeId) -> InodeId {
        self.inode(directory).directory().map_or(self.root, |directory| directory.parent)
    }

    /// Whether `ancestor` is `directory` or above it.
    pub fn is_ancestor(&self, ancestor: InodeId, mut directory: InodeId) -> bool {
        while directory != ancestor && directory != self.root {
            directory = self.parent(directory);
        }
        directory == ancestor
    }

    /// The absolute path of a directory; None if it was removed.
    pub fn path_of(&self, directory: InodeId) -> Option<Vec<u8>> {
        let mut names = Vec::new();
        let mut current = directory;
        while current != self.root {
            if self.inode(current).removed {
                return None;
            }
            let parent = self.parent(current);
            let entries = &self.inode(parent).directory()?.entries;
            names.push(entries.iter().find(|(_, id)| **id == Some(current))?.0);
            current = parent;
        }
        let path: Vec<u8> = names.iter().rev().flat_map(|name| [b"/", name.as_slice()].concat()).collect();
        Some(if path.is_empty() { b"/".to_vec() } else { path })
    }

    /// Checks the permission bits of an inode against who the program runs as.
    pub fn check_permission(&self, id: InodeId, wanted: u32) -> Result<(), Errno> {
        let inode = self.inode(id);
        let mode = inode.stat.mode as u32;
        let who = &*self.credentials;
        let granted = if who.user == 0 {
            let may_execute = inode.is_directory() || mode & 0o111 != 0;
            MAY_READ | MAY_WRITE | if may_execute { MAY_EXECUTE } else { 0 }
        } else if inode.stat.user == u64::from(who.user) {
            mode >> 6
        } else if self.is_in_group(inode.stat.group) {
            mode >> 3
        } else {
            mode
        };
        if wanted & !granted == 0 { Ok(()) } else { Err(Errno::EACCES) }
    }

    pub(super) fn is_in_group(&self, group: u64) -> bool {
        let who = &*self.credentials;
        u64::from(who.group) == group || who.supplementary_groups.iter().any(|&other| u64::from(other) == group)
    }

    /// Whether a name may be made in the directory.
    pub fn check_may_create(&self, directory: InodeId) -> Result<(), Errno> {
        if self.inode(directory).removed {
            return Err(Errno::ENOENT);
        }
        self.check_permission(directory, MAY_WRITE | MAY_EXECUTE)
    }

    /// Whether the name of `victim` may be taken out of the directory, by a call that is meant for directories or not.
    pub fn check_may_delete(&self, directory: InodeId, victim: InodeId, wants_directory: bool) -> Result<(), Errno> {
        self.check_permission(directory, MAY_WRITE | MAY_EXECUTE)?;
        let (directory, victim_inode) = (self.inode(directory), self.inode(victim));
        let user = u64::from(self.credentials.user);
        let owns = user == 0 || directory.stat.user == user || victim_inode.stat.user == user;
        if directory.stat.mode & STICKY != 0 && !owns {
            return Err(Errno::EPERM);
        }
        match (wants_directory, victim_inode.is_directory()) {
            (true, false) => Err(Errno::ENOTDIR),
            (false, true) => Err(Errno::EISDIR),
            (true, true) if victim == self.root => Err(Errno::EBUSY),
            _ => Ok(()),
        }
    }

    /// Makes an inode with a name in the directory. `mode` has the kind of file and its permissions.
    pub fn create(&mut self, directory: InodeId, name: &[u8], mode: u64, node: Node, now: Time) -> InodeId {
        let inode = self.next_inode_number();
        let is_directory = matches!(node, Node::Directory(_));
        let mount = self.inode(directory).mount;
        let parent = self.inode(directory).stat;
        let inherits_group = parent.mode & SET_GROUP_ID != 0;
        let inherited = if is_directory { parent.mode & SET_GROUP_ID } else { 0 };
        let mut stat = Stat {
            device: parent.device,
            inode,
            mode: mode | inherited,
            links: if is_directory { LINKS_OF_EMPTY_DIRECTORY } else { 1 },
            user: self.credentials.user.into(),
            group: if inherits_group { parent.group } else { self.credentials.group.into() },
            block_size: 4096,
            access_seconds: now.seconds,
            access_nanoseconds: now.nanoseconds,
            ..Stat::default()
        };
        if is_directory {
            stat.set_size(4096);
        }
        stat.set_modified(now);
        let id = self.add(Inode { stat, origin: None, removed: false, mount, node, parts: Parts::default() });
        self.link(directory, name, id, now);
        id
    }

    /// Gives an inode a name in the directory, in place of whatever had it.
    pub fn link(&mut self, directory: InodeId, name: &[u8], id: InodeId, now: Time) {
        self.set_entry(directory, name, Some(id));
        if let Some(moved) = self.inode_mut(id).directory_mut() {
            moved.parent = directory;
            let links = &mut self.inode_mut(directory).stat.links;
            *links += u64::from(*links >= LINKS_OF_EMPTY_DIRECTORY);
        }
        self.inode_mut(directory).stat.set_modified(now);
    }

    /// Takes a name out of the directory, but does nothing to the inode.
    pub fn unlink(&mut self, directory: InodeId, name: &[u8], id: InodeId, now: Time) {
        let was_directory = self.inode(id).is_directory();
        self.set_entry(directory, name, None);
        let stat = &mut self.inode_mut(directory).stat;
        stat.set_modified(now);
        stat.links -= u64::from(was_directory && stat.links > LINKS_OF_EMPTY_DIRECTORY);
    }

    /// Notes that an inode lost its name.
    pub fn drop_link(&mut self, id: InodeId, now: Time) {
        let inode = self.inode_mut(id);
        inode.stat.set_changed(now);
        if let Some(directory) = inode.directory_mut() {
            directory.entries = BTreeMap::new();
            inode.removed = true;
            inode.origin = None;
            inode.stat.links = 0;
        } else {
            inode.stat.links = inode.stat.links.saturating_sub(1);
            inode.removed = inode.stat.links == 0;
        }
    }

    /// The names in a directory, sorted, without `.` and `..`.
    pub fn entries(&self, host: &mut dyn Host, directory: InodeId) -> Result<Vec<DirectoryEntry>, Errno> {
        let inode = self.inode(directory);
        let overridden = &inode.directory().ok_or(Errno::ENOTDIR)?.entries;
        let mut entries = match &inode.origin {
            Some(path) => host.list_directory(path)?,
            None => Vec::new(),
        };
        entries.retain(|(name, _)| !overridden.contains_key(name));
        let known = overridden.iter().filter_map(|(name, id)| Some((name, self.inode((*id)?))));
        entries.extend(known.map(|(name, inode)| (name.clone(), inode.stat.directory_entry_type())));
        entries.sort();
        Ok(entries)
    }
}

/// The inode of a directory of the host, with plausible data if the host does not tell.
fn host_directory(host: &mut dyn Host, path: &[u8], parent: InodeId) -> Inode {
    let unknown = Stat { mode: KIND_DIRECTORY | 0o755, links: 2, size: 4096, block_size: 4096, ..Stat::default() };
    let stat = host.metadata(path).ok().filter(Stat::is_directory).unwrap_or(unknown);
    Inode {
        stat,
        origin: Some(path.into()),
        removed: false,
        mount: Mount::default(),
        node: Node::Directory(Directory::new(parent)),
        parts: Parts::default(),
    }
}

/// The path of a name in a directory.
pub(super) fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let separator: &[u8] = if directory == b"/" { b"" } else { b"/" };
    [directory, separator, name].concat()
}
