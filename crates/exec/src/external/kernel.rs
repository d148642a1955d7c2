//! The border between a program and the kernel, for system calls that the C runtime makes (runtime/libc/posix.h).
//!
//! A pointer to nothing makes a system call fail with EFAULT, where a library function would crash. A pointer into an object, of
//! which the kernel would use more than there is, is a mistake of the program, as everywhere.

use symcrete_expr::Value;
use symcrete_memory::{Access, Fault, FaultKind};

use super::Context;
use crate::outcome::Ended;
use crate::posix::{self, Errno, Host, Posix};
use crate::step::Stop;

/// The longest path that Linux takes; a string without an end is cut here.
pub(super) const PATH_LIMIT: usize = 4096;
/// Where the addresses of the kernel begin.
const END_OF_USER_MEMORY: u64 = 0x7fff_ffff_f000;

/// Why a system call did nothing.
pub(super) enum Refused {
    /// It fails, and the program is told.
    Failed(Errno),
    /// The path cannot go on with it as it is.
    Stopped(Stop),
}

pub(super) type Called<T> = Result<T, Refused>;

impl From<Errno> for Refused {
    fn from(errno: Errno) -> Refused {
        Refused::Failed(errno)
    }
}

impl From<Stop> for Refused {
    fn from(stop: Stop) -> Refused {
        Refused::Stopped(stop)
    }
}

/// Nothing is mapped at such an address, or it must not be written, and the kernel notices.
fn is_noticed(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::NullDereference | FaultKind::Wild | FaultKind::WriteToReadOnly)
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Refused {
        if is_noticed(&fault) { Refused::Failed(Errno::EFAULT) } else { Refused::Stopped(fault.into()) }
    }
}

/// What a system call gives to the runtime.
pub(super) fn answer(context: &Context, result: Called<i64>) -> Result<Option<Value>, Stop> {
    match result {
        Ok(number) => Ok(context.signed(number)),
        Err(Refused::Failed(errno)) => Ok(context.signed(posix::returned(Err(errno)))),
        Err(Refused::Stopped(stop)) => Err(stop),
    }
}

/// A row of the table of external functions for a system call.
macro_rules! system_calls {
    ($($name:literal => $call:path),* $(,)?) => {
        &[$(($name, |context: &mut Context| {
            let result = $call(context);
            answer(context, result)
        })),*]
    };
}
pub(super) use system_calls;

/// Says EFAULT for an address of the kernel's own.
pub(super) fn check_range(address: u64, bytes: u64) -> Called<()> {
    let end = address.checked_add(bytes).filter(|end| *end <= END_OF_USER_MEMORY);
    end.map(|_| ()).ok_or(Refused::Failed(Errno::EFAULT))
}

impl Context<'_> {
    /// The POSIX layer with its clock set, and the host.
    pub(super) fn posix(&mut self) -> (&mut Posix, &mut dyn Host) {
        self.state.posix.set_instructions(self.state.steps);
        (&mut self.state.posix, &mut *self.executor.host)
    }

    /// A path among the arguments.
    pub(super) fn path(&mut self, at: usize) -> Called<Vec<u8>> {
        let address = self.word(at)?;
        match self.text(address, PATH_LIMIT) {
            Err(Stop::Ended(Ended::Memory(fault))) => Err((*fault).into()),
            result => Ok(result?),
        }
    }

    /// Makes a call on the path that is argument number `at`, behind the directory at which it begins if it is relative.
    pub(super) fn on_path<R>(
        &mut self,
        at: usize,
        call: impl FnOnce(&mut Posix, &mut dyn Host, &[u8]) -> Result<R, Errno>,
    ) -> Called<R> {
        let (directory, path) = (self.int(at)?, self.path(at + 1)?);
        let (posix, host) = self.posix();
        Ok(posix.beginning_at(directory, &path, |posix| call(posix, host, &path))?)
    }
}

/// Whether the kernel could use so much memory there: 0, or EFAULT.
pub(super) fn user_memory(context: &mut Context) -> Called<i64> {
    let (address, bytes, writes) = (context.word(0)?, context.word(1)?, context.int(2)? != 0);
    if bytes == 0 {
        return Ok(0);
    }
    check_range(address, bytes)?;
    let memory = &mut context.state.memory;
    memory.read_cells(address, bytes, &mut Vec::new())?;
    if writes {
        let is_read_only =
            memory.resolve(address).and_then(|(id, _)| memory.info(id)).is_some_and(|info| info.read_only);
        if is_read_only {
            return Err(memory.fault(address, bytes, Access::Write).into());
        }
    }
    Ok(0)
}
