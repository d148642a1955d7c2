//! A line that says how far a command is: redrawn in place on a terminal, and nothing of it elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether there is a line on the terminal, for an end that nobody expects.
static SHOWN: AtomicBool = AtomicBool::new(false);

pub struct Display {
    began: Instant,
    /// When something was shown last; `None` before the first time.
    last: Option<Instant>,
    terminal: bool,
}

const EVERY: Duration = Duration::from_millis(200);
/// Of a terminal that does not say how wide it is.
const USUAL_WIDTH: usize = 80;

/// Back to the first column, and away with what stands from there on.
const WIPE: &str = "\r\x1b[J";

impl Display {
    pub fn new() -> Display {
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let terminal = std::io::stderr().is_terminal() && !is_dumb;
        Display { began: Instant::now(), last: None, terminal }
    }

    /// Shows what is said, after the seconds that have passed, if it is time to.
    pub fn show(&mut self, words: impl FnOnce() -> String) {
        let is_soon = self.last.unwrap_or(self.began).elapsed() < EVERY;
        if !self.terminal || is_soon {
            return;
        }
        self.last = Some(Instant::now());
        let line = format!("{:>5.0} s  {}", self.began.elapsed().as_secs_f64(), words());
        // Asked anew each time: the window may have another size by now.
        draw(&drawn(&line, width()));
        SHOWN.store(true, Ordering::Relaxed);
    }

    pub fn clear(&mut self) {
        wipe();
    }
}

/// Takes the line away, if there is one.
pub fn wipe() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        draw(WIPE);
    }
}

/// In one write, so that nothing comes between.
fn draw(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The line in place of the one before. The cursor stays in its first column: a terminal that is made narrower, and breaks the line, keeps
/// it at the beginning, from where all of it can be wiped away. The last column stays free, since some terminals break a line that fills
/// it.
fn drawn(line: &str, width: usize) -> String {
    let cut: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{WIPE}{cut}\r")
}

fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    match size.map(|size| size.ws_col) {
        Ok(0) | Err(_) => USUAL_WIDTH,
        Ok(columns) => usize::from(columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shorter_than_the_terminal_is_wide() {
        assert_eq!(drawn("12345678", 6), "\r\x1b[J12345\r");
        assert_eq!(drawn("1234", 6), "\r\x1b[J1234\r");
        assert_eq!(drawn("1234", 0), "\r\x1b[J\r");
    }
}
