//! Writes which path claims which input. Who claims what is decided in `explore`.

use std::fmt::Write as _;
use std::path::Path;

use symcrete_exec::Ended;
use symcrete_explore::partition::Partition;

use crate::error::Error;

/// A line for every input: its bytes, then the one path that claims it and how it ends (`0a1b 3 exit 7`), or else `none`, or
/// several claims with commas between them. What a concrete run contradicts says so at its end. A program that cannot be treated
/// so gives one line that begins with `error`.
pub fn write(path: &Path, partition: Option<&Partition>) -> Result<(), Error> {
    let text = match partition {
        Some(Partition { error: Some(error), .. }) => format!("error: {error}\n"),
        Some(partition) => text(partition),
        None => "error: nothing was explored\n".to_owned(),
    };
    std::fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn text(partition: &Partition) -> String {
    let mut text = String::new();
    for (number, claims) in partition.claims.iter().enumerate() {
        for byte in partition.input(number) {
            let _ = write!(text, "{byte:02x}");
        }
        if claims.is_empty() {
            text.push_str(" none");
        }
        for (at, claim) in claims.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(text, "{comma} {} {}", claim.path, ending(&claim.ended));
        }
        for contradiction in partition.contradictions.iter().filter(|one| one.input == number) {
            let ran = contradiction.ran.as_ref().map_or("no end".to_owned(), ending);
            let _ = write!(text, " but runs to {ran}");
        }
        text.push('\n');
    }
    text
}

fn ending(ended: &Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("exit {}", status & 0xFF),
        other => other.name().to_owned(),
    }
}
