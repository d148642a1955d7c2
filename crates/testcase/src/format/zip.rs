//! The zip files in which the suites of Test-Comp are distributed. They are read, never written.

use std::io::{Cursor, Read as _};
use std::path::Path;

use zip::ZipArchive;

use crate::error::Error;

/// No test is as large; a few bytes may claim to unpack to anything.
const MOST: u64 = 64 << 20;

pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// A file inside of a zip file.
pub struct Member {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The members in the order of the directory; folders are left out. `path` is for the words of an error.
pub fn members(bytes: &[u8], path: &Path) -> Result<Vec<Member>, Error> {
    let bad = |reason: String| Error::BadBytes { path: path.to_owned(), offset: 0, reason };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| bad(error.to_string()))?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(|error| bad(error.to_string()))?;
        if file.is_dir() {
            continue;
        }
        let name = file.name().map_err(|error| bad(error.to_string()))?.into_owned();
        let mut bytes = Vec::new();
        file.take(MOST + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| bad(format!("{name} cannot be unpacked: {error}")))?;
        if bytes.len() as u64 > MOST {
            return Err(bad(format!("{name} is larger than {} MiB", MOST >> 20)));
        }
        members.push(Member { name, bytes });
    }
    Ok(members)
}
