//! The table of descriptors and the open file descriptions that they share. What reading and writing one does is in `streams`.

use super::Errno;
use super::host::Standard;
use super::inode::InodeId;
use super::open::OpenFlags;

/// As on Linux by default.
const MOST_DESCRIPTORS: usize = 1024;

#[derive(Clone, Hash)]
pub(super) struct DescriptorTable {
    /// For each descriptor the index of its description.
    descriptors: Vec<Option<usize>>,
    descriptions: Vec<Option<Description>>,
}

/// An open file description: what descriptors made by `dup` have in common.
#[derive(Clone, Debug, Hash)]
pub(super) struct Description {
    pub object: Object,
    pub offset: i64,
    pub read: bool,
    pub write: bool,
    pub append: bool,
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
        Description { object, offset: 0, read: flags.read, write: flags.write, append: flags.append, references: 0 }
    }

    /// A standard stream as it is at the start of the program.
    pub fn standard(stream: Standard, offset: i64) -> Description {
        let read = stream == Standard::Input;
        Description { object: Object::Standard(stream), offset, read, write: !read, append: false, references: 0 }
    }
}

impl DescriptorTable {
    pub fn new() -> DescriptorTable {
        DescriptorTable { descriptors: Vec::new(), descriptions: Vec::new() }
    }

    fn index(&self, descriptor: i32) -> Result<usize, Errno> {
        let slot = usize::try_from(descriptor).ok().and_then(|slot| self.descriptors.get(slot));
        slot.copied().flatten().ok_or(Errno::EBADF)
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
        if self.lowest_free() < MOST_DESCRIPTORS { Ok(()) } else { Err(Errno::EMFILE) }
    }

    fn lowest_free(&self) -> usize {
        self.descriptors.iter().position(Option::is_none).unwrap_or(self.descriptors.len())
    }

    /// Gives a description the lowest free descriptor.
    pub fn open(&mut self, description: Description) -> Result<i32, Errno> {
        self.check_free()?;
        let index = self.descriptions.iter().position(Option::is_none).unwrap_or(self.descriptions.len());
        if index == self.descriptions.len() {
            self.descriptions.push(None);
        }
        self.descriptions[index] = Some(description);
        let descriptor = self.lowest_free();
        self.assign(descriptor, index);
        Ok(descriptor as i32)
    }

    fn assign(&mut self, descriptor: usize, index: usize) {
        if self.descriptors.len() <= descriptor {
            self.descriptors.resize(descriptor + 1, None);
        }
        self.descriptors[descriptor] = Some(index);
        if let Some(description) = &mut self.descriptions[index] {
            description.references += 1;
        }
    }

    pub fn duplicate(&mut self, descriptor: i32) -> Result<i32, Errno> {
        let index = self.index(descriptor)?;
        self.check_free()?;
        let duplicate = self.lowest_free();
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
