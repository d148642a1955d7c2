//! One child process: in a process group and a directory of its own, under a time limit, with bounded output.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::kill::{self, Signal};

/// How a native process came to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NativeEnd {
    Exited(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Still running at the time limit.
    TimedOut,
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

#[derive(Debug)]
pub struct Done {
    pub end: NativeEnd,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
}

/// What a process that was asked to end gets for saving its coverage.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a command to its end or to the limit; then nothing of its process group is left.
pub fn run(command: &mut Command, limit: Duration, most_output: usize) -> io::Result<Done> {
    let start = Instant::now();
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let leader = child.id();
    let stdout = child.stdout.take().map(|stream| thread::spawn(move || read_bounded(stream, most_output)));
    let stderr = child.stderr.take().map(|stream| thread::spawn(move || read_bounded(stream, most_output)));
    let (sender, ended) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        // The receiver lives until this thread is joined.
        let _ = sender.send(());
        status
    });
    let in_time = ended.recv_timeout(limit).is_ok();
    if !in_time {
        kill::group(leader, Signal::Terminate);
        if ended.recv_timeout(GRACE).is_err() {
            kill::group(leader, Signal::Kill);
        }
    }
    let status = waiter.join().map_err(|_| io::Error::other("waiting for a process failed"))??;
    let time = start.elapsed();
    // Children that outlived it would keep the pipes open.
    kill::group(leader, Signal::Kill);
    let collect =
        |reader: Option<thread::JoinHandle<Vec<u8>>>| reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    let end = if in_time { end_of(status) } else { NativeEnd::TimedOut };
    Ok(Done { end, stdout: collect(stdout), stderr: collect(stderr), time })
}

fn end_of(status: ExitStatus) -> NativeEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => NativeEnd::Exited(code),
        (None, signal) => NativeEnd::Signal(signal.unwrap_or(0)),
    }
}

/// The first `most` bytes of a stream; the rest is read and dropped, so that the writer never waits.
fn read_bounded(mut stream: impl Read, most: usize) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        let room = most - kept.len();
        kept.extend(&buffer[..count.min(room)]);
    }
    kept
}
