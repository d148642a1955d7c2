//! How a native process came to its end, in numbers and in words.

use symcrete_sandbox::{Done, End, Exceeded};

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NativeEnd {
    Exited(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Still running at the time limit.
    TimedOut,
    /// Killed because all of its processes together took more than they may.
    Exceeded(Exceeded),
}

impl From<&Done> for NativeEnd {
    fn from(done: &Done) -> NativeEnd {
        match (done.exceeded, done.end) {
            (Some(exceeded), _) => NativeEnd::Exceeded(exceeded),
            (None, End::Exited(status)) => NativeEnd::Exited(status),
            (None, End::Signal(signal)) => NativeEnd::Signal(signal),
            (None, End::TimedOut) => NativeEnd::TimedOut,
        }
    }
}

impl std::fmt::Display for NativeEnd {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NativeEnd::Exited(status) => write!(formatter, "exit with status {status}"),
            NativeEnd::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(formatter, "killed by {name}"),
                None => write!(formatter, "killed by signal {signal}"),
            },
            NativeEnd::TimedOut => formatter.write_str("still running at the time limit"),
            NativeEnd::Exceeded(Exceeded::Memory) => formatter.write_str("killed: it took more memory than it may"),
            NativeEnd::Exceeded(Exceeded::Disk) => formatter.write_str("killed: it wrote more to files than it may"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    })
}
