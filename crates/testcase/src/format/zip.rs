//! The zip files in which the suites of Test-Comp are handed around: stored and deflated members are read, nothing is
//! written.

use std::path::Path;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::error::Error;

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
const MEMBER: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";
/// No test is as large; a few bytes may claim to unpack to anything.
const MOST: usize = 64 << 20;

pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || bytes.starts_with(END)
}

/// A file inside of a zip file.
pub struct Member {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The members in the order of the directory; folders are left out. `path` is for the words of an error.
pub fn members(bytes: &[u8], path: &Path) -> Result<Vec<Member>, Error> {
    let reader = Reader { bytes, path };
    // Only a comment, which few files have, may follow the end of the directory.
    let end = (0..=bytes.len().saturating_sub(END.len())).rev().find(|&at| bytes[at..].starts_with(END));
    let end = end.ok_or_else(|| reader.bad(0, "it has no directory, as if its end were missing"))?;
    reader.slice(end, END_SIZE)?;
    let count = reader.u16(end + 10)?;
    let mut at = reader.u32(end + 16)?;
    let mut members = Vec::new();
    for _ in 0..count {
        reader.expect(at, MEMBER, "an entry of the directory")?;
        let name_length = reader.u16(at + 28)?;
        let name = String::from_utf8_lossy(reader.slice(at + 46, name_length)?).into_owned();
        if !name.ends_with('/') {
            members.push(Member { bytes: reader.unpacked(at, &name)?, name });
        }
        at += 46 + name_length + reader.u16(at + 30)? + reader.u16(at + 32)?;
    }
    Ok(members)
}

struct Reader<'a> {
    bytes: &'a [u8],
    path: &'a Path,
}

impl<'a> Reader<'a> {
    fn bad(&self, offset: usize, reason: &str) -> Error {
        Error::BadBytes { path: self.path.to_owned(), offset, reason: reason.to_owned() }
    }

    fn slice(&self, at: usize, count: usize) -> Result<&'a [u8], Error> {
        let part = at.checked_add(count).and_then(|end| self.bytes.get(at..end));
        part.ok_or_else(|| self.bad(at, "the zip file ends too early"))
    }

    fn number(&self, at: usize, size: usize) -> Result<usize, Error> {
        Ok(self.slice(at, size)?.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn u16(&self, at: usize) -> Result<usize, Error> {
        self.number(at, 2)
    }

    fn u32(&self, at: usize) -> Result<usize, Error> {
        self.number(at, 4)
    }

    fn expect(&self, at: usize, mark: &[u8], what: &str) -> Result<(), Error> {
        match self.slice(at, mark.len())? == mark {
            true => Ok(()),
            false => Err(self.bad(at, &format!("{what} of the zip file is expected here"))),
        }
    }

    /// The bytes of the member whose entry of the directory stands here.
    fn unpacked(&self, entry: usize, name: &str) -> Result<Vec<u8>, Error> {
        let (method, size, local) = (self.u16(entry + 10)?, self.u32(entry + 20)?, self.u32(entry + 42)?);
        self.expect(local, LOCAL, "a member")?;
        let start = local + 30 + self.u16(local + 26)? + self.u16(local + 28)?;
        let packed = self.slice(start, size)?;
        match method {
            0 => Ok(packed.to_vec()),
            8 => decompress_to_vec_with_limit(packed, MOST)
                .map_err(|_| self.bad(start, &format!("{name} cannot be unpacked"))),
            _ => Err(self.bad(entry, &format!("{name} is packed by method {method}; stored and deflated can be read"))),
        }
    }
}
