//! Error numbers of Linux system calls as a type. When which one is given is decided where the call is implemented.

use std::{fmt, io};

/// Why a system call failed. The number is the host's: programs are compiled with the host's headers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Errno(i32);

macro_rules! error_numbers {
    ($($name:ident)*) => {
        impl Errno {
            $(pub const $name: Errno = Errno(libc::$name);)*
        }

        impl fmt::Debug for Errno {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Errno::$name => formatter.write_str(stringify!($name)),)*
                    Errno(number) => write!(formatter, "Errno({number})"),
                }
            }
        }
    };
}

error_numbers! {
    EACCES EBADF EBUSY EEXIST EFAULT EFBIG EINVAL EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENOENT ENOMEM ENOSPC ENOSYS ENOTDIR ENOTEMPTY
    ENXIO EOPNOTSUPP EPERM EPIPE ERANGE EROFS ESPIPE EXDEV
}

impl Errno {
    /// The error with a positive number, as `errno` holds it.
    pub fn from_number(number: i32) -> Errno {
        Errno(number)
    }

    /// The positive number, as `errno` holds it.
    pub fn number(self) -> i32 {
        self.0
    }
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Errno {
        error.raw_os_error().map_or(Errno::EIO, Errno)
    }
}

/// What the system call returns in a register: the value, or the negative error number.
pub fn returned(result: Result<i64, Errno>) -> i64 {
    result.unwrap_or_else(|errno| -i64::from(errno.0))
}
