//! The reports of AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer, in the names that endings have here.

use std::path::Path;

use super::coverage::is_same_file;
use crate::test::Ends;

/// One report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// As in `Ends::kind`; `memory` for an access to an address that nothing explains.
    pub kind: String,
    /// The sanitizer's own words.
    pub words: String,
    /// The places of the stack where it happened, innermost first.
    pub places: Vec<(String, u32)>,
}

impl std::fmt::Display for Report {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.words)?;
        match self.places.first() {
            Some((file, line)) => write!(formatter, " at {file}:{line}"),
            None => Ok(()),
        }
    }
}

/// What AddressSanitizer says where the processor came to no code.
const JUMPS: &[&str] = &["Hint: pc points to the zero page", "Hint: PC is at a non-executable region"];

/// All reports in what the sanitizers wrote, in order.
pub fn parse(text: &str) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    let mut in_first_stack = false;
    for line in text.lines() {
        if let Some((place, words)) = line.split_once(": runtime error: ") {
            let places = place_of(place).into_iter().collect();
            reports.push(Report { kind: undefined_kind(words).to_owned(), words: words.trim().to_owned(), places });
            in_first_stack = false;
        } else if let Some(words) = line.strip_prefix("ubsan: ") {
            let kind = minimal_kind(words).to_owned();
            reports.push(Report { kind, words: words.trim().to_owned(), places: Vec::new() });
            in_first_stack = false;
        } else if let Some(words) = line.split("ERROR: AddressSanitizer: ").nth(1) {
            reports.push(Report { kind: address_kind(words).to_owned(), words: short(words), places: Vec::new() });
            in_first_stack = true;
        } else if line.contains("ERROR: LeakSanitizer: detected") {
            reports.push(Report { kind: "leak".to_owned(), words: "memory leaks".to_owned(), places: Vec::new() });
            in_first_stack = true;
        } else if let (true, Some(report)) = (in_first_stack, reports.last_mut()) {
            let frame = line.trim_start();
            if JUMPS.iter().any(|hint| frame.contains(hint)) {
                // Whoever called is not on the stack, which begins with the caller's caller.
                report.kind = "bad-function-pointer".to_owned();
                in_first_stack = false;
            } else if frame.starts_with('#') {
                report.places.extend(frame.rsplit(' ').next().and_then(place_of));
            } else if frame.is_empty() && !report.places.is_empty() && report.kind != "leak" {
                // The stacks that follow tell where memory was allocated or freed.
                in_first_stack = false;
            }
        }
    }
    reports
}

/// `heap-buffer-overflow on address 0x… at pc …` without the addresses.
fn short(words: &str) -> String {
    let end =
        [" on address", " on unknown address", ": 0x", " 0x", " (pc"].iter().filter_map(|mark| words.find(mark)).min();
    words[..end.unwrap_or(words.len())].trim_end_matches(':').trim().to_owned()
}

/// `file.c:12:5` or `file.c:12`.
fn place_of(text: &str) -> Option<(String, u32)> {
    let mut parts: Vec<&str> = text.trim().split(':').collect();
    if parts.len() >= 3
        && parts[parts.len() - 1].parse::<u32>().is_ok()
        && parts[parts.len() - 2].parse::<u32>().is_ok()
    {
        parts.pop();
    }
    let line = parts.pop()?.parse().ok()?;
    let file = parts.join(":");
    (!file.is_empty()).then_some((file, line))
}

fn address_kind(words: &str) -> &'static str {
    let table = [
        ("heap-use-after-free", "use-after-free"),
        ("stack-use-after", "use-after-return"),
        ("attempting double-free", "double-free"),
        ("attempting free on address which was not", "invalid-free"),
        ("bad-free", "invalid-free"),
        ("alloc-dealloc-mismatch", "invalid-free"),
        ("stack-overflow", "stack-overflow"),
        ("FPE", "division-by-zero"),
        ("ILL", "trap"),
        ("TRAP", "trap"),
        ("ABRT", "abort"),
        ("SEGV", "memory"),
        ("BUS", "memory"),
        ("wild", "memory"),
        ("unknown-crash", "memory"),
        ("use-after-poison", "use-after-free"),
        ("requested allocation size", "out-of-memory"),
        ("overflow", "out-of-bounds"),
        ("underflow", "out-of-bounds"),
        ("negative-size-param", "out-of-bounds"),
    ];
    table.iter().find(|(mark, _)| words.contains(mark)).map_or("other", |(_, kind)| kind)
}

/// What the minimal runtime says, such as `add-overflow by 0x…`.
fn minimal_kind(words: &str) -> &'static str {
    let table = [
        ("divrem-overflow", "division-by-zero"),
        ("-overflow", "signed-overflow"),
        ("shift-out-of-bounds", "bad-shift"),
        ("out-of-bounds", "out-of-bounds"),
        ("unreachable", "unreachable"),
        ("missing-return", "unreachable"),
        ("vla-bound", "bad-array-bound"),
    ];
    table.iter().find(|(mark, _)| words.contains(mark)).map_or("undefined-behaviour", |(_, kind)| kind)
}

fn undefined_kind(words: &str) -> &'static str {
    let table = [
        ("unsigned integer overflow", "unsigned-overflow"),
        ("signed integer overflow", "signed-overflow"),
        ("negation of", "signed-overflow"),
        ("division by zero", "division-by-zero"),
        ("by -1 cannot be represented", "division-overflow"),
        ("shift exponent", "bad-shift"),
        ("left shift of", "bad-shift"),
        ("implicit conversion", "implicit-conversion"),
        ("outside the range of representable values", "float-cast-overflow"),
        ("variable length array bound", "bad-array-bound"),
        ("misaligned address", "misaligned-access"),
        ("byte alignment for pointer", "misaligned-access"),
        ("not a valid value for type", "invalid-value"),
        ("which is not a valid argument", "bad-builtin-argument"),
        ("assumption is violated", "bad-builtin-argument"),
        ("incorrect function type", "function-type-mismatch"),
        ("declared to never", "unexpected-null"),
        ("offset to null pointer", "pointer-overflow"),
        ("offset to non-null pointer", "pointer-overflow"),
        ("unsigned offset", "pointer-overflow"),
        ("cannot be represented in type", "signed-overflow"),
        ("out of bounds", "out-of-bounds"),
        ("insufficient space", "out-of-bounds"),
        ("null pointer", "null-dereference"),
        ("pointer index expression", "pointer-overflow"),
        ("offset to pointer", "pointer-overflow"),
        ("unreachable program point", "unreachable"),
        ("reached the end of a value-returning function", "unreachable"),
    ];
    table.iter().find(|(mark, _)| words.contains(mark)).map_or("other", |(_, kind)| kind)
}

/// Whether a report shows what a test claims: the kind, and a frame of the stack at the claimed place if both sides
/// have one.
pub fn shows(report: &Report, claim: &Ends) -> bool {
    let is_kind = is_kind(&report.kind, &claim.kind) || is_placed(report, claim) && is_alike(&report.kind, &claim.kind);
    is_kind && is_place(report, claim)
}

fn is_kind(seen: &str, claimed: &str) -> bool {
    const FREED: &[&str] = &["use-after-free", "double-free", "invalid-free", "use-after-return"];
    let is_access =
        matches!(seen, "out-of-bounds" | "use-after-free" | "use-after-return" | "memory" | "null-dereference");
    match claimed {
        _ if seen == claimed => true,
        // The minimal runtime says no more than the name of the check.
        "null-dereference" | "misaligned-access" if seen == "undefined-behaviour" => true,
        "null-dereference" if matches!(seen, "pointer-overflow" | "unexpected-null") => true,
        "null-dereference"
        | "write-to-read-only"
        | "bad-function-pointer"
        | "stack-overflow"
        | "use-after-free"
        | "use-after-return" => seen == "memory",
        // Far from its object, an access may hit a guard of another.
        "out-of-bounds" | "wild-pointer" => is_access || seen == "pointer-overflow",
        "realloc-misuse" => FREED.contains(&seen) || seen == "memory",
        "invalid-free" => seen == "double-free" || seen == "memory",
        "division-overflow" => matches!(seen, "signed-overflow" | "division-by-zero"),

        _ => false,
    }
}

/// Errors that show as one or the other at the same place, as the memory lies: each is one wrong access, or one instruction that
/// cannot be executed.
fn is_alike(seen: &str, claimed: &str) -> bool {
    const ACCESS: &[&str] = &[
        "out-of-bounds",
        "use-after-free",
        "use-after-return",
        "null-dereference",
        "wild-pointer",
        "write-to-read-only",
        "bad-function-pointer",
        "memory",
    ];
    const TRAP: &[&str] = &["trap", "unreachable", "abort"];
    let are_in = |group: &[&str]| group.contains(&seen) && group.contains(&claimed);
    are_in(ACCESS) || are_in(TRAP) && claimed != "abort"
}

/// Whether both sides name a place.
fn is_placed(report: &Report, claim: &Ends) -> bool {
    claim.file.is_some() && claim.line.is_some() && !report.places.is_empty()
}

/// Code that is not the program's: what it is called with goes wrong in it.
fn is_of_system(path: &str) -> bool {
    const ROOTS: &[&str] = &["/usr/", "/build/", "/rustc/", "/lib", "../", "./"];
    ROOTS.iter().any(|root| path.starts_with(root))
        || ["/compiler-rt/", "/sysdeps/"].iter().any(|part| path.contains(part))
}

fn is_place(report: &Report, claim: &Ends) -> bool {
    let (Some(file), Some(line)) = (&claim.file, claim.line) else { return true };
    // A leak is claimed where the program ends, and reported where the memory came from.
    if report.places.is_empty() || report.kind == "leak" {
        return true;
    }
    // Up to the first frame of the program: its callers did nothing wrong.
    let own = report.places.iter().position(|(seen, _)| !is_of_system(seen)).unwrap_or(report.places.len());
    let inner = report.places.iter().take(own + 1);
    inner.into_iter().any(|(seen, at)| *at == line && is_same_file(Path::new(seen), Path::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_to_no_code_have_no_place() {
        let text = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x000000000000 bp 0x7)\n\
            ==7==Hint: pc points to the zero page.\n==7==The signal is caused by a READ memory access.\n    #0 0x0  (<unknown module>)\n    \
            #1 0x7 in __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n";
        let reports = parse(text);
        assert_eq!((reports[0].kind.as_str(), reports[0].places.len()), ("bad-function-pointer", 0));
        assert!(shows(&reports[0], &Ends::of("bad-function-pointer").at("a.c", 17)));
        assert!(!shows(&reports[0], &Ends::of("null-dereference").at("a.c", 17)));
    }

    #[test]
    fn reports_are_recognised() {
        let text = "a.c:3:12: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n\
            =================================================================\n\
            ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x5 bp 0x7 sp 0x7\n\
            READ of size 4 at 0x60 thread T0\n    #0 0x5 in f /w/a.c:7:3\n    #1 0x6 in main /w/a.c:12:9\n    #2 0x7  (/lib/libc.so.6+0x2)\n\n\
            0x60 is located 0 bytes to the right of 8-byte region\nallocated by thread T0 here:\n    #0 0x4 in malloc\n    #1 0x5 in f /w/a.c:5:3\n";
        let reports = parse(text);
        assert_eq!(reports.len(), 2);
        assert_eq!(
            (reports[0].kind.as_str(), reports[0].places.as_slice()),
            ("signed-overflow", &[("a.c".to_owned(), 3)][..])
        );
        assert_eq!(reports[1].to_string(), "heap-buffer-overflow at /w/a.c:7");
        assert_eq!(reports[1].places.len(), 2);
        assert!(shows(&reports[1], &Ends::of("out-of-bounds").at("a.c", 7)));
        assert!(!shows(&reports[1], &Ends::of("out-of-bounds").at("a.c", 5)));
        assert!(!shows(&reports[1], &Ends::of("double-free").at("a.c", 7)));
    }
}
