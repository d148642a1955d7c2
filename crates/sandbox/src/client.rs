//! The caller's side: starts a supervisor, gives it jobs, and finds out what became of them.

use std::io::{self, IoSlice, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::policy::Policy;
use crate::protocol::{self, Answer, Done, Job, Request, Setup, Shared};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the sandbox cannot be set up: {0}")]
    Setup(String),
    #[error("the program cannot be started: {0}")]
    Start(String),
    /// The caller does not want to know any more.
    #[error("the run was interrupted")]
    Interrupted,
    #[error("the sandbox does not answer: {0}")]
    Lost(#[source] io::Error),
}

/// A sandbox that stands, and runs one job at a time. What runs in it ends when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    supervisor: Child,
    socket: UnixStream,
    work: PathBuf,
    control: PathBuf,
    /// Files of programs, where the level has no file system of its own; removed in the end.
    _scratch: tempfile::TempDir,
}

/// How often a waiting thread looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(50);

/// How much all files of one job may take together.
const DISK_BYTES: u64 = 1 << 30;

impl Sandbox {
    /// Sets one up, in which programs can read `shared` beside what everybody can.
    pub fn start(policy: &Policy, shared: &[Shared]) -> Result<Sandbox, Error> {
        let failed = |error: io::Error| Error::Setup(error.to_string());
        let mut maker = tempfile::Builder::new();
        maker.prefix("symcrete-run-");
        let scratch = match &policy.scratch {
            Some(folder) => maker.tempdir_in(folder),
            None => maker.tempdir(),
        };
        let scratch = scratch.map_err(failed)?;
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let mut command = Command::new(&policy.launcher.program);
        command.args(&policy.launcher.arguments).env_clear();
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let supervisor = command.spawn().map_err(failed)?;
        // The process holds the other end only through its command.
        drop(command);
        let setup = Setup {
            level: policy.level,
            shared: shared.to_vec(),
            hidden: policy.hidden.clone(),
            scratch: scratch.path().canonicalize().map_err(failed)?,
            disk_bytes: DISK_BYTES,
        };
        let mut sandbox =
            Sandbox { supervisor, socket, work: PathBuf::new(), control: PathBuf::new(), _scratch: scratch };
        let answer = protocol::send(&mut sandbox.socket, &setup).and_then(|()| protocol::receive(&mut sandbox.socket));
        match answer {
            Ok(Answer::Ready { work, control }) => {
                (sandbox.work, sandbox.control) = (work, control);
                Ok(sandbox)
            }
            Ok(Answer::Failed(reason)) => Err(Error::Setup(reason)),
            Ok(Answer::Done(_)) => Err(Error::Setup("its supervisor answers another question".to_owned())),
            Err(error) => Err(Error::Setup(format!("its supervisor ended: {error}"))),
        }
    }

    /// The directory in which programs start, as they see it.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// The directory of the driver, as programs see it.
    pub fn control(&self) -> &Path {
        &self.control
    }

    /// Runs a program to its end. If `stop` is set meanwhile, the sandbox is of no use any more.
    pub fn run(&mut self, job: Job, stop: &AtomicBool) -> Result<Done, Error> {
        protocol::send(&mut self.socket, &Request::Run(Box::new(job))).map_err(Error::Lost)?;
        self.socket.set_read_timeout(Some(GLANCE)).map_err(Error::Lost)?;
        let mut reader = Patient { socket: &self.socket, stop };
        let answer = protocol::receive(&mut reader);
        if stop.load(Ordering::Relaxed) && answer.is_err() {
            return Err(Error::Interrupted);
        }
        done(answer.map_err(Error::Lost)?)
    }

    /// Starts a program that talks to the caller over this descriptor, its standard input.
    pub fn serve(mut self, job: Job, stdin: OwnedFd) -> Result<Service, Error> {
        let job = Job { stdin_is_passed: true, ..job };
        protocol::send(&mut self.socket, &Request::Run(Box::new(job))).map_err(Error::Lost)?;
        let fds = [stdin.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        let sent = sendmsg(&self.socket, &[IoSlice::new(&[0])], &mut ancillary, SendFlags::empty());
        sent.map_err(|error| Error::Lost(error.into()))?;
        Ok(Service { sandbox: self })
    }
}

fn done(answer: Answer) -> Result<Done, Error> {
    match answer {
        Answer::Done(done) => Ok(done),
        Answer::Failed(reason) => Err(Error::Start(reason)),
        Answer::Ready { .. } => Err(Error::Lost(io::ErrorKind::InvalidData.into())),
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // The supervisor ends when nobody can ask it any more, and everything in the sandbox ends with it.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let _ = self.supervisor.wait();
    }
}

/// A program that answers its caller until it is dropped.
#[derive(Debug)]
pub struct Service {
    sandbox: Sandbox,
}

impl Service {
    /// Waits until the program has ended by itself.
    pub fn wait(mut self) -> Result<Done, Error> {
        self.sandbox.socket.set_read_timeout(None).map_err(Error::Lost)?;
        done(protocol::receive(&mut self.sandbox.socket).map_err(Error::Lost)?)
    }
}

/// Reads until it is stopped.
struct Patient<'a> {
    socket: &'a UnixStream,
    stop: &'a AtomicBool,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.socket.read(buffer) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if self.stop.load(Ordering::Relaxed) {
                        return Err(io::Error::other("stopped"));
                    }
                }
                result => return result,
            }
        }
    }
}
