//! Attributes of files that a program sets: permissions, owner, times.

use super::file_system::{FileSystem, MAY_READ, MAY_WRITE};
use super::inode::InodeId;
use super::{Errno, Host, Posix, Time};

const PERMISSIONS: u64 = 0o7777;
const SET_USER_ID: u64 = 0o4000;
const SET_GROUP_ID: u64 = 0o2000;
const GROUP_EXECUTE: u64 = 0o010;

/// A time to be set, as `utimensat` means it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTime {
    Now,
    /// As it is.
    Omit,
    At(Time),
}

impl NewTime {
    /// Of what a `struct timespec` holds.
    pub fn of_timespec(seconds: i64, nanoseconds: i64) -> Result<NewTime, Errno> {
        match nanoseconds {
            libc::UTIME_NOW => Ok(NewTime::Now),
            libc::UTIME_OMIT => Ok(NewTime::Omit),
            0..1_000_000_000 => Ok(NewTime::At(Time { seconds, nanoseconds })),
            _ => Err(Errno::EINVAL),
        }
    }
}

impl Posix {
    /// The inode of a path or, without one, of a descriptor. A standard stream has none: what is set of it is forgotten.
    fn named(
        &mut self,
        host: &mut dyn Host,
        path: Option<&[u8]>,
        descriptor: i32,
        follow: bool,
    ) -> Result<Option<InodeId>, Errno> {
        let start = self.current_directory;
        match path {
            Some(path) => self.files().resolve(host, start, path, follow).map(Some),
            None => match self.descriptors.get(descriptor)?.object {
                super::descriptors::Object::Inode(id) => Ok(Some(id)),
                super::descriptors::Object::Standard(_) => Ok(None),
            },
        }
    }

    /// `fchmodat`, or `fchmod` of a descriptor.
    pub fn chmod(
        &mut self,
        host: &mut dyn Host,
        path: Option<&[u8]>,
        descriptor: i32,
        mode: u32,
    ) -> Result<i64, Errno> {
        path.into_iter().for_each(|path| self.note_change("chmod", path));
        let Some(id) = self.named(host, path, descriptor, true)? else { return Ok(0) };
        let now = self.clock.now();
        let files = self.files();
        files.check_writable(id)?;
        files.check_owner(id)?;
        let mut mode = u64::from(mode) & PERMISSIONS;
        if !files.may_keep_group_id(id) {
            mode &= !SET_GROUP_ID;
        }
        let stat = &mut files.inode_mut(id).stat;
        stat.mode = stat.mode & !PERMISSIONS | mode;
        stat.set_changed(now);
        Ok(0)
    }

    /// `fchownat`, or `fchown` of a descriptor. An owner or a group that is `u32::MAX` stays.
    pub fn chown(
        &mut self,
        host: &mut dyn Host,
        path: Option<&[u8]>,
        descriptor: i32,
        follow: bool,
        owner: (u32, u32),
    ) -> Result<i64, Errno> {
        path.into_iter().for_each(|path| self.note_change("chown", path));
        let Some(id) = self.named(host, path, descriptor, follow)? else { return Ok(0) };
        let now = self.clock.now();
        let files = self.files();
        files.check_writable(id)?;
        let (user, group) = owner;
        files.check_new_owner(id, user, group)?;
        let inode = files.inode_mut(id);
        let is_directory = inode.is_directory();
        let stat = &mut inode.stat;
        if user != u32::MAX {
            stat.user = user.into();
        }
        if group != u32::MAX {
            stat.group = group.into();
        }
        if !is_directory && (user != u32::MAX || group != u32::MAX) {
            stat.mode &= !SET_USER_ID;
            if stat.mode & GROUP_EXECUTE != 0 {
                stat.mode &= !SET_GROUP_ID;
            }
        }
        stat.set_changed(now);
        Ok(0)
    }

    /// `utimensat`, or `futimens` of a descriptor: the times of last access and modification.
    pub fn set_times(
        &mut self,
        host: &mut dyn Host,
        path: Option<&[u8]>,
        descriptor: i32,
        follow: bool,
        times: [NewTime; 2],
    ) -> Result<i64, Errno> {
        path.into_iter().for_each(|path| self.note_change("utimensat", path));
        if times == [NewTime::Omit; 2] {
            return Ok(0);
        }
        let Some(id) = self.named(host, path, descriptor, follow)? else { return Ok(0) };
        let now = self.clock.now();
        let files = self.files();
        files.check_writable(id)?;
        // Whoever may write may also say that he has written just now.
        if times == [NewTime::Now; 2] {
            files.check_owner(id).or_else(|_| files.check_permission(id, MAY_WRITE))?;
        } else {
            files.check_owner(id)?;
        }
        let stat = &mut files.inode_mut(id).stat;
        let [accessed, modified] = times.map(|time| match time {
            NewTime::Now => Some(now),
            NewTime::Omit => None,
            NewTime::At(time) => Some(time),
        });
        if let Some(time) = modified {
            stat.set_modified(time);
        }
        if let Some(time) = accessed {
            stat.set_accessed(time);
        }
        stat.set_changed(now);
        Ok(0)
    }
}

impl FileSystem {
    /// A file of somebody else gets another name only where the program could use it under its own: Linux's protection of hard links,
    /// which distributions switch on.
    pub(super) fn check_may_link(&self, id: InodeId) -> Result<(), Errno> {
        let inode = self.inode(id);
        let mode = inode.stat.mode;
        let raises = mode & SET_USER_ID != 0 || mode & (SET_GROUP_ID | GROUP_EXECUTE) == SET_GROUP_ID | GROUP_EXECUTE;
        let is_harmless = inode.stat.is_regular() && !raises;
        if is_harmless && self.check_permission(id, MAY_READ | MAY_WRITE).is_ok() {
            return Ok(());
        }
        self.check_owner(id)
    }

    /// What a program without privileges writes loses the right to run as its owner.
    pub(super) fn drop_privileges(&mut self, id: InodeId) {
        if self.credentials().user == 0 {
            return;
        }
        let mode = &mut self.inode_mut(id).stat.mode;
        *mode &= !SET_USER_ID;
        if *mode & GROUP_EXECUTE != 0 {
            *mode &= !SET_GROUP_ID;
        }
    }

    /// Only the owner of a file, and root, may change its attributes.
    fn check_owner(&self, id: InodeId) -> Result<(), Errno> {
        let user = self.credentials().user;
        if user == 0 || self.inode(id).stat.user == u64::from(user) { Ok(()) } else { Err(Errno::EPERM) }
    }

    fn may_keep_group_id(&self, id: InodeId) -> bool {
        self.credentials().user == 0 || self.is_in_group(self.inode(id).stat.group)
    }

    /// Files cannot be given away, except by root; to a group only by a member.
    fn check_new_owner(&self, id: InodeId, user: u32, group: u32) -> Result<(), Errno> {
        let own = self.credentials().user;
        let stat = &self.inode(id).stat;
        let keeps_user = user == u32::MAX || (stat.user == u64::from(user) && stat.user == u64::from(own));
        let is_owner = stat.user == u64::from(own);
        let may_set_group = is_owner && (self.is_in_group(group.into()) || stat.group == u64::from(group));
        let keeps_group = group == u32::MAX || may_set_group;
        if own == 0 || keeps_user && keeps_group { Ok(()) } else { Err(Errno::EPERM) }
    }
}
