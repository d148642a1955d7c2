//! The process that keeps programs in: it sets the sandbox up, runs one job after the other, and leaves nothing running
//! behind. It ends, and all that is in the sandbox with it, when its caller is gone.

mod confine;
mod descendants;
mod execution;
mod files;
mod filter;
mod namespaces;
mod root;
mod rules;

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

use crate::level::Level;
use crate::protocol::{self, Answer, Request, Setup};
use confine::Confinement;
use files::Folders;

/// Answers on the socket that is this process's standard input. Returns the exit status.
pub fn run() -> i32 {
    let Ok(control) = control_socket() else { return 1 };
    // Nobody is there who could be told more.
    serve(control).unwrap_or(1)
}

fn control_socket() -> io::Result<UnixStream> {
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(control)
}

fn serve(mut control: UnixStream) -> io::Result<i32> {
    let setup: Setup = protocol::receive(&mut control)?;
    let supervisor = match set_up(&setup) {
        Ok(Stage::Inside(supervisor)) => supervisor,
        Ok(Stage::Outside { child }) => {
            drop(control);
            return namespaces::wait_for(child);
        }
        Err(error) => {
            protocol::send(&mut control, &Answer::Failed(error.to_string()))?;
            return Ok(1);
        }
    };
    let folders = &supervisor.folders;
    protocol::send(&mut control, &Answer::Ready { work: folders.work.clone(), control: folders.control.clone() })?;
    supervisor.serve(control)?;
    Ok(0)
}

/// Which of the two processes this is, where the sandbox needs two.
enum Stage {
    Inside(Supervisor),
    Outside { child: i32 },
}

struct Supervisor {
    folders: Folders,
    confinement: Confinement,
}

fn set_up(setup: &Setup) -> io::Result<Stage> {
    let user = confine::private_user();
    match setup.level {
        Level::Namespaces => match namespaces::enter().map_err(|error| named("namespaces", error))? {
            Some(child) => Ok(Stage::Outside { child }),
            None => {
                let folders = namespaces::settle(setup, user)?;
                let rules = rules::Rules::in_namespaces(&folders)?;
                Ok(Stage::Inside(Supervisor { folders, confinement: Confinement::Namespaces { rules } }))
            }
        },
        Level::Landlock { abi } => {
            let abi = rules::usable_abi(abi)?;
            let folders = Folders::in_scratch(setup)?;
            user.map_or(Ok(()), |user| folders.give_to(user))?;
            let rules = rules::Rules::new(abi, &folders, &setup.hidden, &setup.shared)?;
            become_subreaper()?;
            Ok(Stage::Inside(Supervisor { folders, confinement: Confinement::Landlock { rules, user } }))
        }
        Level::Off => {
            become_subreaper()?;
            Ok(Stage::Inside(Supervisor { folders: Folders::in_scratch(setup)?, confinement: Confinement::Off }))
        }
    }
}

/// Processes whose parent ended become children of this one.
fn become_subreaper() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// An error with what was being done.
fn named(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

impl Supervisor {
    fn serve(self, mut control: UnixStream) -> io::Result<()> {
        loop {
            let job = match protocol::receive(&mut control) {
                Ok(Request::Run(job)) => *job,
                // It ended before it could be told to.
                Ok(Request::Kill) => continue,
                Err(_) => return Ok(()),
            };
            let passed = if job.stdin_is_passed { Some(receive_descriptor(&control)?) } else { None };
            let execution = execution::Execution { folders: &self.folders, confinement: &self.confinement };
            let answer = match execution.run(job, passed, &control) {
                Ok(Some(done)) => Answer::Done(done),
                // The caller is gone.
                Ok(None) => return Ok(()),
                Err(error) => Answer::Failed(error.to_string()),
            };
            protocol::send(&mut control, &answer)?;
        }
    }
}

fn receive_descriptor(control: &UnixStream) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(control, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let fds = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    fds.flatten().next().ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Where a program's file lies, from a path that must not lead out.
fn below(folder: &std::path::Path, path: &std::path::Path) -> io::Result<PathBuf> {
    let is_inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    match is_inside && path.components().next().is_some() {
        true => Ok(folder.join(path)),
        false => Err(io::Error::other(format!("{} would lie outside of the scratch directory", path.display()))),
    }
}
