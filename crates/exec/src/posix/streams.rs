//! Reading, writing and seeking through descriptors: files, standard streams and devices.

use super::descriptors::{Description, Object};
use super::host::Standard;
use super::inode::{Device, InodeId, Node};
use super::parts::Part;
use super::{Data, Errno, Host, Posix};

/// The most that Linux transfers in one call.
const LARGEST_TRANSFER: usize = 0x7fff_f000;
/// Larger files do not fit into the overlay, which is in memory; to the program it looks as if the file system were small.
const LARGEST_FILE: i64 = 1 << 30;

const SEEK_DATA: i32 = 3;
const SEEK_HOLE: i32 = 4;

impl Posix {
    /// Reads up to `count` bytes; none at the end of the file. May wait for standard input.
    ///
    /// The result can be as large as `count`: check first that the program has such a buffer.
    pub fn read_data(&mut self, host: &mut dyn Host, descriptor: i32, count: usize) -> Result<Data, Errno> {
        let Description { object, offset, read, .. } = *self.descriptors.get(descriptor)?;
        if !read {
            return Err(Errno::EBADF);
        }
        let count = count.min(LARGEST_TRANSFER);
        let bytes = match object {
            Object::Standard(Standard::Input) if self.input_is_file => {
                self.standard_input.read(host, offset as usize, count, true)?
            }
            Object::Standard(Standard::Input) => {
                let bytes = self.standard_input.read(host, self.input_position, count, false)?;
                self.input_position += bytes.len();
                return Ok(Data { bytes, parts: Vec::new() });
            }
            Object::Standard(_) => return Err(Errno::EBADF),
            Object::Inode(id) => match self.files.inode(id).node {
                Node::Directory(_) => return Err(Errno::EISDIR),
                Node::Device(device) => {
                    return Ok(Data { bytes: self.read_device(device, count), parts: Vec::new() });
                }
                _ => {
                    self.load(host, id)?;
                    let rest = self.files.inode(id).bytes().get(offset as usize..).unwrap_or_default();
                    rest[..count.min(rest.len())].to_vec()
                }
            },
        };
        if !bytes.is_empty() {
            self.descriptors().get_mut(descriptor)?.offset += bytes.len() as i64;
        }
        let parts = match object {
            Object::Inode(id) => self.files.inode(id).parts.range(offset as usize, bytes.len()),
            Object::Standard(_) => Vec::new(),
        };
        Ok(Data { bytes, parts })
    }

    /// Puts back what the last `read_data` of this many bytes gave.
    pub fn unread(&mut self, descriptor: i32, count: usize) {
        if count == 0 {
            return;
        }
        let Ok(Description { object, .. }) = self.descriptors.get(descriptor) else { return };
        match *object {
            Object::Standard(Standard::Input) if !self.input_is_file => self.input_position -= count,
            Object::Inode(id) if matches!(self.files.inode(id).node, Node::Device(_)) => {}
            _ => {
                if let Ok(description) = self.descriptors().get_mut(descriptor) {
                    description.offset -= count as i64;
                }
            }
        }
    }

    /// Says EBADF where a descriptor cannot be read.
    pub fn check_may_read(&self, descriptor: i32) -> Result<(), Errno> {
        if self.descriptors.get(descriptor)?.read { Ok(()) } else { Err(Errno::EBADF) }
    }

    /// Says EBADF where a descriptor cannot be written to.
    pub fn check_may_write(&self, descriptor: i32) -> Result<(), Errno> {
        if self.descriptors.get(descriptor)?.write { Ok(()) } else { Err(Errno::EBADF) }
    }

    /// What a write comes to of which nobody looks at the bytes, wherever they are.
    pub fn write_unseen(&self, descriptor: i32, count: u64) -> Option<Result<i64, Errno>> {
        let Object::Inode(id) = self.descriptors.get(descriptor).ok()?.object else {
            return (count == 0).then_some(Ok(0));
        };
        match self.files.inode(id).node {
            Node::Device(Device::Full) if count > 0 => Some(Err(Errno::ENOSPC)),
            Node::Device(_) => Some(Ok(count.min(LARGEST_TRANSFER as u64) as i64)),
            _ => (count == 0).then_some(Ok(0)),
        }
    }

    /// What `read_data` gives, of concrete files.
    pub fn read(&mut self, host: &mut dyn Host, descriptor: i32, count: usize) -> Result<Vec<u8>, Errno> {
        Ok(self.read_data(host, descriptor, count)?.bytes)
    }

    fn read_device(&mut self, device: Device, count: usize) -> Vec<u8> {
        match device {
            Device::Null | Device::Terminal => Vec::new(),
            Device::Zero | Device::Full => vec![0; count],
            Device::Random => self.random.next(count),
        }
    }

    /// As `write_data` for concrete bytes.
    pub fn write(&mut self, host: &mut dyn Host, descriptor: i32, bytes: &[u8]) -> Result<i64, Errno> {
        self.write_data(host, descriptor, &Data { bytes: bytes.to_vec(), parts: Vec::new() })
    }

    /// Returns the number of bytes written, which may be fewer than all.
    pub fn write_data(&mut self, host: &mut dyn Host, descriptor: i32, data: &Data) -> Result<i64, Errno> {
        let Description { object, write, .. } = *self.descriptors.get(descriptor)?;
        let bytes = &data.bytes[..];
        if !write || object == Object::Standard(Standard::Input) {
            return Err(Errno::EBADF);
        }
        let bytes = &bytes[..bytes.len().min(LARGEST_TRANSFER)];
        if bytes.is_empty() {
            return Ok(0);
        }
        let written = match object {
            Object::Standard(Standard::Error) => host.write_standard_error(bytes)?,
            Object::Standard(_) => host.write_standard_output(bytes)?,
            Object::Inode(id) => match self.files.inode(id).node {
                Node::Device(Device::Full) => return Err(Errno::ENOSPC),
                Node::Device(_) => bytes.len(),
                _ => self.write_file(host, descriptor, id, bytes, &data.parts)?,
            },
        };
        Ok(written as i64)
    }

    fn write_file(
        &mut self,
        host: &mut dyn Host,
        descriptor: i32,
        id: InodeId,
        bytes: &[u8],
        parts: &[(usize, Part)],
    ) -> Result<usize, Errno> {
        self.load_for_writing(host, id)?;
        let size = self.files.inode(id).bytes().len() as i64;
        let now = self.clock.now();
        let description = self.descriptors().get_mut(descriptor)?;
        let offset = if description.append { size } else { description.offset };
        let room = LARGEST_FILE - offset;
        if room <= 0 {
            return Err(Errno::EFBIG);
        }
        let bytes = &bytes[..bytes.len().min(room as usize)];
        description.offset = offset + bytes.len() as i64;
        self.files().drop_privileges(id);
        let inode = self.files().inode_mut(id);
        inode.change_bytes(|content| {
            let (start, end) = (offset as usize, offset as usize + bytes.len());
            if content.len() < end {
                content.resize(end, 0);
            }
            content[start..end].copy_from_slice(bytes);
        });
        inode.parts.write(offset as usize, bytes.len(), parts);
        inode.stat.set_modified(now);
        Ok(bytes.len())
    }

    /// Loads a file before a part of it is changed. A program may have the right to write what it may not read; its content,
    /// which the program will never see, is then taken to be zeros.
    fn load_for_writing(&mut self, host: &mut dyn Host, id: InodeId) -> Result<(), Errno> {
        match self.load(host, id) {
            Err(Errno::EACCES) => {
                let inode = self.files().inode_mut(id);
                let size = inode.stat.size.clamp(0, LARGEST_FILE) as usize;
                inode.change_bytes(|bytes| bytes.resize(size, 0));
                Ok(())
            }
            result => result,
        }
    }

    /// Returns the new offset.
    pub fn lseek(&mut self, host: &mut dyn Host, descriptor: i32, offset: i64, whence: i32) -> Result<i64, Errno> {
        let description = self.descriptors.get(descriptor)?;
        let (object, current) = (description.object, description.offset);
        if !(libc::SEEK_SET..=SEEK_HOLE).contains(&whence) {
            return Err(Errno::EINVAL);
        }
        let size = match object {
            Object::Standard(Standard::Input) if self.input_is_file => host.standard_metadata(Standard::Input)?.size,
            Object::Standard(Standard::Input) => return Err(Errno::ESPIPE),
            Object::Standard(stream) => return host.seek_standard(stream, offset, whence),
            Object::Inode(id) => match &self.files.inode(id).node {
                // Devices that have no position accept every one.
                Node::Device(_) => return Ok(0),
                _ => self.files.inode(id).stat.size,
            },
        };
        let target = match whence {
            libc::SEEK_SET => Some(offset),
            libc::SEEK_CUR => current.checked_add(offset),
            libc::SEEK_END => size.checked_add(offset),
            // Files are taken to be without holes, but for the one at their end.
            _ if offset < 0 || offset >= size => return Err(Errno::ENXIO),
            SEEK_DATA => Some(offset),
            _ => Some(size),
        };
        let target = target.filter(|&target| target >= 0).ok_or(Errno::EINVAL)?;
        if target != current {
            self.descriptors().get_mut(descriptor)?.offset = target;
        }
        Ok(target)
    }

    pub fn ftruncate(&mut self, host: &mut dyn Host, descriptor: i32, length: i64) -> Result<i64, Errno> {
        if length < 0 {
            return Err(Errno::EINVAL);
        }
        let description = self.descriptors.get(descriptor)?;
        let Object::Inode(id) = description.object else { return Err(Errno::EINVAL) };
        if !description.write || !matches!(self.files.inode(id).node, Node::File(_)) {
            return Err(Errno::EINVAL);
        }
        if length > LARGEST_FILE {
            return Err(Errno::EFBIG);
        }
        if length > 0 {
            self.load_for_writing(host, id)?;
        }
        let now = self.clock.now();
        self.files().truncate(id, length as usize, now);
        Ok(0)
    }
}
