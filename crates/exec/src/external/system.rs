//! System calls of the C runtime (runtime/libc/posix.h) on descriptors, clocks and the process: memory on this side, `posix` on the
//! other. Those on files are in `files`.

use symcrete_expr::Value;

use super::kernel::{Called, PATH_LIMIT, answer, system_calls, user_memory};
use super::{Context, Deed, Row};
use crate::outcome::Ended;
use crate::posix::{self, Errno};
use crate::step::Stop;

pub const TABLE: &[Row] = system_calls! {
    "__symcrete_close" => close,
    "__symcrete_lseek" => lseek,
    "__symcrete_ftruncate" => ftruncate,
    "__symcrete_isatty" => isatty,
    "__symcrete_dup" => dup,
    "__symcrete_dup2" => dup2,
    "__symcrete_fcntl" => fcntl,
    "__symcrete_user_memory" => user_memory,
    "__symcrete_clock" => clock,
    "__symcrete_getpid" => getpid,
    "__symcrete_getuid" => getuid,
    "__symcrete_getgid" => getgid,
    "__symcrete_getgroup" => getgroup,
};

pub const ENDS_TABLE: &[Row] = &[
    ("__symcrete_exit", exit),
    ("__symcrete_abort", abort),
    ("__symcrete_killed", killed),
    ("__symcrete_reaches_out", reaches_out),
    ("__symcrete_assertion_failed", assertion_failed),
];

/// What those of them do that neither print nor end the program.
pub fn deed(name: &str) -> Deed {
    match name {
        "__symcrete_isatty" | "__symcrete_statat" | "__symcrete_fstat" | "__symcrete_readlinkat" => Deed::AsksWorld,
        "__symcrete_accessat" | "__symcrete_getcwd" | "__symcrete_getpid" => Deed::AsksWorld,
        "__symcrete_getuid" | "__symcrete_getgid" | "__symcrete_getgroup" => Deed::AsksWorld,
        // Time goes on with what is read.
        "__symcrete_read" | "__symcrete_kernel_read" | "__symcrete_lseek" | "__symcrete_clock" => Deed::MovesOn,
        "__symcrete_user_memory" => Deed::Computes,
        _ => Deed::ChangesWorld,
    }
}

fn close(context: &mut Context) -> Called<i64> {
    let fd = context.int(0)?;
    Ok(context.posix().0.close(fd)?)
}

fn lseek(context: &mut Context) -> Called<i64> {
    let (fd, offset, whence) = (context.int(0)?, context.word(1)? as i64, context.int(2)?);
    let (posix, host) = context.posix();
    Ok(posix.lseek(host, fd, offset, whence)?)
}

fn ftruncate(context: &mut Context) -> Called<i64> {
    let (fd, length) = (context.int(0)?, context.word(1)? as i64);
    let (posix, host) = context.posix();
    Ok(posix.ftruncate(host, fd, length)?)
}

fn isatty(context: &mut Context) -> Called<i64> {
    let fd = context.int(0)?;
    let (posix, host) = context.posix();
    Ok(posix.isatty(host, fd)?)
}

fn dup(context: &mut Context) -> Called<i64> {
    let fd = context.int(0)?;
    Ok(context.posix().0.dup(fd)?)
}

fn dup2(context: &mut Context) -> Called<i64> {
    let (fd, to) = (context.int(0)?, context.int(1)?);
    Ok(context.posix().0.dup2(fd, to)?)
}

fn fcntl(context: &mut Context) -> Called<i64> {
    let (fd, command, argument) = (context.int(0)?, context.int(1)?, context.int(2)?);
    Ok(context.posix().0.fcntl(fd, command, argument)?)
}

fn clock(context: &mut Context) -> Called<i64> {
    let clock = context.int(0)?;
    let (seconds, nanoseconds) = (context.word(1)?, context.word(2)?);
    let time = context.posix().0.clock(clock)?;
    context.state.memory.write_word(seconds, 8, time.seconds as u64)?;
    context.state.memory.write_word(nanoseconds, 8, time.nanoseconds as u64)?;
    Ok(0)
}

fn getpid(_: &mut Context) -> Called<i64> {
    Ok(posix::PROCESS_ID)
}

fn getuid(context: &mut Context) -> Called<i64> {
    Ok(context.posix().0.credentials().user.into())
}

fn getgid(context: &mut Context) -> Called<i64> {
    Ok(context.posix().0.credentials().group.into())
}

/// A supplementary group, by its place in the list; -EINVAL behind the last.
fn getgroup(context: &mut Context) -> Called<i64> {
    let place = context.word(0)? as usize;
    let group = context.posix().0.credentials().supplementary_groups.get(place).copied();
    Ok(group.map(i64::from).ok_or(Errno::EINVAL)?)
}

/// Calls that reach other processes, by the names that the C library gives them.
const REACHING: [&str; 5] = ["system", "popen", "exec", "kill", "killpg"];

fn reaches_out(context: &mut Context) -> Result<Option<Value>, Stop> {
    let address = context.word(0)?;
    let name = context.text(address, PATH_LIMIT)?;
    if let Some(call) = REACHING.iter().find(|call| call.as_bytes() == name) {
        context.state.posix.note_reach(call);
    }
    Ok(None)
}

fn exit(context: &mut Context) -> Result<Option<Value>, Stop> {
    if let Value::Expr(status) = context.value(0) {
        return Err(Ended::ExitedWith(status).into());
    }
    // The shell sees the low byte.
    Err(Ended::Exited(context.int(0)? & 0xFF).into())
}

fn abort(_: &mut Context) -> Result<Option<Value>, Stop> {
    Err(Ended::Aborted.into())
}

fn killed(context: &mut Context) -> Result<Option<Value>, Stop> {
    Err(Ended::Killed(context.int(0)?).into())
}

fn assertion_failed(context: &mut Context) -> Result<Option<Value>, Stop> {
    let mut text = |at: usize| -> Result<String, Stop> {
        let address = context.word(at)?;
        if address == 0 {
            return Ok(String::new());
        }
        Ok(String::from_utf8_lossy(&context.text(address, PATH_LIMIT)?).into_owned())
    };
    Err(Ended::AssertionFailed { expression: text(0)?, function: text(3)? }.into())
}
