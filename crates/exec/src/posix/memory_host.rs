//! A host in memory, for tests: a few files, scripted input, recorded output.

use super::host::{KIND_DIRECTORY, KIND_FIFO, KIND_REGULAR, KIND_SYMLINK};
use super::{Credentials, Errno, Host, Standard, Stat};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

#[derive(Default)]
pub(super) struct MemoryHost {
    files: BTreeMap<Vec<u8>, (u64, Vec<u8>)>,
    /// What each call of `read_standard_input` gives at most; nothing is left at the end.
    pub input: VecDeque<Vec<u8>>,
    pub input_is_file: bool,
    pub input_reads: usize,
    pub file_reads: usize,
    pub output: Vec<u8>,
    pub error: Vec<u8>,
    pub output_closed: bool,
    pub user: u32,
}

impl MemoryHost {
    /// A host with a directory `/home`, where the program starts.
    pub fn new() -> MemoryHost {
        MemoryHost::default().directory("/").directory("/home")
    }

    pub fn directory(self, path: &str) -> MemoryHost {
        self.entry(path, KIND_DIRECTORY | 0o755, b"")
    }

    pub fn file(self, path: &str, content: &[u8]) -> MemoryHost {
        self.entry(path, KIND_REGULAR | 0o644, content)
    }

    pub fn symlink(self, path: &str, target: &str) -> MemoryHost {
        self.entry(path, KIND_SYMLINK | 0o777, target.as_bytes())
    }

    pub fn fifo(self, path: &str) -> MemoryHost {
        self.entry(path, KIND_FIFO | 0o644, b"")
    }

    pub fn entry(mut self, path: &str, mode: u64, content: &[u8]) -> MemoryHost {
        self.files.insert(path.as_bytes().to_vec(), (mode, content.to_vec()));
        self
    }

    pub fn input(mut self, chunks: &[&str]) -> MemoryHost {
        self.input = chunks.iter().map(|chunk| chunk.as_bytes().to_vec()).collect();
        self
    }

    fn find(&self, path: &[u8]) -> Result<&(u64, Vec<u8>), Errno> {
        self.files.get(path).ok_or(Errno::ENOENT)
    }
}

impl Host for MemoryHost {
    fn read_standard_input(&mut self, buffer: &mut [u8]) -> Result<usize, Errno> {
        self.input_reads += 1;
        let Some(mut chunk) = self.input.pop_front() else { return Ok(0) };
        let count = chunk.len().min(buffer.len());
        buffer[..count].copy_from_slice(&chunk[..count]);
        chunk.drain(..count);
        if !chunk.is_empty() {
            self.input.push_front(chunk);
        }
        Ok(count)
    }

    fn write_standard_output(&mut self, bytes: &[u8]) -> Result<usize, Errno> {
        if self.output_closed {
            return Err(Errno::EPIPE);
        }
        self.output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn write_standard_error(&mut self, bytes: &[u8]) -> Result<usize, Errno> {
        self.error.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn is_terminal(&mut self, stream: Standard) -> bool {
        stream == Standard::Error
    }

    fn standard_metadata(&mut self, stream: Standard) -> Result<Stat, Errno> {
        let is_file = stream == Standard::Input && self.input_is_file;
        let size = if is_file { self.input.iter().map(Vec::len).sum::<usize>() as i64 } else { 0 };
        Ok(Stat { mode: if is_file { KIND_REGULAR } else { KIND_FIFO }, size, ..Stat::default() })
    }

    fn read_file(&mut self, path: &[u8]) -> Result<Rc<[u8]>, Errno> {
        self.file_reads += 1;
        Ok(self.find(path)?.1.as_slice().into())
    }

    fn metadata(&mut self, path: &[u8]) -> Result<Stat, Errno> {
        let (mode, content) = self.find(path)?;
        Ok(Stat { device: 1, mode: *mode, links: 1, size: content.len() as i64, ..Stat::default() })
    }

    fn read_link(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        Ok(self.find(path)?.1.clone())
    }

    fn list_directory(&mut self, path: &[u8]) -> Result<Vec<(Vec<u8>, u8)>, Errno> {
        let prefix = if path == b"/" { b"/".to_vec() } else { [path, b"/"].concat() };
        let below = self.files.iter().filter_map(|(path, (mode, _))| Some((path.strip_prefix(&*prefix)?, mode)));
        let here = below.filter(|(name, _)| !name.is_empty() && !name.contains(&b'/'));
        Ok(here.map(|(name, mode)| (name.to_vec(), (mode >> 12) as u8)).collect())
    }

    fn current_directory(&mut self) -> Result<Vec<u8>, Errno> {
        Ok(b"/home".to_vec())
    }

    fn credentials(&mut self) -> Credentials {
        Credentials { user: self.user, group: self.user, supplementary_groups: Vec::new() }
    }
}
