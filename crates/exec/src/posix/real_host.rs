//! The host as it is: this machine's files and the streams that it is given. Reads files, never writes one.

use super::host::{Credentials, Host, Standard, Stat, View};
use super::{Errno, credentials};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;
use std::rc::Rc;

/// The largest file that is read into memory.
const LARGEST_FILE: u64 = 1 << 31;

/// The files of this machine, and three open files as standard streams. Nothing is buffered: the C runtime does that.
pub struct RealHost {
    input: File,
    output: File,
    error: File,
    /// Where the next bytes of standard input are, if it is a regular file.
    next_input: Option<u64>,
    current_directory: Vec<u8>,
    view: View,
    /// As whom this process runs.
    own: Credentials,
}

impl RealHost {
    /// Streams are passed as owned duplicates of the real ones (`io::stdin().as_fd().try_clone_to_owned()?.into()`), the
    /// current directory as an absolute path.
    pub fn new(input: File, output: File, error: File, current_directory: Vec<u8>) -> RealHost {
        let next_input = input.metadata().is_ok_and(|metadata| metadata.is_file()).then_some(0);
        let (view, own) = (View::default(), credentials::effective());
        RealHost { input, output, error, next_input, current_directory, view, own }
    }

    /// Shows less of the machine, or makes parts of it read-only.
    pub fn with_view(self, view: View) -> RealHost {
        RealHost { view, ..self }
    }

    fn stream(&mut self, stream: Standard) -> &mut File {
        match stream {
            Standard::Input => &mut self.input,
            Standard::Output => &mut self.output,
            Standard::Error => &mut self.error,
        }
    }

    fn write(&mut self, stream: Standard, bytes: &[u8]) -> Result<usize, Errno> {
        retry(|| self.stream(stream).write(bytes))
    }
}

impl Host for RealHost {
    fn read_standard_input(&mut self, buffer: &mut [u8]) -> Result<usize, Errno> {
        match self.next_input {
            Some(offset) => {
                let count = retry(|| self.input.read_at(buffer, offset))?;
                self.next_input = Some(offset + count as u64);
                Ok(count)
            }
            None => retry(|| self.input.read(buffer)),
        }
    }

    fn standard_input_offset(&mut self) -> u64 {
        self.input.stream_position().unwrap_or(0)
    }

    fn write_standard_output(&mut self, bytes: &[u8]) -> Result<usize, Errno> {
        self.write(Standard::Output, bytes)
    }

    fn write_standard_error(&mut self, bytes: &[u8]) -> Result<usize, Errno> {
        self.write(Standard::Error, bytes)
    }

    fn seek_standard(&mut self, stream: Standard, offset: i64, whence: i32) -> Result<i64, Errno> {
        let target = match whence {
            libc::SEEK_SET => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::EINVAL)?),
            libc::SEEK_CUR => SeekFrom::Current(offset),
            libc::SEEK_END => SeekFrom::End(offset),
            _ => return Err(Errno::EINVAL),
        };
        Ok(self.stream(stream).seek(target)? as i64)
    }

    fn is_terminal(&mut self, stream: Standard) -> bool {
        self.stream(stream).is_terminal()
    }

    fn standard_metadata(&mut self, stream: Standard) -> Result<Stat, Errno> {
        let metadata = self.stream(stream).metadata()?;
        Ok(self.view.shown(stat(&metadata), &self.own))
    }

    fn read_file(&mut self, path: &[u8]) -> Result<Rc<[u8]>, Errno> {
        let file = File::open(as_path(path))?;
        let size = file.metadata()?.len();
        let mut bytes = Vec::new();
        bytes.try_reserve(usize::try_from(size.min(LARGEST_FILE)).unwrap_or(0)).map_err(|_| Errno::ENOMEM)?;
        // Files in /proc say a size of 0, and others may grow while they are read.
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_FILE { Err(Errno::EFBIG) } else { Ok(bytes.into()) }
    }

    fn metadata(&mut self, path: &[u8]) -> Result<Stat, Errno> {
        Ok(self.view.shown(stat(&fs::symlink_metadata(as_path(path))?), &self.own))
    }

    fn read_link(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        Ok(fs::read_link(as_path(path))?.into_os_string().into_vec())
    }

    fn list_directory(&mut self, path: &[u8]) -> Result<Vec<(Vec<u8>, u8)>, Errno> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(as_path(path))? {
            let entry = entry?;
            entries.push((entry.file_name().into_vec(), entry_type(entry.file_type()?)));
        }
        Ok(entries)
    }

    fn current_directory(&mut self) -> Result<Vec<u8>, Errno> {
        Ok(self.view.start.clone().unwrap_or_else(|| self.current_directory.clone()))
    }

    fn credentials(&mut self) -> Credentials {
        self.view.credentials(credentials::effective())
    }

    fn view(&self) -> View {
        self.view.clone()
    }
}

fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// Repeats a call that a signal interrupted before it did anything.
fn retry(mut call: impl FnMut() -> io::Result<usize>) -> Result<usize, Errno> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return Ok(result?),
        }
    }
}

fn stat(metadata: &Metadata) -> Stat {
    Stat {
        device: metadata.dev(),
        inode: metadata.ino(),
        mode: metadata.mode().into(),
        links: metadata.nlink(),
        user: metadata.uid().into(),
        group: metadata.gid().into(),
        rdevice: metadata.rdev(),
        size: metadata.size() as i64,
        block_size: metadata.blksize() as i64,
        blocks: metadata.blocks() as i64,
        access_seconds: metadata.atime(),
        access_nanoseconds: metadata.atime_nsec(),
        modify_seconds: metadata.mtime(),
        modify_nanoseconds: metadata.mtime_nsec(),
        change_seconds: metadata.ctime(),
        change_nanoseconds: metadata.ctime_nsec(),
    }
}

fn entry_type(kind: fs::FileType) -> u8 {
    if kind.is_file() {
        libc::DT_REG
    } else if kind.is_dir() {
        libc::DT_DIR
    } else if kind.is_symlink() {
        libc::DT_LNK
    } else if kind.is_fifo() {
        libc::DT_FIFO
    } else if kind.is_socket() {
        libc::DT_SOCK
    } else if kind.is_block_device() {
        libc::DT_BLK
    } else if kind.is_char_device() {
        libc::DT_CHR
    } else {
        libc::DT_UNKNOWN
    }
}
