//! One child process: in a process group and a directory of its own, under a time limit, with bounded output.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::kill;

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
/// How long the pipes of a process that is gone may stay open before we look for who holds them.
const PIPES: Duration = Duration::from_millis(500);
/// How often a waiting thread looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs a command to its end or to the limit; then nothing of it is left. `scratch` is the directory that belongs to this
/// run alone. When `stop` is set, the run is killed, and an error of the kind `Interrupted` returned.
pub fn run(
    command: &mut Command,
    limit: Duration,
    most_output: usize,
    scratch: &Path,
    stop: &AtomicBool,
) -> io::Result<Done> {
    let start = Instant::now();
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let leader = child.id();
    let stdout = child.stdout.take().map(|stream| Output::collect(stream, most_output));
    let stderr = child.stderr.take().map(|stream| Output::collect(stream, most_output));
    let (sender, ended) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        // The receiver lives until this thread is joined.
        let _ = sender.send(());
        status
    });
    let in_time = wait(&ended, start + limit, stop);
    if !in_time && !stop.load(Ordering::Relaxed) {
        kill::terminate_group(leader);
        wait(&ended, Instant::now() + GRACE, stop);
    }
    // Without a leader there may still be children, which would keep the pipes open.
    kill::kill_group(leader);
    let status = waiter.join().map_err(|_| io::Error::other("waiting for a process failed"))??;
    let time = start.elapsed();
    let outputs: Vec<Output> = [stdout, stderr].into_iter().flatten().collect();
    if !outputs.iter().all(|output| output.is_complete(PIPES)) {
        kill::kill_strays(scratch);
    }
    if !in_time && stop.load(Ordering::Relaxed) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let mut outputs = outputs.into_iter().map(|output| output.take(PIPES));
    let (stdout, stderr) = (outputs.next().unwrap_or_default(), outputs.next().unwrap_or_default());
    let end = if in_time { end_of(status) } else { NativeEnd::TimedOut };
    Ok(Done { end, stdout, stderr, time })
}

/// Whether the process ended before the deadline, and before we were told to stop.
fn wait(ended: &mpsc::Receiver<()>, deadline: Instant, stop: &AtomicBool) -> bool {
    while !stop.load(Ordering::Relaxed) {
        let left = deadline.saturating_duration_since(Instant::now());
        match ended.recv_timeout(left.min(GLANCE)) {
            Err(mpsc::RecvTimeoutError::Timeout) if left.is_zero() => return false,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            // The sender is dropped only with the thread that waits: the process is gone.
            Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => return true,
        }
    }
    ended.try_recv().is_ok()
}

fn end_of(status: ExitStatus) -> NativeEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => NativeEnd::Exited(code),
        (None, signal) => NativeEnd::Signal(signal.unwrap_or(0)),
    }
}

/// The first bytes of a stream, read by a thread of its own; the rest is read and dropped, so that the writer never waits.
struct Output {
    kept: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

impl Output {
    fn collect(mut stream: impl Read + Send + 'static, most: usize) -> Output {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let shared = kept.clone();
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                let Ok(mut kept) = shared.lock() else { break };
                let room = most.saturating_sub(kept.len());
                kept.extend(&buffer[..count.min(room)]);
            }
            drop(sender);
        });
        Output { kept, ended }
    }

    /// Whether the stream comes to its end within this time.
    fn is_complete(&self, time: Duration) -> bool {
        matches!(self.ended.recv_timeout(time), Err(mpsc::RecvTimeoutError::Disconnected))
    }

    /// What there is. A stream that somebody holds open for ever is left to its thread.
    fn take(self, time: Duration) -> Vec<u8> {
        self.is_complete(time);
        self.kept.lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
    }
}
