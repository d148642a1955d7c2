//! What a suite in the format of Test-Comp says of itself. All of it is a function of the program and the flags, the time included: two
//! runs with the same seed write the same files.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use symcrete_testcase::format::testcomp::Metadata;

use super::setup::CoverSetup;
use crate::args::ExploreArgs;

pub fn metadata(args: &ExploreArgs, setup: &CoverSetup) -> Metadata {
    let first = args.files.first();
    let contents = first.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let mut program_hash = String::new();
    for byte in Sha256::digest(&contents) {
        let _ = write!(program_hash, "{byte:02x}");
    }
    let changed = first.and_then(|path| path.metadata().ok()).and_then(|known| known.modified().ok());
    Metadata {
        program_file: first.map_or_else(String::new, |path| path.display().to_string()),
        program_hash,
        entry: setup.entry_name().to_owned(),
        architecture: format!("{}bit", setup.program.layout.pointer_bits),
        // The program's own: the clock would make every suite another one.
        created: changed.map_or_else(|| date(0), |changed| date(seconds(changed))),
        ..Metadata::default()
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// As in 2026-01-31T12:00:00Z.
fn date(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let known = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
        ];
        for (seconds, expected) in known {
            assert_eq!(date(seconds), expected);
        }
    }
}
