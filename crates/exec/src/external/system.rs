//! System calls of the C runtime (runtime/libc/posix.h): memory on this side, `posix` on the other.

use symcrete_expr::Value;
use symcrete_memory::Cell;

use super::{Context, Deed, Row};
use crate::outcome::Ended;
use crate::posix::{self, Data, Errno, Host, Posix, Stat};
use crate::step::Stop;

pub const TABLE: &[Row] = &[
    ("__symcrete_open", open),
    ("__symcrete_close", close),
    ("__symcrete_read", read),
    ("__symcrete_write", write),
    ("__symcrete_lseek", lseek),
    ("__symcrete_ftruncate", ftruncate),
    ("__symcrete_isatty", isatty),
    ("__symcrete_dup", dup),
    ("__symcrete_dup2", dup2),
    ("__symcrete_stat", stat),
    ("__symcrete_lstat", lstat),
    ("__symcrete_fstat", fstat),
    ("__symcrete_access", access),
    ("__symcrete_unlink", unlink),
    ("__symcrete_rename", rename),
    ("__symcrete_mkdir", mkdir),
    ("__symcrete_rmdir", rmdir),
    ("__symcrete_chdir", chdir),
    ("__symcrete_getcwd", getcwd),
    ("__symcrete_readdir", readdir),
    ("__symcrete_clock", clock),
    ("__symcrete_getpid", getpid),
    ("__symcrete_exit", exit),
    ("__symcrete_abort", abort),
    ("__symcrete_assertion_failed", assertion_failed),
];

/// What those of them do that neither print nor end the program.
pub fn deed(name: &str) -> Deed {
    match name {
        "__symcrete_isatty" | "__symcrete_stat" | "__symcrete_lstat" | "__symcrete_fstat" => Deed::AsksWorld,
        "__symcrete_access" | "__symcrete_getcwd" | "__symcrete_getpid" => Deed::AsksWorld,
        // Time goes on with what is read.
        "__symcrete_read" | "__symcrete_lseek" | "__symcrete_clock" => Deed::MovesOn,
        _ => Deed::ChangesWorld,
    }
}

/// The longest path that Linux takes; a string without an end is cut here.
const PATH_LIMIT: usize = 4096;
/// A single transfer moves at most this much; longer ones are short reads or writes, which callers expect.
const TRANSFER_LIMIT: u64 = 1 << 20;

type Answer = Result<Option<Value>, Stop>;

impl Context<'_> {
    /// The POSIX layer with its clock set, and the host.
    fn posix(&mut self) -> (&mut Posix, &mut dyn Host) {
        self.state.posix.set_instructions(self.state.steps);
        (&mut self.state.posix, &mut *self.executor.host)
    }

    /// A path argument.
    fn path(&mut self, at: usize) -> Result<Vec<u8>, Stop> {
        let address = self.word(at)?;
        self.text(address, PATH_LIMIT)
    }

    fn answer(&self, result: Result<i64, Errno>) -> Answer {
        Ok(self.signed(posix::returned(result)))
    }

    fn answer_stat(&mut self, result: Result<Stat, Errno>, at: usize) -> Answer {
        let out = self.word(at)?;
        match result {
            Ok(stat) => {
                self.state.memory.write_bytes(out, &stat.to_bytes())?;
                self.answer(Ok(0))
            }
            Err(errno) => self.answer(Err(errno)),
        }
    }
}

fn open(context: &mut Context) -> Answer {
    let (path, flags, mode) = (context.path(0)?, context.int(1)?, context.word(2)? as u32);
    let (posix, host) = context.posix();
    let result = posix.open(host, &path, flags, mode);
    context.answer(result)
}

fn close(context: &mut Context) -> Answer {
    let fd = context.int(0)?;
    let result = context.posix().0.close(fd);
    context.answer(result)
}

fn read(context: &mut Context) -> Answer {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?);
    let (posix, host) = context.posix();
    match posix.read_data(host, fd, count.min(TRANSFER_LIMIT) as usize) {
        Ok(data) => {
            context.state.memory.write_bytes(buffer, &data.bytes)?;
            for (at, part) in &data.parts {
                let cell = Cell::Part { expr: part.expr, index: part.index };
                context.state.memory.write_cells(buffer + *at as u64, &[cell])?;
            }
            context.answer(Ok(data.bytes.len() as i64))
        }
        Err(errno) => context.answer(Err(errno)),
    }
}

fn write(context: &mut Context) -> Answer {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?);
    let count = count.min(TRANSFER_LIMIT);
    let data = if context.state.memory.is_symbolic(buffer, count) {
        let mut cells = Vec::new();
        context.state.memory.read_cells(buffer, count, &mut cells)?;
        Data::from_cells(&cells)
    } else {
        let mut bytes = vec![0; count as usize];
        context.state.memory.read_bytes(buffer, &mut bytes)?;
        Data { bytes, parts: Vec::new() }
    };
    let (posix, host) = context.posix();
    let result = posix.write_data(host, fd, &data);
    context.answer(result)
}

fn lseek(context: &mut Context) -> Answer {
    let (fd, offset, whence) = (context.int(0)?, context.word(1)? as i64, context.int(2)?);
    let (posix, host) = context.posix();
    let result = posix.lseek(host, fd, offset, whence);
    context.answer(result)
}

fn ftruncate(context: &mut Context) -> Answer {
    let (fd, length) = (context.int(0)?, context.word(1)? as i64);
    let (posix, host) = context.posix();
    let result = posix.ftruncate(host, fd, length);
    context.answer(result)
}

fn isatty(context: &mut Context) -> Answer {
    let fd = context.int(0)?;
    let (posix, host) = context.posix();
    let result = posix.isatty(host, fd);
    context.answer(result)
}

fn dup(context: &mut Context) -> Answer {
    let fd = context.int(0)?;
    let result = context.posix().0.dup(fd);
    context.answer(result)
}

fn dup2(context: &mut Context) -> Answer {
    let (fd, to) = (context.int(0)?, context.int(1)?);
    let result = context.posix().0.dup2(fd, to);
    context.answer(result)
}

fn stat(context: &mut Context) -> Answer {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    let result = posix.stat(host, &path);
    context.answer_stat(result, 1)
}

fn lstat(context: &mut Context) -> Answer {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    let result = posix.lstat(host, &path);
    context.answer_stat(result, 1)
}

fn fstat(context: &mut Context) -> Answer {
    let fd = context.int(0)?;
    let (posix, host) = context.posix();
    let result = posix.fstat(host, fd);
    context.answer_stat(result, 1)
}

fn access(context: &mut Context) -> Answer {
    let (path, mode) = (context.path(0)?, context.int(1)?);
    let (posix, host) = context.posix();
    let result = posix.access(host, &path, mode);
    context.answer(result)
}

fn unlink(context: &mut Context) -> Answer {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    let result = posix.unlink(host, &path);
    context.answer(result)
}

fn rename(context: &mut Context) -> Answer {
    let (from, to) = (context.path(0)?, context.path(1)?);
    let (posix, host) = context.posix();
    let result = posix.rename(host, &from, &to);
    context.answer(result)
}

fn mkdir(context: &mut Context) -> Answer {
    let (path, mode) = (context.path(0)?, context.word(1)? as u32);
    let (posix, host) = context.posix();
    let result = posix.mkdir(host, &path, mode);
    context.answer(result)
}

fn rmdir(context: &mut Context) -> Answer {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    let result = posix.rmdir(host, &path);
    context.answer(result)
}

fn chdir(context: &mut Context) -> Answer {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    let result = posix.chdir(host, &path);
    context.answer(result)
}

fn getcwd(context: &mut Context) -> Answer {
    let (buffer, size) = (context.word(0)?, context.word(1)?);
    let result = context.posix().0.getcwd(size as usize);
    let result = match result {
        Ok(path) => {
            context.state.memory.write_bytes(buffer, &path)?;
            Ok(path.len() as i64)
        }
        Err(errno) => Err(errno),
    };
    context.answer(result)
}

fn readdir(context: &mut Context) -> Answer {
    let (path, index) = (context.path(0)?, context.word(1)?);
    let (buffer, size) = (context.word(2)?, context.word(3)?);
    let (posix, host) = context.posix();
    let result = match posix.readdir(host, &path, index as usize) {
        Ok(Some((mut name, kind))) if (name.len() as u64) < size => {
            name.push(0);
            context.state.memory.write_bytes(buffer, &name)?;
            Ok(i64::from(kind) + 1)
        }
        Ok(Some(_)) => Err(Errno::ENAMETOOLONG),
        Ok(None) => Ok(0),
        Err(errno) => Err(errno),
    };
    context.answer(result)
}

fn clock(context: &mut Context) -> Answer {
    let clock = context.int(0)?;
    let (seconds, nanoseconds) = (context.word(1)?, context.word(2)?);
    let result = context.posix().0.clock(clock);
    let result = match result {
        Ok(time) => {
            context.state.memory.write_word(seconds, 8, time.seconds as u64)?;
            context.state.memory.write_word(nanoseconds, 8, time.nanoseconds as u64)?;
            Ok(0)
        }
        Err(errno) => Err(errno),
    };
    context.answer(result)
}

fn getpid(context: &mut Context) -> Answer {
    context.answer(Ok(posix::PROCESS_ID))
}

fn exit(context: &mut Context) -> Answer {
    if let Value::Expr(status) = context.value(0) {
        return Err(Ended::ExitedWith(status).into());
    }
    // The shell sees the low byte.
    Err(Ended::Exited(context.int(0)? & 0xFF).into())
}

fn abort(_: &mut Context) -> Answer {
    Err(Ended::Aborted.into())
}

fn assertion_failed(context: &mut Context) -> Answer {
    let mut text = |at: usize| -> Result<String, Stop> {
        let address = context.word(at)?;
        if address == 0 {
            return Ok(String::new());
        }
        Ok(String::from_utf8_lossy(&context.text(address, PATH_LIMIT)?).into_owned())
    };
    Err(Ended::AssertionFailed { expression: text(0)?, function: text(3)? }.into())
}
