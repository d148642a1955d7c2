//! A line that says how far a search is: rewritten on a terminal, printed every few seconds elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

pub struct Display {
    began: Instant,
    last: Instant,
    terminal: bool,
    shown: bool,
}

const ON_TERMINAL: Duration = Duration::from_millis(200);
const ELSEWHERE: Duration = Duration::from_secs(5);

impl Display {
    pub fn new() -> Display {
        let now = Instant::now();
        Display { began: now, last: now, terminal: std::io::stderr().is_terminal(), shown: false }
    }

    /// Shows what is said, after the seconds that have passed, if it is time to.
    pub fn show(&mut self, words: impl FnOnce() -> String) {
        let every = if self.terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let line = format!("{:>5.0} s  {}", self.began.elapsed().as_secs_f64(), words());
        let mut out = std::io::stderr();
        let _ = match self.terminal {
            true => write!(out, "\r\x1b[K{line}").and_then(|()| out.flush()),
            false => writeln!(out, "{line}"),
        };
        self.shown = true;
    }

    pub fn clear(&mut self) {
        if self.terminal && self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
