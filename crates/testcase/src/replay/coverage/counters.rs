//! The files of counters that programs write for gcov (`.gcda`), as far as it takes to tell which of them say the same.
//!
//! LLVM writes a file for each compile unit of a module, and each lists all functions of the module: in linked bitcode there
//! are as many copies as there were sources. Depending on LLVM's version all have the counts, or one has and the others zeros;
//! and of some the checksum is not that of the notes (`.gcno`) beside them, so that nobody can read them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A record with the number of a function, and its checksums.
const FUNCTION: u32 = 0x0100_0000;
/// A record with the counts of a function's arcs.
const COUNTS: u32 = 0x01A1_0000;
/// Words before the first record: what it is, a version, a stamp.
const HEAD: usize = 3;

/// What one file is about: its records without the counts.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Layout(Vec<u32>);

/// Of the files of one module, those that say something that no other says.
pub fn without_copies(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    let mut best: BTreeMap<(PathBuf, Layout), ((bool, u64), PathBuf)> = BTreeMap::new();
    for file in files {
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        let bytes = fs::read(&file).unwrap_or_default();
        let Some((layout, total)) = read(&bytes) else {
            kept.push(file);
            continue;
        };
        let worth = (fits_notes(&file, &bytes), total);
        let entry = best.entry((folder, layout)).or_insert_with(|| (worth, file.clone()));
        if worth > entry.0 {
            *entry = (worth, file);
        }
    }
    kept.extend(best.into_values().map(|(_, file)| file));
    kept.sort();
    kept
}

/// Whether the checksum is that of the notes.
fn fits_notes(file: &Path, bytes: &[u8]) -> bool {
    let mut head = [0; 4 * HEAD];
    let read = fs::File::open(file.with_extension("gcno")).and_then(|mut notes| notes.read_exact(&mut head));
    read.is_ok() && bytes.get(8..12) == Some(&head[8..12])
}

/// `None` if this is no such file, or not in the form that LLVM writes.
fn read(bytes: &[u8]) -> Option<(Layout, u64)> {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
    let (mut layout, mut total, mut at) = (Vec::new(), 0u64, HEAD);
    while let Some(tag) = words.get(at).filter(|tag| **tag != 0) {
        let length = *words.get(at + 1)? as usize;
        let record = words.get(at + 2..at.checked_add(2)?.checked_add(length)?)?;
        layout.extend([*tag, length as u32]);
        match *tag {
            COUNTS => {
                let counts = record.chunks_exact(2).map(|half| u64::from(half[0]) | u64::from(half[1]) << 32);
                total = counts.fold(total, u64::saturating_add);
            }
            // Checksums follow, in which LLVM leaves what was in memory.
            FUNCTION => layout.extend(record.first()),
            _ => {}
        }
        at += 2 + length;
    }
    Some((Layout(layout), total))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str, function: u32, counts: [u32; 4]) -> PathBuf {
        let head = [0x6764_6361, 0x3430_382A, 7];
        let records = [0x0100_0000, 2, function, 9, COUNTS, 4].into_iter().chain(counts).chain([0, 0]);
        let bytes: Vec<u8> = head.into_iter().chain(records).flat_map(u32::to_le_bytes).collect();
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        path
    }

    #[test]
    fn copies_count_once() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let here = folder.path();
        let empty = file(here, "a.gcda", 1, [0; 4]);
        let full = file(here, "b.gcda", 1, [3, 0, 1, 0]);
        let copy = file(here, "c.gcda", 1, [3, 0, 1, 0]);
        let other = file(here, "d.gcda", 2, [0; 4]);
        let odd = here.join("e.gcda");
        fs::write(&odd, [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 255, 255, 255, 255])
            .expect("a temporary file");
        let all = vec![empty, full.clone(), copy.clone(), other.clone(), odd.clone()];
        assert_eq!(without_copies(all.clone()), [&full, &other, &odd].map(Clone::clone));
        // The only one that fits its notes.
        let notes: Vec<u8> = [0x6763_6E6F, 0x3430_382A, 7].into_iter().flat_map(u32::to_le_bytes).collect();
        fs::write(copy.with_extension("gcno"), notes).expect("a temporary file");
        assert_eq!(without_copies(all), [copy, other, odd]);
    }
}
