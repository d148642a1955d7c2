//! The helper process: loads shared objects and answers requests until nobody asks any more.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::process::{Resource, Rlimit, Signal};

use crate::foreign::{self, Address};
use crate::protocol::{self, ANSWER_BYTES, CALL, FIND, FINE, HEAD_BYTES, MISSING, TROUBLE};

/// What the functions of a program may take.
const MOST_MEMORY: u64 = 4 << 30;

/// Answers on the socket that is this process's standard input, until that is closed.
pub fn serve(libraries: &[PathBuf]) -> io::Result<()> {
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // Who asked may be killed while a function never returns.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // A function that reads standard input must not read requests.
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    let _ = rustix::process::setrlimit(Resource::Core, limit(0));
    let _ = rustix::process::setrlimit(Resource::As, limit(MOST_MEMORY));
    foreign::die_of_signals();
    if let Err(trouble) = libraries.iter().try_for_each(|library| foreign::load(library)) {
        socket.write_all(&protocol::answer(TROUBLE, trouble.len() as u128))?;
        return socket.write_all(trouble.as_bytes());
    }
    socket.write_all(&protocol::answer(FINE, 0))?;
    Server { socket, functions: Vec::new(), read: Vec::new(), answers: Vec::new() }.run()
}

struct Server {
    socket: UnixStream,
    functions: Vec<Address>,
    /// Bytes that came and were not looked at.
    read: Vec<u8>,
    /// Bytes to be sent when all requests that came are answered.
    answers: Vec<u8>,
}

impl Server {
    fn run(mut self) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = self.socket.read(&mut buffer)?;
            if count == 0 {
                return Ok(());
            }
            self.read.extend(&buffer[..count]);
            let mut done = 0;
            while let Some((what, body)) = request(&self.read[done..]) {
                let answer = answer(what, body, &mut self.functions);
                done += HEAD_BYTES + body.len();
                self.answers.extend(answer);
            }
            self.read.drain(..done);
            self.socket.write_all(&self.answers)?;
            self.answers.clear();
        }
    }
}

/// The first request, if all of it is there.
fn request(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (what, rest) = bytes.split_first_chunk::<4>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let body = rest.get(..u32::from_le_bytes(*length) as usize)?;
    Some((u32::from_le_bytes(*what), body))
}

fn answer(what: u32, body: &[u8], functions: &mut Vec<Address>) -> [u8; ANSWER_BYTES] {
    let missing = protocol::answer(MISSING, 0);
    match what {
        FIND => {
            let found = std::str::from_utf8(body).ok().and_then(foreign::find);
            let Some(address) = found else { return missing };
            functions.push(address);
            protocol::answer(FINE, functions.len() as u128 - 1)
        }
        CALL => {
            let asked = protocol::read_call(body);
            let Some((asked, address)) =
                asked.and_then(|asked| functions.get(asked.function as usize).copied().map(|address| (asked, address)))
            else {
                return missing;
            };
            let bits = foreign::call(address, &asked.arguments, asked.result);
            protocol::answer(FINE, protocol::cut(bits, asked.result))
        }
        _ => missing,
    }
}
