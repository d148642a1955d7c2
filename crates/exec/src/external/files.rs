//! System calls on files: those that name them by paths, and those that read and write them.

use symcrete_memory::Cell;

use super::kernel::{Called, answer, check_range, system_calls};
use super::{Context, Row};
use crate::posix::{Data, Errno, NewTime, Stat};
use crate::step::Stop;

pub const TABLE: &[Row] = system_calls! {
    "__symcrete_openat" => open,
    "__symcrete_kernel_read" => read,
    "__symcrete_kernel_write" => write,
    "__symcrete_statat" => stat,
    "__symcrete_fstat" => fstat,
    "__symcrete_accessat" => access,
    "__symcrete_unlinkat" => unlink,
    "__symcrete_renameat" => rename,
    "__symcrete_mkdirat" => mkdir,
    "__symcrete_mknodat" => mknod,
    "__symcrete_linkat" => link,
    "__symcrete_symlinkat" => symlink,
    "__symcrete_readlinkat" => readlink,
    "__symcrete_chmodat" => chmod,
    "__symcrete_fchmod" => fchmod,
    "__symcrete_chownat" => chown,
    "__symcrete_fchown" => fchown,
    "__symcrete_utimensat" => set_times,
    "__symcrete_futimens" => set_times_of_open,
    "__symcrete_chdir" => chdir,
    "__symcrete_fchdir" => fchdir,
    "__symcrete_getcwd" => getcwd,
    "__symcrete_readdir" => readdir,
};

/// A single transfer moves at most this much; longer ones are short reads or writes, which callers expect.
const TRANSFER_LIMIT: u64 = 1 << 20;

/// `read` and `write` for library functions: what they are given must be there.
pub const LIBRARY_TABLE: &[Row] = &[("__symcrete_read", library_read), ("__symcrete_write", library_write)];

fn library_read(context: &mut Context) -> Result<Option<symcrete_expr::Value>, Stop> {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?.min(TRANSFER_LIMIT));
    let (posix, host) = context.posix();
    let data = match posix.read_data(host, fd, count as usize) {
        Ok(data) => data,
        Err(errno) => return answer(context, Err(errno.into())),
    };
    if let Err(fault) = store(context, buffer, &data) {
        context.state.posix.unread(fd, data.bytes.len());
        return Err(fault.into());
    }
    answer(context, Ok(data.bytes.len() as i64))
}

fn library_write(context: &mut Context) -> Result<Option<symcrete_expr::Value>, Stop> {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?.min(TRANSFER_LIMIT));
    let data = fetch(context, buffer, count)?;
    let (posix, host) = context.posix();
    let result = posix.write_data(host, fd, &data);
    answer(context, result.map_err(Into::into))
}

/// What is in memory, to be written to a file.
fn fetch(context: &mut Context, buffer: u64, count: u64) -> Result<Data, symcrete_memory::Fault> {
    let memory = &mut context.state.memory;
    if memory.is_symbolic(buffer, count) {
        let mut cells = Vec::new();
        memory.read_cells(buffer, count, &mut cells)?;
        Ok(Data::from_cells(&cells))
    } else {
        let mut bytes = vec![0; count as usize];
        memory.read_bytes(buffer, &mut bytes)?;
        Ok(Data { bytes, parts: Vec::new() })
    }
}

/// Puts what was read from a file into memory.
fn store(context: &mut Context, buffer: u64, data: &Data) -> Result<(), symcrete_memory::Fault> {
    let memory = &mut context.state.memory;
    memory.write_bytes(buffer, &data.bytes)?;
    for (at, part) in &data.parts {
        let cell = Cell::Part { expr: part.expr, index: part.index };
        memory.write_cells(buffer + *at as u64, &[cell])?;
    }
    Ok(())
}

/// What cannot be stored stays to be read.
fn read(context: &mut Context) -> Called<i64> {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?);
    context.state.posix.check_may_read(fd)?;
    check_range(buffer, count)?;
    let (posix, host) = context.posix();
    let data = posix.read_data(host, fd, count.min(TRANSFER_LIMIT) as usize)?;
    if let Err(fault) = store(context, buffer, &data) {
        context.state.posix.unread(fd, data.bytes.len());
        return Err(fault.into());
    }
    Ok(data.bytes.len() as i64)
}

fn write(context: &mut Context) -> Called<i64> {
    let (fd, buffer, count) = (context.int(0)?, context.word(1)?, context.word(2)?);
    context.state.posix.check_may_write(fd)?;
    check_range(buffer, count)?;
    if let Some(result) = context.state.posix.write_unseen(fd, count) {
        return Ok(result?);
    }
    let data = fetch(context, buffer, count.min(TRANSFER_LIMIT))?;
    let (posix, host) = context.posix();
    Ok(posix.write_data(host, fd, &data)?)
}

fn open(context: &mut Context) -> Called<i64> {
    let (flags, mode) = (context.int(2)?, context.word(3)? as u32);
    context.on_path(0, |posix, host, path| posix.open(host, path, flags, mode))
}

fn give_stat(context: &mut Context, stat: &Stat, at: usize) -> Called<i64> {
    let out = context.word(at)?;
    context.state.memory.write_bytes(out, &stat.to_bytes())?;
    Ok(0)
}

fn stat(context: &mut Context) -> Called<i64> {
    let flags = context.int(2)?;
    let known = libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH | libc::AT_NO_AUTOMOUNT;
    if flags & !known != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (directory, path) = (context.int(0)?, context.path(1)?);
    let (posix, host) = context.posix();
    let stat = if path.is_empty() && flags & libc::AT_EMPTY_PATH != 0 {
        match directory {
            libc::AT_FDCWD => posix.stat(host, b".")?,
            _ => posix.fstat(host, directory)?,
        }
    } else {
        posix.beginning_at(directory, &path, |posix| match flags & libc::AT_SYMLINK_NOFOLLOW {
            0 => posix.stat(host, &path),
            _ => posix.lstat(host, &path),
        })?
    };
    give_stat(context, &stat, 3)
}

fn fstat(context: &mut Context) -> Called<i64> {
    let fd = context.int(0)?;
    let (posix, host) = context.posix();
    let stat = posix.fstat(host, fd)?;
    give_stat(context, &stat, 1)
}

fn access(context: &mut Context) -> Called<i64> {
    let mode = context.int(2)?;
    context.on_path(0, |posix, host, path| posix.access(host, path, mode))
}

fn unlink(context: &mut Context) -> Called<i64> {
    let flags = context.int(2)?;
    context.on_path(0, |posix, host, path| match flags {
        0 => posix.unlink(host, path),
        libc::AT_REMOVEDIR => posix.rmdir(host, path),
        _ => Err(Errno::EINVAL),
    })
}

/// Makes both paths of a call begin at the current directory.
fn two_paths(context: &mut Context) -> Called<(Vec<u8>, Vec<u8>)> {
    let (from, to) = (context.path(1)?, context.path(3)?);
    let (from_directory, to_directory) = (context.int(0)?, context.int(2)?);
    let (posix, _) = context.posix();
    Ok((posix.from_current_directory(from_directory, from)?, posix.from_current_directory(to_directory, to)?))
}

fn rename(context: &mut Context) -> Called<i64> {
    let (from, to) = two_paths(context)?;
    let (posix, host) = context.posix();
    Ok(posix.rename(host, &from, &to)?)
}

fn link(context: &mut Context) -> Called<i64> {
    let flags = context.int(4)?;
    if flags & !libc::AT_SYMLINK_FOLLOW != 0 {
        return Err(Errno::EINVAL.into());
    }
    let (from, to) = two_paths(context)?;
    let (posix, host) = context.posix();
    Ok(posix.link(host, &from, &to, flags != 0)?)
}

fn mkdir(context: &mut Context) -> Called<i64> {
    let mode = context.word(2)? as u32;
    context.on_path(0, |posix, host, path| posix.mkdir(host, path, mode))
}

fn mknod(context: &mut Context) -> Called<i64> {
    let mode = context.word(2)? as u32;
    context.on_path(0, |posix, host, path| posix.mknod(host, path, mode))
}

/// Its arguments are in the order of `symlinkat`: target, directory, path.
fn symlink(context: &mut Context) -> Called<i64> {
    let target = context.path(0)?;
    context.on_path(1, |posix, host, path| posix.symlink(host, &target, path))
}

fn readlink(context: &mut Context) -> Called<i64> {
    let (buffer, size) = (context.word(2)?, context.word(3)?);
    if size == 0 || size > i32::MAX as u64 {
        return Err(Errno::EINVAL.into());
    }
    let target = context.on_path(0, |posix, host, path| posix.readlink(host, path))?;
    let target = &target[..target.len().min(size as usize)];
    context.state.memory.write_bytes(buffer, target)?;
    Ok(target.len() as i64)
}

fn chmod(context: &mut Context) -> Called<i64> {
    let mode = context.word(2)? as u32;
    context.on_path(0, |posix, host, path| posix.chmod(host, Some(path), -1, mode))
}

fn fchmod(context: &mut Context) -> Called<i64> {
    let (fd, mode) = (context.int(0)?, context.word(1)? as u32);
    let (posix, host) = context.posix();
    Ok(posix.chmod(host, None, fd, mode)?)
}

fn chown(context: &mut Context) -> Called<i64> {
    let owner = (context.word(2)? as u32, context.word(3)? as u32);
    let follow = context.int(4)? & libc::AT_SYMLINK_NOFOLLOW == 0;
    context.on_path(0, |posix, host, path| posix.chown(host, Some(path), -1, follow, owner))
}

fn fchown(context: &mut Context) -> Called<i64> {
    let (fd, owner) = (context.int(0)?, (context.word(1)? as u32, context.word(2)? as u32));
    let (posix, host) = context.posix();
    Ok(posix.chown(host, None, fd, true, owner)?)
}

/// The times to set: four 64-bit words in memory of the runtime's own, or a null pointer for now.
fn times(context: &mut Context, at: usize) -> Called<[NewTime; 2]> {
    let address = context.word(at)?;
    if address == 0 {
        return Ok([NewTime::Now; 2]);
    }
    let bytes = context.bytes(address, 32)?;
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = i64::from_le_bytes(*bytes);
    }
    Ok([NewTime::of_timespec(words[0], words[1])?, NewTime::of_timespec(words[2], words[3])?])
}

fn set_times(context: &mut Context) -> Called<i64> {
    let (times, flags) = (times(context, 2)?, context.int(3)?);
    if flags & !libc::AT_SYMLINK_NOFOLLOW != 0 {
        return Err(Errno::EINVAL.into());
    }
    context.on_path(0, |posix, host, path| posix.set_times(host, Some(path), -1, flags == 0, times))
}

fn set_times_of_open(context: &mut Context) -> Called<i64> {
    let (fd, times) = (context.int(0)?, times(context, 1)?);
    let (posix, host) = context.posix();
    Ok(posix.set_times(host, None, fd, true, times)?)
}

fn chdir(context: &mut Context) -> Called<i64> {
    let path = context.path(0)?;
    let (posix, host) = context.posix();
    Ok(posix.chdir(host, &path)?)
}

fn fchdir(context: &mut Context) -> Called<i64> {
    let fd = context.int(0)?;
    Ok(context.posix().0.fchdir(fd)?)
}

fn getcwd(context: &mut Context) -> Called<i64> {
    let (buffer, size) = (context.word(0)?, context.word(1)?);
    let path = context.posix().0.getcwd(size as usize)?;
    context.state.memory.write_bytes(buffer, &path)?;
    Ok(path.len() as i64)
}

fn readdir(context: &mut Context) -> Called<i64> {
    let (path, index) = (context.path(0)?, context.word(1)?);
    let (buffer, size) = (context.word(2)?, context.word(3)?);
    let (posix, host) = context.posix();
    match posix.readdir(host, &path, index as usize)? {
        Some((mut name, kind)) if (name.len() as u64) < size => {
            name.push(0);
            context.state.memory.write_bytes(buffer, &name)?;
            Ok(i64::from(kind) + 1)
        }
        Some(_) => Err(Errno::ENAMETOOLONG.into()),
        None => Ok(0),
    }
}
