//! The numbers that flags take, and what is said of those that they do not take.

use std::time::Duration;

/// More threads than that are a slip of the finger.
const MOST_THREADS: u64 = 1024;
const MOST_SYMBOLIC: u64 = 1 << 20;
/// Thirty years.
const MOST_SECONDS: f64 = 1e9;
const DURATIONS: &str = "`90`, `10s`, `2m`, `1h30m` or `500ms` (without a unit, seconds)";
/// Units of time in seconds.
const TIME_UNITS: [(&str, f64); 6] =
    [("d", 86_400.0), ("h", 3600.0), ("m", 60.0), ("min", 60.0), ("s", 1.0), ("ms", 0.001)];
const MEBIBYTE: u64 = 1 << 20;
const MEMORY_UNITS: [(&str, u64); 4] = [("K", 1 << 10), ("M", MEBIBYTE), ("G", 1 << 30), ("T", 1 << 40)];

/// Any number of something.
pub fn count<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    whole(text, 0, largest::<T>())
}

/// At least one of something.
pub fn at_least_one<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    whole(text, 1, largest::<T>())
}

pub fn threads(text: &str) -> Result<usize, String> {
    whole(text, 1, MOST_THREADS)
}

/// A number of symbolic bytes, or of arguments or files that are made of them.
pub fn size(text: &str) -> Result<u32, String> {
    whole(text, 0, MOST_SYMBOLIC)
}

/// A duration above 0: `90`, `10s`, `2m`, `1h30m`, `500ms`. A number without a unit is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let duration = parse_duration(text).filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| format!("give a duration above 0, such as {DURATIONS}"))
}

/// A duration, or 0 for no time at all.
pub fn duration_or_zero(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| format!("give a duration, such as {DURATIONS}"))
}

/// An amount of memory in bytes: `512M`, `2G`, `1.5G`. A number without a unit is in MiB, and a whole one.
pub fn memory(text: &str) -> Result<u64, String> {
    let bytes = parse_size(text, MEBIBYTE).filter(|bytes| *bytes > 0);
    bytes
        .ok_or_else(|| "give a size above 0, such as `512M` or `2G` (without a unit, a whole number of MiB)".to_owned())
}

/// A number of bytes: `64`, `4K`.
pub fn bytes(text: &str) -> Result<u64, String> {
    parse_size(text, 1).ok_or_else(|| "give a number of bytes, such as `64` or `4K`".to_owned())
}

/// A number of symbolic bytes.
pub fn symbolic_bytes(text: &str) -> Result<u32, String> {
    let bytes = parse_size(text, 1).filter(|bytes| *bytes <= MOST_SYMBOLIC);
    let bytes = bytes.and_then(|bytes| u32::try_from(bytes).ok());
    bytes.ok_or_else(|| "give a number of bytes up to `1M`, such as `64` or `4K`".to_owned())
}

fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let seconds = match text.parse::<f64>() {
        Ok(seconds) => seconds,
        Err(_) => seconds_of_parts(text)?,
    };
    (0.0..=MOST_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The sum of parts such as those of `1h30m`: each unit at most once, the largest first.
fn seconds_of_parts(text: &str) -> Option<f64> {
    let (mut rest, mut last, mut sum) = (text, f64::INFINITY, 0.0);
    while !rest.is_empty() {
        let (number, behind) = split_number(rest);
        let end = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let unit = TIME_UNITS.iter().find(|(name, _)| *name == &behind[..end])?.1;
        if unit >= last {
            return None;
        }
        sum += number.parse::<f64>().ok()? * unit;
        last = unit;
        rest = behind[end..].trim_start();
    }
    Some(sum)
}

/// `plain` is what a number without a unit counts.
fn parse_size(text: &str, plain: u64) -> Option<u64> {
    let (number, unit) = split_number(text.trim());
    if unit.is_empty() {
        return number.parse::<u64>().ok()?.checked_mul(plain);
    }
    let unit = unit.trim_start().to_ascii_uppercase();
    let letter = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
    let factor = MEMORY_UNITS.iter().find(|(name, _)| *name == letter)?.1;
    let bytes = number.parse::<f64>().ok()? * factor as f64;
    (bytes < u64::MAX as f64).then_some(bytes as u64)
}

/// A number at the beginning of a text, and what stands behind it.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

/// A duration as it can be typed.
pub fn spoken_duration(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds > 0.0 && seconds < 1.0 => format!("{} ms", duration.as_millis()),
        seconds => format!("{seconds:.0} s"),
    }
}

/// The largest number of its type; that of 64 bits stands for all wider ones.
fn largest<T: TryFrom<u64>>() -> u64 {
    let fits = |most: &u64| T::try_from(*most).is_ok();
    [u64::MAX, i64::MAX as u64, u64::from(u32::MAX)].into_iter().find(fits).unwrap_or(u64::from(u16::MAX))
}

fn whole<T: TryFrom<u64>>(text: &str, least: u64, most: u64) -> Result<T, String> {
    let number = text.trim().parse().ok().filter(|number| (least..=most).contains(number));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| match most {
        u64::MAX => format!("give a whole number, {least} or more"),
        _ => format!("give a whole number from {least} to {most}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_bounds() {
        assert_eq!(count::<u32>("0"), Ok(0));
        assert_eq!(count::<u64>(" 7 "), Ok(7));
        assert_eq!(count("4294967295"), Ok(u32::MAX));
        assert_eq!(count::<u32>("4294967296"), Err("give a whole number from 0 to 4294967295".to_owned()));
        assert_eq!(at_least_one::<u64>("0"), Err("give a whole number, 1 or more".to_owned()));
        assert_eq!(threads("1025"), Err("give a whole number from 1 to 1024".to_owned()));
        for text in ["", "-1", "1.5", "many", "99999999999999999999"] {
            assert!(count::<u64>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_numbers_with_units() {
        let millis = |text: &str| duration(text).map(|duration| duration.as_millis());
        let known = [
            ("0.25", 250),
            ("90", 90_000),
            ("10s", 10_000),
            ("2m", 120_000),
            ("2min", 120_000),
            ("1h30m", 5_400_000),
            ("1h 30m", 5_400_000),
            ("1d", 86_400_000),
            ("500ms", 500),
            ("1.5s", 1500),
            (" 1s500ms ", 1500),
        ];
        for (text, expected) in known {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        assert_eq!(duration_or_zero("0"), Ok(Duration::ZERO));
        for text in ["0", "0s", "-1", "-1s", "nan", "inf", "1e300", "soon", "", "5x", "s", "1m1m", "1s1m", "1h30"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_are_counted_one_by_one_without_a_unit() {
        assert_eq!((bytes("0"), bytes("64"), bytes("4K")), (Ok(0), Ok(64), Ok(4096)));
        assert_eq!((symbolic_bytes("16"), symbolic_bytes("1M")), (Ok(16), Ok(1 << 20)));
        assert!(symbolic_bytes("2M").is_err() && bytes("-1").is_err() && bytes("1.5").is_err());
    }

    #[test]
    fn memory_is_counted_in_mebibytes_without_a_unit() {
        let known = [
            ("64", 64 << 20),
            ("512M", 512 << 20),
            ("512MiB", 512 << 20),
            ("512mb", 512 << 20),
            ("2G", 2 << 30),
            ("1.5G", 3 << 29),
            ("16K", 16 << 10),
            ("1T", 1 << 40),
        ];
        for (text, expected) in known {
            assert_eq!(memory(text), Ok(expected), "{text}");
        }
        for text in ["0", "-1", "1.5", "much", "", "M", "5X", "99999999999999999999", "99999999999999999999G"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }
}
