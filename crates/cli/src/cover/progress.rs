//! How far the search is: one line that is rewritten on a terminal, plain lines every few seconds elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use symcrete_explore::workers::Progress;

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

    pub fn show(&mut self, progress: &Progress, tests: usize, findings: usize) {
        let every = if self.terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let counts = &progress.counts;
        let paths = counts.paths();
        let line = format!(
            "{:>5.0} s  {paths} paths  {tests} tests  {findings} findings  {} % of the code  {} states ({} aside, {} undecided)  {} queries  {} MiB",
            self.began.elapsed().as_secs_f64(),
            (progress.blocks.covered * 100).checked_div(progress.blocks.total).unwrap_or(0),
            progress.live + progress.aside,
            progress.aside,
            progress.parked,
            progress.queries,
            super::result::resident_mib(),
        );
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
