//! Where paths without states are kept: a log of records in a file, one for each path that is put there and a note for each that is gone. Up to
//! any length at which it was flushed, the log is consistent, so a search that is killed goes on from there (`checkpoint.rs`).
//!
//! The file is rewritten without what is gone when that is more than half of it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::path::packing::pack_number;

/// Where the bytes of a path are in the log: never at its beginning, where a tag stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Record {
    offset: NonZeroU64,
    length: u32,
}

/// What others need in order to read a log: its file's name, and how much of it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    pub name: String,
    pub length: u64,
}

/// Where the file goes.
#[derive(Clone, Debug)]
pub enum Place {
    /// Nowhere: there is no log.
    None,
    /// Into a folder, without a name: it goes away with the process.
    Hidden(PathBuf),
    /// Into a folder, to stay: the number of the worker, and of the first file that it may write.
    Named { folder: PathBuf, worker: usize, number: u32 },
}

pub struct Journal {
    place: Place,
    file: Option<File>,
    /// What was not written to the file yet; it begins where the file ends.
    buffer: Vec<u8>,
    written: u64,
    /// Bytes of records that stand.
    live: u64,
    /// Files that this one replaced.
    replaced: Vec<PathBuf>,
}

const PUT: u8 = 1;
const GONE: u8 = 2;
const BUFFER: usize = 1 << 16;
/// What a record takes beside its bytes, at least; and what a file may have of things that are gone, however little stands.
const OVERHEAD: u64 = 2;
const WORTH_REWRITING: u64 = 16 << 20;
/// What the names of such files begin with.
pub const NAME: &str = "frontier";

impl Journal {
    pub fn new(place: Place) -> Journal {
        Journal { place, file: None, buffer: Vec::new(), written: 0, live: 0, replaced: Vec::new() }
    }

    /// Whether paths can be written here.
    pub fn is_open(&self) -> bool {
        !matches!(self.place, Place::None)
    }

    /// Whether the file stays when the process ends.
    pub fn stays(&self) -> bool {
        matches!(self.place, Place::Named { .. })
    }

    fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Writes a path down; `None` if there is no place for it, as on a full disk.
    pub fn put(&mut self, bytes: &[u8]) -> Option<Record> {
        if !self.is_open() {
            return None;
        }
        if self.file.is_none() || self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        self.buffer.push(PUT);
        pack_number(&mut self.buffer, bytes.len() as u64);
        let record = Record { offset: NonZeroU64::new(self.end())?, length: u32::try_from(bytes.len()).ok()? };
        self.buffer.extend_from_slice(bytes);
        self.live += u64::from(record.length) + OVERHEAD;
        Some(record)
    }

    /// A path is not there any more.
    pub fn remove(&mut self, record: Record) {
        self.buffer.push(GONE);
        pack_number(&mut self.buffer, record.offset.get());
        self.live -= u64::from(record.length) + OVERHEAD;
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    pub fn read(&self, record: Record) -> Vec<u8> {
        let (offset, length) = (record.offset.get(), record.length as usize);
        if offset >= self.written {
            let start = (offset - self.written) as usize;
            return self.buffer[start..start + length].to_vec();
        }
        let mut bytes = vec![0; length];
        let file = self.file.as_ref().expect("what is not in the buffer was written to the file");
        if let Err(error) = file.read_exact_at(&mut bytes, offset) {
            // The worker breaks down with this sentence: going on would lose the path.
            panic!("a path that was put aside cannot be read back: {error}");
        }
        bytes
    }

    /// Writes the buffer to the file; where that fails, nothing more is written from then on, and what is in the buffer stays there.
    pub fn flush(&mut self) -> Option<()> {
        if self.file.is_none() {
            match self.create() {
                Ok(file) => self.file = Some(file),
                Err(_) => self.place = Place::None,
            }
        }
        if !self.is_open() {
            return None;
        }
        let file = self.file.as_ref()?;
        if file.write_all_at(&self.buffer, self.written).is_err() {
            self.place = Place::None;
            return None;
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Some(())
    }

    /// What was written so far, for those who go on from here; `None` if it would be lost with the process.
    pub fn log(&mut self) -> Option<Log> {
        self.flush()?;
        match &self.place {
            Place::Named { worker, number, .. } => {
                Some(Log { name: file_name(*worker, *number), length: self.written })
            }
            Place::None | Place::Hidden(_) => None,
        }
    }

    fn create(&self) -> io::Result<File> {
        let (path, hides) = match &self.place {
            Place::None => return Err(io::ErrorKind::NotFound.into()),
            Place::Hidden(folder) => (folder.join(format!(".aside-{}-{:p}", std::process::id(), self)), true),
            Place::Named { folder, worker, number } => (folder.join(file_name(*worker, *number)), false),
        };
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path)?;
        if hides {
            fs::remove_file(&path)?;
        }
        Ok(file)
    }

    /// Whether most of the file is gone.
    pub fn is_worth_rewriting(&self) -> bool {
        self.is_open() && self.end() > 2 * self.live + WORTH_REWRITING
    }

    /// Writes what stands to a new file; `records` are all that stand, and are moved. Nothing changes if somebody wants to stop meanwhile, or
    /// if it fails.
    pub fn rewrite(&mut self, records: &mut [&mut Record], stop: &mut dyn FnMut() -> bool) {
        let old = self.place.clone();
        let mut next = Journal::new(match &old {
            Place::Named { folder, worker, number } => {
                Place::Named { folder: folder.clone(), worker: *worker, number: number + 1 }
            }
            other => other.clone(),
        });
        let mut moved = Vec::with_capacity(records.len());
        for record in records.iter() {
            let put = if stop() { None } else { next.put(&self.read(**record)) };
            match put {
                Some(record) => moved.push(record),
                None => return next.give_up(),
            }
        }
        for (record, moved) in records.iter_mut().zip(moved) {
            **record = moved;
        }
        next.replaced = std::mem::take(&mut self.replaced);
        next.replaced.extend(self.path());
        *self = next;
    }

    fn path(&self) -> Option<PathBuf> {
        match &self.place {
            Place::Named { folder, worker, number } if self.file.is_some() => {
                Some(folder.join(file_name(*worker, *number)))
            }
            _ => None,
        }
    }

    fn give_up(self) {
        if let Some(path) = self.path() {
            let _ = fs::remove_file(path);
        }
    }

    /// Files that are not needed once it is known everywhere that this one replaced them.
    pub fn take_replaced(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.replaced)
    }
}

fn file_name(worker: usize, number: u32) -> String {
    format!("{NAME}.{worker}.{number}")
}

/// The worker and the number in the name of a log.
pub fn parse_name(name: &str) -> Option<(usize, u32)> {
    let (worker, number) = name.strip_prefix(NAME)?.strip_prefix('.')?.split_once('.')?;
    Some((worker.parse().ok()?, number.parse().ok()?))
}

/// The paths that stand in a log that somebody else wrote, in the order in which they were written down.
pub fn read_log(path: &Path, length: u64, mut each: impl FnMut(Vec<u8>)) -> io::Result<()> {
    let mut gone = FxHashSet::default();
    scan(path, length, |tag, number, reader, _| match tag {
        GONE => {
            gone.insert(number);
            Ok(())
        }
        _ => skip(reader, number),
    })?;
    scan(path, length, |tag, number, reader, at| {
        if tag == GONE {
            return Ok(());
        }
        if gone.contains(&at) {
            return skip(reader, number);
        }
        let mut bytes = vec![0; usize::try_from(number).map_err(|_| io::ErrorKind::InvalidData)?];
        reader.read_exact(&mut bytes)?;
        each(bytes);
        Ok(())
    })
}

type Reader = Counted<io::Take<BufReader<File>>>;

/// Calls for each entry of a log with its tag, its number, what follows it, and where that begins.
fn scan(path: &Path, length: u64, mut each: impl FnMut(u8, u64, &mut Reader, u64) -> io::Result<()>) -> io::Result<()> {
    let file = File::open(path)?;
    if file.metadata()?.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut reader = Counted { reader: BufReader::with_capacity(BUFFER, file).take(length), at: 0 };
    while reader.at < length {
        let tag = reader.byte()?;
        let number = reader.number()?;
        let at = reader.at;
        match tag {
            PUT | GONE if number <= length => each(tag, number, &mut reader, at)?,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    Ok(())
}

fn skip(reader: &mut Reader, bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut reader.by_ref().take(bytes), &mut io::sink())?;
    if skipped == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Knows how far it read.
struct Counted<R> {
    reader: R,
    at: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(out)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl<R: Read> Counted<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn bytes(number: u32) -> Vec<u8> {
        number.to_le_bytes().repeat(5 + number as usize % 60)
    }

    fn standing(folder: &Path, log: &Log) -> Vec<Vec<u8>> {
        let mut read = Vec::new();
        read_log(&folder.join(&log.name), log.length, |bytes| read.push(bytes)).unwrap();
        read
    }

    #[test]
    fn paths_come_back_and_each_length_is_consistent() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Named { folder: folder.path().to_owned(), worker: 2, number: 5 };
        let mut journal = Journal::new(place);
        let mut records: Vec<(u32, Record)> = Vec::new();
        let mut logs: Vec<(Log, Vec<Vec<u8>>)> = Vec::new();
        for number in 0..20_000 {
            records.push((number, journal.put(&bytes(number)).unwrap()));
            if number % 3 == 0 {
                let (gone, record) = records.swap_remove(number as usize / 7 % records.len());
                assert_eq!(journal.read(record), bytes(gone));
                journal.remove(record);
            }
            if number % 5000 == 1 {
                let mut now: Vec<Vec<u8>> = records.iter().map(|(number, _)| bytes(*number)).collect();
                now.sort();
                logs.push((journal.log().unwrap(), now));
            }
        }
        for (log, expected) in &logs {
            let mut read = standing(folder.path(), log);
            read.sort();
            assert_eq!(read, *expected);
            assert_eq!(parse_name(&log.name), Some((2, 5)));
        }
        records.iter().for_each(|(number, record)| assert_eq!(journal.read(*record), bytes(*number)));
    }

    #[test]
    fn a_log_is_rewritten_without_what_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Named { folder: folder.path().to_owned(), worker: 0, number: 0 };
        let mut journal = Journal::new(place);
        let mut records: Vec<Record> = (0..1000).map(|number| journal.put(&bytes(number)).unwrap()).collect();
        records.drain(..900).for_each(|record| journal.remove(record));
        let before = journal.log().unwrap();
        journal.rewrite(&mut records.iter_mut().collect::<Vec<_>>(), &mut || true);
        assert_eq!(journal.log().unwrap(), before);
        journal.rewrite(&mut records.iter_mut().collect::<Vec<_>>(), &mut || false);
        let after = journal.log().unwrap();
        assert!(after.length * 5 < before.length && after.name != before.name);
        assert_eq!(standing(folder.path(), &after), (900..1000).map(bytes).collect::<Vec<_>>());
        assert_eq!(standing(folder.path(), &before), (900..1000).map(bytes).collect::<Vec<_>>());
        assert_eq!(journal.take_replaced(), [folder.path().join(before.name)]);
    }

    #[test]
    fn a_damaged_log_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for damaged in [&[PUT, 9, 1][..], &[PUT, 2, 1, 1, 7], &[7, 0], &[GONE, 0x80], &[PUT]] {
            fs::write(&path, damaged).unwrap();
            assert!(read_log(&path, damaged.len() as u64, |_| ()).is_err(), "{damaged:?}");
        }
        assert!(read_log(&path, 100, |_| ()).is_err());
    }

    #[test]
    fn without_a_place_nothing_is_written() {
        for place in [Place::None, Place::Hidden(PathBuf::from("/nonexistent"))] {
            assert_eq!(Journal::new(place).put(b"path"), None);
        }
        let mut hidden = Journal::new(Place::Hidden(std::env::temp_dir()));
        let record = hidden.put(b"path").unwrap();
        hidden.flush().unwrap();
        assert_eq!((hidden.read(record), hidden.log()), (b"path".to_vec(), None));
    }
}
