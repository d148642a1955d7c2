//! The one unsafe file of `sandbox`: system calls that no crate offers safely.
//!
//! Contract: everything here runs in a supervisor process, which has one thread from its start to its end. So a fork
//! leaves a whole process behind, memory can be allocated between fork and exec, and credentials of the thread are those
//! of the process. Pointers that are passed live until the call returns.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

fn check(result: i64) -> io::Result<i64> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Namespaces of one's own.
pub fn unshare(flags: i32) -> io::Result<()> {
    // SAFETY: takes numbers only; none of the flags shares memory differently.
    check(unsafe { libc::unshare(flags) }.into()).map(drop)
}

/// `None` in the child.
pub fn fork() -> io::Result<Option<i32>> {
    // SAFETY: by the contract above there is one thread.
    let child = check(unsafe { libc::fork() }.into())? as i32;
    Ok((child != 0).then_some(child))
}

/// What `prepare` does happens in the child, before it becomes the program.
pub fn before_exec(command: &mut Command, prepare: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: by the contract above there is one thread, so that the child may do what any process may.
    unsafe { command.pre_exec(prepare) };
}

/// Makes a mount and all below it read-only, without set-user-ID programs and, unless `keeps_devices`, without devices.
pub fn make_read_only(path: &Path, recursive: bool, keeps_devices: bool) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let devices = if keeps_devices { 0 } else { libc::MOUNT_ATTR_NODEV };
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | devices,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path and the attributes outlive the call; the size is that of the struct.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    check(result).map(drop)
}

/// Becomes this user and group, without any others and without privileges.
pub fn become_user(id: u32) -> io::Result<()> {
    // SAFETY: numbers and an empty list.
    unsafe {
        check(libc::setgroups(0, std::ptr::null()).into())?;
        check(libc::setresgid(id, id, id).into())?;
        check(libc::setresuid(id, id, id).into())?;
    }
    Ok(())
}

/// Sets the loopback interface of a network of one's own up.
pub fn loopback_up() -> io::Result<()> {
    // SAFETY: the descriptor is new and owned; the request is a whole `ifreq` with a NUL-terminated name.
    unsafe {
        let socket = check(libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0).into())? as i32;
        let socket = OwnedFd::from_raw_fd(socket);
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as _;
        request.ifr_name[1] = b'o' as _;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as _;
        check(libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &request).into())?;
    }
    Ok(())
}

/// Puts a filter over the system calls of this process and of those that it becomes or makes. It must not gain privileges
/// any more.
pub fn install_filter(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the filter, which outlives the call, and does not write to it.
    check(unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) }.into()).map(drop)
}

/// Closes all descriptors but the three standard ones when the process becomes another program.
pub fn close_others_on_exec() -> io::Result<()> {
    // SAFETY: takes numbers only, and closes nothing now.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    check(result).map(drop)
}

/// The version of Landlock's interface; `None` without Landlock.
pub fn landlock_abi() -> Option<u32> {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no struct.
    let result = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION) };
    u32::try_from(result).ok().filter(|version| *version > 0)
}

pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
