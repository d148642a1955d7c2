//! The table of descriptors and the open file descriptions that they share. What reading and writing one does is in `streams`.

use super::Errno;
use super::host::Standard;
use super::inode::InodeId;
use super::open::{OpenFlags, SETTABLE_STATUS};

/// As on Linux by default.
const MOST_DESCRIPTORS: usize = 1024;

#[derive(Clone, Hash)]
pub(super) struct DescriptorTable {
    descriptors: Vec<Option<Slot>>,
    descriptions: Vec<Option<Description>>,
}

/// What a descriptor is beside the description that it shares with others.
#[derive(Clone, Copy, Debug, Hash)]
struct Slot {
    description: usize,
    close_on_exec: bool,
}

/// An open file description: what descriptors made by `dup` have in common.
#[derive(Clone, Debug, Hash)]
pub(super) struct Description {
    pub object: Object,
    pub offset: i64,
    pub read: bool,
    pub write: bool,
    pub append: bool,
    /// What F_GETFL tells, but for the access mode.
    status: i32,
    references: usize,
}

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object {
    Inode(InodeId),
    Standard(Standard),
}

impl Description {
    pub fn new(object: Object, flags: OpenFlags) -> Description {
        let OpenFlags { read, write, append, status, .. } = flags;
        Description { object, offset: 0, read, write, append, status, references: 0 }
    }

    /// A standard stream as it is at the start of the program.
    pub fn standard(stream: Standard, offset: i64) -> Description {
        let read = stream == Standard::Input;
        Description {
            object: Object::Standard(stream),
            offset,
            read,
            write: !read,
            append: false,
            status: 0,
            references: 0,
        }
    }

    /// What F_GETFL tells.
    pub fn status_flags(&self) -> i32 {
        let mode = match (self.read, self.write) {
            (true, true) => libc::O_RDWR,
            (false, true) => libc::O_WRONLY,
            _ => libc::O_RDONLY,
        };
        mode | self.status
    }

    /// What F_SETFL does.
    pub fn set_status_flags(&mut self, flags: i32) {
        self.status = self.status & !SETTABLE_STATUS | flags & SETTABLE_STATUS;
        self.append = self.status & libc::O_APPEND != 0;
    }
}

impl DescriptorTable {
    pub fn new() -> DescriptorTable {
        DescriptorTable { descriptors: Vec::new(), descriptions: Vec::new() }
    }

    fn index(&self, descriptor: i32) -> Result<usize, Errno> {
        let slot = usize::try_from(descriptor).ok().and_then(|slot| self.descriptors.get(slot));
        slot.copied().flatten().map(|slot| slot.description).ok_or(Errno::EBADF)
    }

    pub fn close_on_exec(&self, descriptor: i32) -> Result<bool, Errno> {
        self.index(descriptor)?;
        Ok(self.descriptors[descriptor as usize].is_some_and(|slot| slot.close_on_exec))
    }

    pub fn set_close_on_exec(&mut self, descriptor: i32, close_on_exec: bool) -> Result<(), Errno> {
        self.index(descriptor)?;
        if let Some(slot) = &mut self.descriptors[descriptor as usize] {
            slot.close_on_exec = close_on_exec;
        }
        Ok(())
    }

    pub fn get(&self, descriptor: i32) -> Result<&Description, Errno> {
        self.descriptions[self.index(descriptor)?].as_ref().ok_or(Errno::EBADF)
    }

    pub fn get_mut(&mut self, descriptor: i32) -> Result<&mut Description, Errno> {
        let index = self.index(descriptor)?;
        self.descriptions[index].as_mut().ok_or(Errno::EBADF)
    }

    /// Says EMFILE if no descriptor is free.
    pub fn check_free(&self) -> Result<(), Errno> {
        if self.lowest_free(0) < MOST_DESCRIPTORS { Ok(()) } else { Err(Errno::EMFILE) }
    }

    fn lowest_free(&self, least: usize) -> usize {
        let behind = self.descriptors.len().max(least);
        (least..behind).find(|at| self.descriptors.get(*at).is_none_or(Option::is_none)).unwrap_or(behind)
    }

    /// Gives a description the lowest free descriptor.
    pub fn open(&mut self, description: Description) -> Result<i32, Errno> {
        self.check_free()?;
        let index = self.descriptions.iter().position(Option::is_none).unwrap_or(self.descriptions.len());
        if index == self.descriptions.len() {
            self.descriptions.push(None);
        }
        self.descriptions[index] = Some(description);
        let descriptor = self.lowest_free(0);
        self.assign(descriptor, index);
        Ok(descriptor as i32)
    }

    fn assign(&mut self, descriptor: usize, index: usize) {
        if self.descriptors.len() <= descriptor {
            self.descriptors.resize(descriptor + 1, None);
        }
        self.descriptors[descriptor] = Some(Slot { description: index, close_on_exec: false });
        if let Some(description) = &mut self.descriptions[index] {
            description.references += 1;
        }
    }

    /// Gives the description of a descriptor the lowest free one from `least` on, too.
    pub fn duplicate(&mut self, descriptor: i32, least: usize) -> Result<i32, Errno> {
        let index = self.index(descriptor)?;
        if least >= MOST_DESCRIPTORS {
            return Err(Errno::EINVAL);
        }
        let duplicate = self.lowest_free(least);
        if duplicate >= MOST_DESCRIPTORS {
            return Err(Errno::EMFILE);
        }
        self.assign(duplicate, index);
        Ok(duplicate as i32)
    }

    /// Makes `to` mean what `descriptor` does. Returns what `to` was the last descriptor of.
    pub fn duplicate_to(&mut self, descriptor: i32, to: i32) -> Result<Option<Object>, Errno> {
        let index = self.index(descriptor)?;
        let slot = usize::try_from(to).ok().filter(|&to| to < MOST_DESCRIPTORS).ok_or(Errno::EBADF)?;
        if descriptor == to {
            return Ok(None);
        }
        let closed = if self.index(to).is_ok() { self.close(to)? } else { None };
        self.assign(slot, index);
        Ok(closed)
    }

    /// Closes a descriptor. Returns what it was the last descriptor of.
    pub fn close(&mut self, descriptor: i32) -> Result<Option<Object>, Errno> {
        let index = self.index(descriptor)?;
        // `index` has shown that the descriptor is in the table.
        self.descriptors[descriptor as usize] = None;
        let description = self.descriptions[index].as_mut().ok_or(Errno::EBADF)?;
        description.references -= 1;
        if description.references > 0 {
            return Ok(None);
        }
        let object = description.object;
        self.descriptions[index] = None;
        Ok(Some(object))
    }

    /// Whether some descriptor has the inode open.
    pub fn has_open(&self, id: InodeId) -> bool {
        self.descriptions.iter().flatten().any(|description| description.object == Object::Inode(id))
    }
}
