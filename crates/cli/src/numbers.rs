//! The numbers that flags take, and what is said of those that they do not take.

/// More threads than that are a slip of the finger.
const MOST_THREADS: u64 = 1024;
const MOST_SYMBOLIC: u64 = 1 << 20;
/// Thirty years.
const MOST_SECONDS: f64 = 1e9;

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

/// A time in which something can happen.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.trim().parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= MOST_SECONDS);
    seconds.ok_or_else(|| format!("give a number of seconds above 0, and at most {MOST_SECONDS}"))
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
    fn times_are_finite_and_not_over_at_once() {
        assert_eq!(seconds("0.25"), Ok(0.25));
        for text in ["0", "-1", "nan", "inf", "1e300", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
