//! Calls of one path that change, or try to change, files outside of the directory that the program began in and of /tmp. In the
//! engine they change nothing but the path's own view; natively they would reach the files of the user.

use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::Posix;

/// The first such call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideChange {
    /// The name of the system call.
    pub call: &'static str,
    /// Where the path led; empty for a call that reaches other processes.
    pub path: Vec<u8>,
}

/// What a path changed, or tried to.
#[derive(Clone, Default)]
pub struct Changes {
    /// The first change anywhere.
    anywhere: Option<Rc<OutsideChange>>,
    /// The first outside of the directory that the program began in and of /tmp, or to other processes.
    outside: Option<Rc<OutsideChange>>,
}

impl Posix {
    /// The first call that would have changed files outside, whether or not it was allowed.
    pub fn outside_change(&self) -> Option<&OutsideChange> {
        self.changes.outside.as_deref()
    }

    /// The first call that changed files anywhere, or would have.
    pub fn any_change(&self) -> Option<&OutsideChange> {
        self.changes.anywhere.as_deref()
    }

    /// To be called by what reaches other processes: natively they are there.
    pub(crate) fn note_reach(&mut self, call: &'static str) {
        let change = Rc::new(OutsideChange { call, path: Vec::new() });
        self.changes.anywhere.get_or_insert_with(|| change.clone());
        self.changes.outside.get_or_insert(change);
    }

    /// To be called by whatever creates, changes or removes what a path names, before anything is checked: natively another user
    /// may be allowed to.
    pub(crate) fn note_change(&mut self, call: &'static str, path: &[u8]) {
        if self.changes.outside.is_some() || path.is_empty() {
            return;
        }
        let base = match path.first() {
            Some(b'/') => Vec::new(),
            // A directory that was removed leads nowhere.
            _ => match self.files.path_of(self.current_directory) {
                Some(base) => base,
                None => return,
            },
        };
        let path = plain(&base, path);
        let keeps_nothing = is_harmless(&path) && !path.starts_with("/tmp");
        let is_outside = !is_harmless(&path) && !path.starts_with(plain(b"", &self.beginning));
        let change = Rc::new(OutsideChange { call, path: path.into_os_string().into_encoded_bytes() });
        if is_outside {
            self.changes.outside = Some(change.clone());
        }
        if !keeps_nothing {
            self.changes.anywhere.get_or_insert(change);
        }
    }
}

/// What a path names, with `..` taken back by its text alone.
fn plain(base: &[u8], path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    let joined = [base, b"/", path].concat();
    let mut plain = PathBuf::from("/");
    for part in Path::new(std::ffi::OsStr::from_bytes(&joined)).components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// Files that may be written by everybody, and devices that keep nothing.
fn is_harmless(path: &Path) -> bool {
    let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr"];
    let folders = ["/tmp", "/dev/fd", "/proc/self/fd"];
    devices.iter().any(|device| path == Path::new(device))
        || folders.iter().any(|folder| path.starts_with(folder) && path != Path::new(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_by_their_text() {
        assert_eq!(plain(b"/a/x", b"../y/./z"), Path::new("/a/y/z"));
        assert_eq!(plain(b"", b"/../../etc//passwd"), Path::new("/etc/passwd"));
        assert!(is_harmless(Path::new("/tmp/x")) && is_harmless(Path::new("/dev/null")));
        assert!(!is_harmless(Path::new("/tmp")) && !is_harmless(Path::new("/dev/sda")));
    }
}
