//! How far the search for a target is: one line that is rewritten on a terminal, plain lines every few seconds elsewhere.

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

    pub fn show(&mut self, progress: &Progress) {
        let every = if self.terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let backward = &progress.backward;
        let nearest = backward.nearest.map_or(String::new(), |distance| format!(", nearest {distance:.3}"));
        let line = format!(
            "{:>5.0} s  backward: {} pieces, depth {}, {} traces{nearest}  forward: {} paths, {} states  {} runs, {} queries",
            self.began.elapsed().as_secs_f64(),
            backward.segments,
            backward.depth,
            backward.traces,
            progress.counts.paths(),
            progress.live + progress.aside,
            progress.concrete_runs + backward.evaluations,
            progress.queries,
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
