//! The caller's side: starts the helper process, asks it, and finds out why it does not answer. One that died or was
//! killed is started again when it is next needed.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use symcrete_sandbox::{End, Job, Limits, Policy, Sandbox, Service, Shared};

use crate::Signature;
use crate::protocol::{self, ANSWER_BYTES, FINE, TROUBLE};

/// How the helper is started: a program that calls `serve` with the libraries.
#[derive(Clone, Debug)]
pub struct Command {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// What it runs in.
    pub sandbox: Policy,
    /// The libraries, which it must be able to read.
    pub shared: Vec<PathBuf>,
    /// How long one call may take.
    pub time: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Library(String),
    #[error("the process that calls native functions does not start: {0}")]
    Start(String),
}

/// The number of a function that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionNumber(u32);

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The bits of the result in the low bits.
    Returned(u128),
    Failed(Failure),
}

/// Why a function did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    Signal(i32),
    Exited(i32),
    /// Still running at the time limit.
    TimedOut,
}

pub struct Helper {
    command: Command,
    running: Option<Running>,
    /// The functions that were found; one that is started again is asked for them in the same order.
    names: Vec<String>,
    /// How often a process was started.
    starts: u64,
    /// The longest that a call took which returned, and whether one did not.
    slowest: Duration,
    has_hung: bool,
}

struct Running {
    service: Service,
    socket: UnixStream,
    /// What the socket was last told of how long a read may take; telling it costs as much as a read.
    patience: Duration,
}

/// The path of the helper's program in the sandbox.
const PROGRAM: &str = "/symcrete/helper";

/// How long a helper may take to load its libraries.
const PATIENCE: Duration = Duration::from_secs(20);

/// Once a call did not return, others are given so many times as long as the slowest one that did, and at least this. A function that hangs for
/// many arguments would take all of the time otherwise.
const TIMES_SLOWEST: u32 = 50;
const LEAST: Duration = Duration::from_millis(100);

impl Helper {
    pub fn new(command: Command) -> Helper {
        Helper { command, running: None, names: Vec::new(), starts: 0, slowest: Duration::ZERO, has_hung: false }
    }

    pub fn time(&self) -> Duration {
        self.command.time
    }

    /// How often the process was started.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Starts the process if there is none; an error if its libraries cannot be loaded.
    pub fn start(&mut self) -> Result<(), Error> {
        self.running().map(drop)
    }

    /// The function of this name in the libraries, or in the C library.
    pub fn find(&mut self, name: &str) -> Result<Option<FunctionNumber>, Error> {
        if let Some(known) = self.names.iter().position(|known| known == name) {
            return Ok(Some(FunctionNumber(known as u32)));
        }
        let running = self.running()?;
        let found = running.ask(&protocol::find_request(name), PATIENCE);
        let (status, number) = found.map_err(|error| Error::Start(error.to_string()))?;
        if status != FINE {
            return Ok(None);
        }
        self.names.push(name.to_owned());
        Ok(Some(FunctionNumber(number as u32)))
    }

    /// Calls a function so many times with the same arguments; what came of each call. After one that fails there are
    /// no more.
    pub fn call(
        &mut self,
        function: FunctionNumber,
        signature: &Signature,
        arguments: &[u128],
        times: usize,
    ) -> Result<Vec<Answer>, Error> {
        // The answers come together, when the last call has returned.
        let time = self.patience() * times as u32;
        let request = protocol::call_request(function.0, signature, arguments).repeat(times);
        let running = self.running()?;
        let began = Instant::now();
        let mut answers = Vec::with_capacity(times);
        let mut trouble = running.socket.write_all(&request).err();
        while trouble.is_none() && answers.len() < times {
            match running.receive(time) {
                Ok((FINE, bits)) => answers.push(Answer::Returned(bits)),
                Ok(_) => return Err(Error::Start("it does not know the function any more".to_owned())),
                Err(error) => trouble = Some(error),
            }
        }
        match trouble {
            Some(error) => {
                let failure = self.failure(&error);
                self.has_hung |= failure == Failure::TimedOut;
                answers.push(Answer::Failed(failure));
            }
            None => self.slowest = self.slowest.max(began.elapsed() / times.max(1) as u32),
        }
        Ok(answers)
    }

    /// How long a call is waited for.
    fn patience(&self) -> Duration {
        match self.has_hung {
            true => (self.slowest * TIMES_SLOWEST).max(LEAST).min(self.command.time),
            false => self.command.time,
        }
    }

    /// Why the helper did not answer. It is gone then.
    fn failure(&mut self, error: &io::Error) -> Failure {
        let Some(running) = self.running.take() else { return Failure::Exited(0) };
        if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) {
            return Failure::TimedOut;
        }
        // The socket was closed: it is dying, or a function closed what was not its own.
        let _ = running.socket.shutdown(std::net::Shutdown::Both);
        match running.service.wait().map(|done| done.end) {
            Ok(End::Signal(signal)) => Failure::Signal(signal),
            Ok(End::Exited(status)) => Failure::Exited(status),
            Ok(End::TimedOut) | Err(_) => Failure::Exited(0),
        }
    }

    fn running(&mut self) -> Result<&mut Running, Error> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                self.starts += 1;
                let mut running = Running::start(&self.command)?;
                for name in &self.names {
                    let found = running.ask(&protocol::find_request(name), PATIENCE);
                    found.map_err(|error| Error::Start(error.to_string()))?;
                }
                running
            }
        };
        Ok(self.running.insert(running))
    }
}

impl Running {
    fn start(command: &Command) -> Result<Running, Error> {
        let failed = |error: io::Error| Error::Start(error.to_string());
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let as_it_is = |path: &PathBuf| Shared { outside: path.clone(), inside: path.clone() };
        let program = Shared { outside: command.program.clone(), inside: PROGRAM.into() };
        let shared: Vec<Shared> = std::iter::once(program).chain(command.shared.iter().map(as_it_is)).collect();
        let arguments = [command.program.as_os_str()].into_iter().chain(command.arguments.iter().map(AsRef::as_ref));
        let job = Job {
            program: command.sandbox.inside(&shared, &command.program),
            arguments: arguments.map(|word| word.as_bytes().to_vec()).collect(),
            limits: Limits { milliseconds: None, ..Limits::default() },
            ..Job::default()
        };
        let sandbox = Sandbox::start(&command.sandbox, &shared);
        let service = sandbox.and_then(|sandbox| sandbox.serve(job, theirs.into()));
        let service = service.map_err(|error| Error::Start(error.to_string()))?;
        let mut running = Running { service, socket, patience: Duration::ZERO };
        let said = running.receive(PATIENCE).map_err(failed)?;
        match said {
            (FINE, _) => Ok(running),
            (TROUBLE, length) => {
                let mut text = vec![0; (length as usize).min(1 << 16)];
                running.socket.read_exact(&mut text).map_err(failed)?;
                Err(Error::Library(String::from_utf8_lossy(&text).into_owned()))
            }
            _ => Err(Error::Start("it says what nobody understands".to_owned())),
        }
    }

    fn ask(&mut self, request: &[u8], time: Duration) -> io::Result<(u64, u128)> {
        self.socket.write_all(request)?;
        self.receive(time)
    }

    /// The next answer.
    fn receive(&mut self, time: Duration) -> io::Result<(u64, u128)> {
        let deadline = Instant::now() + time;
        let mut bytes = [0; ANSWER_BYTES];
        let mut count = 0;
        let mut left = time;
        while count < ANSWER_BYTES {
            if left != self.patience {
                self.socket.set_read_timeout(Some(left))?;
                self.patience = left;
            }
            match self.socket.read(&mut bytes[count..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if count < ANSWER_BYTES {
                left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            }
        }
        Ok(protocol::read_answer(&bytes))
    }
}
