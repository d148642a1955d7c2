//! Where paths without states are kept: packed in memory up to a limit, past it in a file that nobody else sees.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use crate::aside::Aside;
use crate::packing::Unpacker;

/// One path on the shelf.
pub enum Kept {
    Here(Box<[u8]>),
    InFile { offset: u64, length: u32 },
}

pub struct Shelf {
    /// Bytes that may be kept in memory, and where the file for the rest goes. Without a folder all is kept in memory.
    limit: usize,
    folder: Option<PathBuf>,
    held: usize,
    file: Option<File>,
    /// Where the next path in the file goes, and how many are there.
    end: u64,
    in_file: usize,
}

/// What a path on the shelf takes beside its bytes.
const OVERHEAD: usize = 16;

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf::new(usize::MAX, None)
    }
}

impl Shelf {
    pub fn new(limit: usize, folder: Option<PathBuf>) -> Shelf {
        Shelf { limit, folder, held: 0, file: None, end: 0, in_file: 0 }
    }

    /// Bytes in memory.
    pub fn held(&self) -> usize {
        self.held
    }

    pub fn put(&mut self, aside: &Aside) -> Kept {
        let mut bytes = Vec::new();
        aside.pack(&mut bytes);
        if self.held + bytes.len() + OVERHEAD > self.limit
            && let Some(kept) = self.write(&bytes)
        {
            return kept;
        }
        self.held += bytes.len() + OVERHEAD;
        Kept::Here(bytes.into())
    }

    /// A file that cannot be written, on a full disk for example, is given up: what comes next stays in memory.
    fn write(&mut self, bytes: &[u8]) -> Option<Kept> {
        let folder = self.folder.clone()?;
        let written = (|| {
            let file = match self.file.take() {
                Some(file) => file,
                None => hidden_file(&folder)?,
            };
            let done = file.write_all_at(bytes, self.end);
            self.file = Some(file);
            done
        })();
        if written.is_err() {
            self.folder = None;
            return None;
        }
        let kept = Kept::InFile { offset: self.end, length: bytes.len() as u32 };
        self.end += bytes.len() as u64;
        self.in_file += 1;
        Some(kept)
    }

    /// Takes a path off the shelf.
    pub fn take(&mut self, kept: Kept) -> Aside {
        let bytes = match kept {
            Kept::Here(bytes) => {
                self.held -= bytes.len() + OVERHEAD;
                bytes
            }
            Kept::InFile { offset, length } => self.read(offset, length),
        };
        Aside::unpack(&mut Unpacker::new(&bytes)).expect("the bytes are those that were packed")
    }

    fn read(&mut self, offset: u64, length: u32) -> Box<[u8]> {
        let mut bytes = vec![0; length as usize];
        let file = self.file.as_ref().expect("what is in the file was written to it");
        if let Err(error) = file.read_exact_at(&mut bytes, offset) {
            // The worker breaks down with this sentence: going on would lose the path.
            panic!("a path that was put aside cannot be read back: {error}");
        }
        self.in_file -= 1;
        if self.in_file == 0 {
            self.end = 0;
        }
        bytes.into()
    }
}

/// A file without a name: the system removes it when the process ends, however it ends.
fn hidden_file(folder: &std::path::Path) -> io::Result<File> {
    let unused = (0..u32::MAX).map(|number| folder.join(format!(".aside-{}-{number}", std::process::id())));
    for path in unused {
        match File::options().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn path(number: u32) -> Aside {
        Aside { decisions: number.to_le_bytes().repeat(5), model: Vec::new(), depth: number }
    }

    #[test]
    fn what_does_not_fit_goes_to_a_file_and_comes_back() {
        let folder = std::env::temp_dir();
        let mut shelf = Shelf::new(1000, Some(folder));
        for round in 0..3 {
            let mut kept: Vec<(u32, Kept)> = (0..500).map(|at| (at, shelf.put(&path(at + round)))).collect();
            assert!(shelf.held() <= 1000);
            assert!(kept.iter().filter(|(_, kept)| matches!(kept, Kept::InFile { .. })).count() > 450);
            kept.reverse();
            for (at, kept) in kept {
                assert_eq!(shelf.take(kept), path(at + round));
            }
            assert_eq!((shelf.held(), shelf.in_file, shelf.end), (0, 0, 0));
        }
    }

    #[test]
    fn without_a_place_for_a_file_nothing_is_lost() {
        for folder in [None, Some(PathBuf::from("/nonexistent"))] {
            let mut shelf = Shelf::new(100, folder);
            let kept: Vec<Kept> = (0..100).map(|at| shelf.put(&path(at))).collect();
            for (at, kept) in kept.into_iter().enumerate() {
                assert_eq!(shelf.take(kept), path(at as u32));
            }
        }
    }
}
