//! Walks paths as Linux does: symbolic links, `.` and `..`, slashes, and the errors on the way. Changes nothing.

use super::file_system::{FileSystem, MAY_EXECUTE};
use super::inode::{InodeId, Node};
use super::{Errno, Host};
use std::rc::Rc;

const LONGEST_PATH: usize = 4095;
const MOST_LINKS: u32 = 40;

/// A path without its last part resolved.
pub(super) struct Parent {
    pub directory: InodeId,
    pub last: Last,
    /// The last part is followed by a slash: it must be a directory.
    pub trailing_slash: bool,
}

/// The last part of a path.
#[derive(PartialEq, Eq)]
pub(super) enum Last {
    Name(Vec<u8>),
    Dot,
    DotDot,
    /// The path has slashes only.
    Root,
}

/// How many symbolic links a walk may still follow.
pub(super) struct LinkBudget(u32);

impl LinkBudget {
    pub fn new() -> LinkBudget {
        LinkBudget(MOST_LINKS)
    }

    pub fn spend(&mut self) -> Result<(), Errno> {
        self.0 = self.0.checked_sub(1).ok_or(Errno::ELOOP)?;
        Ok(())
    }
}

impl FileSystem {
    /// The inode at a path. The last part, if it is a symbolic link, is followed on request, or if a slash follows it.
    pub fn resolve(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        follow: bool,
    ) -> Result<InodeId, Errno> {
        self.resolve_within(host, start, path, follow, &mut LinkBudget::new())
    }

    /// The directory in which the last part of a path is to be looked up.
    pub fn resolve_parent(&mut self, host: &mut dyn Host, start: InodeId, path: &[u8]) -> Result<Parent, Errno> {
        self.parent_within(host, start, path, &mut LinkBudget::new())
    }

    fn resolve_within(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        follow: bool,
        budget: &mut LinkBudget,
    ) -> Result<InodeId, Errno> {
        let Parent { directory, last, trailing_slash } = self.parent_within(host, start, path, budget)?;
        let found = match last {
            Last::Root | Last::Dot => directory,
            Last::DotDot => self.parent(directory),
            Last::Name(name) => {
                let id = self.lookup(host, directory, &name)?.ok_or(Errno::ENOENT)?;
                self.follow(host, directory, id, follow || trailing_slash, budget)?
            }
        };
        if trailing_slash && !self.inode(found).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        Ok(found)
    }

    pub fn parent_within(
        &mut self,
        host: &mut dyn Host,
        start: InodeId,
        path: &[u8],
        budget: &mut LinkBudget,
    ) -> Result<Parent, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        if path.len() > LONGEST_PATH {
            return Err(Errno::ENAMETOOLONG);
        }
        let mut directory = if path[0] == b'/' { self.root() } else { start };
        let mut parts = path.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).peekable();
        let trailing_slash = path.ends_with(b"/");
        while let Some(part) = parts.next() {
            self.check_searchable(directory)?;
            if parts.peek().is_none() {
                let last = match part {
                    b"." => Last::Dot,
                    b".." => Last::DotDot,
                    _ => Last::Name(part.to_vec()),
                };
                return Ok(Parent { directory, last, trailing_slash });
            }
            directory = match part {
                b"." => directory,
                b".." => self.parent(directory),
                _ => {
                    let id = self.lookup(host, directory, part)?.ok_or(Errno::ENOENT)?;
                    self.follow(host, directory, id, true, budget)?
                }
            };
        }
        Ok(Parent { directory, last: Last::Root, trailing_slash })
    }

    /// A part of a path is looked up only in a directory, and one that may be searched.
    fn check_searchable(&self, directory: InodeId) -> Result<(), Errno> {
        if !self.inode(directory).is_directory() {
            return Err(Errno::ENOTDIR);
        }
        self.check_permission(directory, MAY_EXECUTE)
    }

    /// Where a link in `directory` leads, if `id` is one and it is to be followed.
    fn follow(
        &mut self,
        host: &mut dyn Host,
        directory: InodeId,
        id: InodeId,
        follow: bool,
        budget: &mut LinkBudget,
    ) -> Result<InodeId, Errno> {
        match self.link_target(id).filter(|_| follow) {
            Some(target) => {
                budget.spend()?;
                self.resolve_within(host, directory, &target, true, budget)
            }
            None => Ok(id),
        }
    }

    /// What a symbolic link says.
    pub fn link_target(&self, id: InodeId) -> Option<Rc<[u8]>> {
        match &self.inode(id).node {
            Node::Symlink(target) => Some(target.clone()),
            _ => None,
        }
    }
}
