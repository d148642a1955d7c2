//! What a caller and a supervisor say to each other: each message is its length and its fields in postcard's form.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::level::Level;

/// What a supervisor is told first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    pub level: Level,
    /// What programs may read although it lies in a hidden directory.
    pub shared: Vec<Shared>,
    /// Directories that look empty: homes, and what holds keys and sockets.
    pub hidden: Vec<PathBuf>,
    /// Where files of programs are, for levels that cannot make a file system of their own. It exists and is empty.
    pub scratch: PathBuf,
    /// How much all files of one job may take together.
    pub disk_bytes: u64,
}

/// A file or a directory that is shown to programs, read-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    pub outside: PathBuf,
    /// Its path in the sandbox, where that has a file system of its own.
    pub inside: PathBuf,
}

/// One execution of a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Job {
    /// The executable, as the sandbox sees it.
    pub program: PathBuf,
    /// `argv`, from `argv[0]` on.
    #[serde(with = "serde_bytes_list")]
    pub arguments: Vec<Vec<u8>>,
    /// All of the environment: names and values.
    pub environment: Vec<(String, std::ffi::OsString)>,
    /// Files that exist when it starts.
    pub files: Vec<File>,
    /// Standard input; `/dev/null` if absent.
    pub stdin: Option<serde_bytes::ByteBuf>,
    /// Standard input is a descriptor that was passed along, and `stdin` is not used.
    pub stdin_is_passed: bool,
    pub limits: Limits,
}

/// Where a file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The directory in which the program starts. What it leaves there is dropped.
    Work,
    /// The directory that is for the driver: what it leaves there is handed back.
    Control,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct File {
    pub place: Place,
    /// Relative to the place, without `..`.
    pub path: PathBuf,
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Until the program is asked to end; `None` for services.
    pub milliseconds: Option<u64>,
    /// From there until it is killed.
    pub grace_milliseconds: u64,
    /// Of address space for each process, if that can be limited; and of resident memory for all of them together.
    pub memory_bytes: u64,
    /// Sanitizers reserve terabytes of address space.
    pub limits_address_space: bool,
    pub stack_bytes: u64,
    /// Of one file.
    pub file_bytes: u64,
    pub processes: u64,
    pub open_files: u64,
    /// How much of standard output and standard error is kept.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            milliseconds: Some(10_000),
            grace_milliseconds: 2_000,
            memory_bytes: 4 << 30,
            limits_address_space: true,
            stack_bytes: 8 << 20,
            file_bytes: 256 << 20,
            processes: 256,
            open_files: 1024,
            output_bytes: 64 << 10,
        }
    }
}

/// How the program came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    Exited(i32),
    Signal(i32),
    TimedOut,
}

/// A limit that all processes of a job together exceeded; they were killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exceeded {
    Memory,
    Disk,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    pub end: End,
    pub exceeded: Option<Exceeded>,
    #[serde(with = "serde_bytes")]
    pub stdout: Vec<u8>,
    #[serde(with = "serde_bytes")]
    pub stderr: Vec<u8>,
    pub microseconds: u64,
    /// What is in the directory for the driver afterwards, except for what was put there and did not change.
    pub files: Vec<File>,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    Run(Box<Job>),
    /// Ends what runs.
    Kill,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The sandbox stands; the directories in which programs work.
    Ready {
        work: PathBuf,
        control: PathBuf,
    },
    Done(Done),
    /// The job could not be started, or the sandbox could not be set up.
    Failed(String),
}

/// More than any job needs: a message that claims to be longer is none.
const MOST_BYTES: u64 = 2 << 30;

pub fn send(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = postcard::to_stdvec(message).map_err(io::Error::other)?;
    stream.write_all(&(body.len() as u64).to_le_bytes())?;
    stream.write_all(&body)
}

pub fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut head = [0; 8];
    stream.read_exact(&mut head)?;
    let length = u64::from_le_bytes(head);
    if length > MOST_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body)?;
    if body.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// A list of byte strings.
mod serde_bytes_list {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_bytes::{ByteBuf, Bytes};

    pub fn serialize<S: Serializer>(list: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
        list.iter().map(|bytes| Bytes::new(bytes)).collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let list = Vec::<ByteBuf>::deserialize(deserializer)?;
        Ok(list.into_iter().map(ByteBuf::into_vec).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_arrive_as_they_were_sent() {
        let job = Job {
            program: "/bin/true".into(),
            arguments: vec![b"true".to_vec(), vec![0xff, 0, 7]],
            files: vec![File { place: Place::Control, path: "test".into(), bytes: vec![1, 2, 3] }],
            ..Job::default()
        };
        let mut wire = Vec::new();
        send(&mut wire, &Request::Run(Box::new(job))).expect("memory takes everything");
        let Ok(Request::Run(job)) = receive(&mut wire.as_slice()) else { panic!("it does not arrive") };
        assert_eq!(job.arguments[1], [0xff, 0, 7]);
        assert_eq!(job.files[0].bytes, [1, 2, 3]);
        assert!(receive::<Request>(&mut &wire[..wire.len() - 1]).is_err());
    }
}
