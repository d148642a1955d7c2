//! One job: the program runs to its end or to a limit, its output is kept as far as it is wanted, and then nothing of it
//! is left.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, WaitStatus, kill_process_group, pidfd_open};

use super::confine::Confinement;
use super::descendants;
use super::files::Folders;
use crate::protocol::{self, Done, End, Exceeded, Job, Limits, Request};

/// Where a job runs.
pub struct Execution<'a> {
    pub folders: &'a Folders,
    pub confinement: &'a Confinement,
}

/// How often memory and files are looked at.
const WATCH: Duration = Duration::from_millis(50);

impl Execution<'_> {
    /// `None` if the caller is gone, with whom the job goes.
    pub fn run(&self, job: Job, passed: Option<OwnedFd>, control: &UnixStream) -> io::Result<Option<Done>> {
        self.folders.clear();
        self.folders.fill(&job.files, self.confinement.user())?;
        let program = match self.confinement.user() {
            Some(_) => open_executable(&job.program)?,
            None => None,
        };
        let by_descriptor = |file: &File| format!("/proc/self/fd/{}", file.as_raw_fd()).into();
        let mut command = Command::new(program.as_ref().map_or(job.program.clone(), by_descriptor));
        let mut arguments = job.arguments.into_iter().map(OsString::from_vec);
        command.arg0(arguments.next().unwrap_or_default()).args(arguments);
        command.env_clear().envs(job.environment).current_dir(&self.folders.work);
        command.stdin(stdin(job.stdin.as_deref().map(Vec::as_slice), passed)?);
        let is_service = job.stdin_is_passed;
        let output = || if is_service { Stdio::null() } else { Stdio::piped() };
        command.stdout(output()).stderr(output());
        self.confinement.apply(&mut command, &job.limits)?;
        let began = Instant::now();
        let mut child = command.spawn()?;
        // The program's end of a descriptor that was passed must not stay open here.
        drop(command);
        let running = Running {
            leader: Pid::from_child(&child),
            ended: pidfd_open(Pid::from_child(&child), PidfdFlags::empty())?,
            stdout: Output::new(child.stdout.take().map(Stream::Out)),
            stderr: Output::new(child.stderr.take().map(Stream::Error)),
            limits: job.limits,
            folders: self.folders,
        };
        let Some((end, exceeded, stdout, stderr)) = running.wait(control, began)? else { return Ok(None) };
        let microseconds = began.elapsed().as_micros() as u64;
        let files = self.folders.results(&job.files);
        self.folders.clear();
        Ok(Some(Done { end, exceeded, stdout, stderr, microseconds, files }))
    }
}

/// A user that root became may not get to a program in root's own directories; by its descriptor it does. A script is
/// opened anew by its interpreter, which would not find the descriptor.
fn open_executable(path: &Path) -> io::Result<Option<File>> {
    let mut file = File::open(path)?;
    let mut magic = [0; 2];
    file.read_exact(&mut magic)?;
    Ok((magic != *b"#!").then_some(file))
}

fn stdin(bytes: Option<&[u8]>, passed: Option<OwnedFd>) -> io::Result<Stdio> {
    if let Some(passed) = passed {
        return Ok(passed.into());
    }
    let Some(bytes) = bytes else { return Ok(Stdio::null()) };
    // A regular file, so that programs can seek in it; without a name, so that they cannot find it. It is reopened, since
    // what was opened for writing could be written.
    let mut file = tempfile_of(bytes)?;
    io::Seek::rewind(&mut file)?;
    Ok(file.into())
}

fn tempfile_of(bytes: &[u8]) -> io::Result<File> {
    let memory = rustix::fs::memfd_create("stdin", rustix::fs::MemfdFlags::CLOEXEC)?;
    io::Write::write_all(&mut File::from(memory.try_clone()?), bytes)?;
    File::open(format!("/proc/self/fd/{}", memory.as_raw_fd()))
}

enum Stream {
    Out(ChildStdout),
    Error(ChildStderr),
}

impl Stream {
    fn fd(&self) -> std::os::fd::BorrowedFd<'_> {
        match self {
            Stream::Out(stream) => stream.as_fd(),
            Stream::Error(stream) => stream.as_fd(),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Out(stream) => stream.read(buffer),
            Stream::Error(stream) => stream.read(buffer),
        }
    }
}

/// The first bytes of a stream; the rest is read and dropped, so that the writer never waits.
struct Output {
    stream: Option<Stream>,
    kept: Vec<u8>,
}

impl Output {
    fn new(stream: Option<Stream>) -> Output {
        Output { stream, kept: Vec::new() }
    }

    /// Reads once; call it when there is something.
    fn read(&mut self, most: usize) {
        let mut buffer = [0; 1 << 16];
        let Some(stream) = &mut self.stream else { return };
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => {
                let room = most.saturating_sub(self.kept.len());
                self.kept.extend(&buffer[..count.min(room)]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => self.stream = None,
        }
    }

    /// What is still in the pipe. Nobody writes to it any more.
    fn drain(mut self, most: usize) -> Vec<u8> {
        while let Some(stream) = &self.stream {
            let mut fds = [PollFd::from_borrowed_fd(stream.fd(), PollFlags::IN)];
            let is_ready = poll(&mut fds, Some(&Timespec::default())).is_ok_and(|count| count > 0);
            if !is_ready {
                break;
            }
            self.read(most);
        }
        self.kept
    }
}

struct Running<'a> {
    leader: Pid,
    ended: OwnedFd,
    stdout: Output,
    stderr: Output,
    limits: Limits,
    folders: &'a Folders,
}

/// What there is to do next.
struct Ready {
    control: bool,
    ended: bool,
    stdout: bool,
    stderr: bool,
}

type Ended = (End, Option<Exceeded>, Vec<u8>, Vec<u8>);

impl Running<'_> {
    fn wait(mut self, control: &UnixStream, began: Instant) -> io::Result<Option<Ended>> {
        let deadline = self.limits.milliseconds.map(|limit| began + Duration::from_millis(limit));
        let grace = Duration::from_millis(self.limits.grace_milliseconds);
        let mut asked_to_end = false;
        let mut exceeded = None;
        let mut next_watch = began + WATCH;
        let mut status = None;
        while status.is_none() {
            let now = Instant::now();
            let limit = deadline.map(|deadline| if asked_to_end { deadline + grace } else { deadline });
            if limit.is_some_and(|limit| now >= limit) {
                if asked_to_end {
                    break;
                }
                asked_to_end = true;
                let _ = kill_process_group(self.leader, Signal::TERM);
                continue;
            }
            if now >= next_watch {
                next_watch = now + WATCH;
                exceeded = self.exceeded();
                if exceeded.is_some() {
                    break;
                }
            }
            let until = limit.map_or(next_watch, |limit| limit.min(next_watch));
            let ready = self.poll(control, until.saturating_duration_since(now))?;
            if ready.control && !is_wanted(control) {
                descendants::kill_all();
                return Ok(None);
            }
            if ready.stdout {
                self.stdout.read(self.limits.output_bytes);
            }
            if ready.stderr {
                self.stderr.read(self.limits.output_bytes);
            }
            if ready.control {
                break;
            }
            // Orphans are taken note of at the end.
            if ready.ended {
                status = descendants::ended(self.leader);
            }
        }
        let end = match status {
            _ if asked_to_end => End::TimedOut,
            Some(status) => end_of(status),
            None => End::Signal(libc::SIGKILL),
        };
        descendants::kill_all();
        let most = self.limits.output_bytes;
        Ok(Some((end, exceeded, self.stdout.drain(most), self.stderr.drain(most))))
    }

    /// Waits until something happens, at most so long.
    fn poll(&self, control: &UnixStream, most: Duration) -> io::Result<Ready> {
        let mut fds = vec![
            PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.ended.as_fd(), PollFlags::IN),
        ];
        let streams = [&self.stdout, &self.stderr].map(|output| output.stream.as_ref());
        fds.extend(streams.into_iter().flatten().map(|stream| PollFd::from_borrowed_fd(stream.fd(), PollFlags::IN)));
        // Rounded up, so that a wait of less than the clock's unit is no busy loop.
        let most = Timespec::try_from(most + Duration::from_micros(100)).unwrap_or_default();
        match poll(&mut fds, Some(&most)) {
            Err(error) if error != rustix::io::Errno::INTR => return Err(error.into()),
            _ => {}
        }
        let mut is_ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let mut next = || is_ready.next().unwrap_or(false);
        let (control, ended) = (next(), next());
        let stdout = streams[0].is_some() && next();
        let stderr = streams[1].is_some() && next();
        Ok(Ready { control, ended, stdout, stderr })
    }

    /// A limit on all processes together that does not hold any more.
    fn exceeded(&self) -> Option<Exceeded> {
        if descendants::memory_bytes() > self.limits.memory_bytes {
            return Some(Exceeded::Memory);
        }
        let bound = self.folders.bounded_by?;
        (self.folders.usage() > bound).then_some(Exceeded::Disk)
    }
}

/// Whether the caller still wants an answer; it may have asked for the end.
fn is_wanted(control: &UnixStream) -> bool {
    matches!(protocol::receive(&mut &*control), Ok(Request::Kill | Request::Run(_)))
}

fn end_of(status: WaitStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exited(code),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    }
}
