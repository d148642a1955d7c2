//! The file system of a sandbox with namespaces: all of the machine, read-only; the scratch directory and `/tmp`, private and
//! of bounded size; homes and the like, empty.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive, unmount};
use rustix::process::{chdir, pivot_root};

use super::files::{Folders, TEMPORARY_MODE};
use super::named;
use crate::protocol::{Setup, Shared};
use crate::sys;

/// The directory in which programs start.
const WORK: &str = "/scratch";
/// Where the driver's files and what is shared lie.
const OURS: &str = "/symcrete";

/// What is made anew instead of shown.
const SPECIAL: &[&str] = &["dev", "proc", "symcrete", "scratch", "tmp"];

const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];

/// How many files one job may have.
const MOST_FILES: u64 = 100_000;

/// Builds it, and makes it the root of this process. `owner` is whom the scratch directory belongs to, if not this user.
pub fn build(setup: &Setup, owner: Option<u32>) -> io::Result<Folders> {
    let small = || Some(c"mode=755,size=4m");
    let step = |what: &'static str| move |error: io::Error| named(what, error);
    // What is to be shown stays in sight below /old while the new root grows beside it.
    tmpfs(Path::new("/tmp"), small()).map_err(step("a file system in memory"))?;
    fs::create_dir("/tmp/old")?;
    fs::create_dir("/tmp/new")?;
    pivot_root("/tmp", "/tmp/old")?;
    chdir("/")?;
    let (old, new) = (Path::new("/old"), Path::new("/new"));
    tmpfs(new, small())?;
    show_everything(old, new, &setup.hidden).map_err(step("the machine's files"))?;
    hide(new, &setup.hidden).map_err(step("hiding directories"))?;
    let folders = make_scratch(new, setup.disk_bytes, owner).map_err(step("the scratch directory"))?;
    make_devices(old, new).map_err(step("/dev"))?;
    make_processes(new).map_err(step("/proc"))?;
    for shared in &setup.shared {
        share(old, new, shared).map_err(|error| named(&shared.outside.display().to_string(), error))?;
    }
    for hidden in setup.hidden.iter().filter_map(|path| covered(new, path)) {
        sys::make_read_only(&hidden, false, false)?;
    }
    sys::make_read_only(new, false, false)?;
    unmount(old, UnmountFlags::DETACH)?;
    // The new root is mounted over the old one, which goes.
    chdir(new)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    Ok(folders)
}

fn tmpfs(path: &Path, options: Option<&std::ffi::CStr>) -> io::Result<()> {
    Ok(mount("tmpfs", path, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options)?)
}

/// Whether a directory right below the root is not shown.
fn is_hidden(name: &Path, hidden: &[PathBuf]) -> bool {
    hidden.iter().any(|path| path.strip_prefix("/") == Ok(name))
}

/// Binds each directory of the root, read-only. Hidden ones are empty from the start.
fn show_everything(old: &Path, new: &Path, hidden: &[PathBuf]) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        let (from, to) = (old.join(&name), new.join(&name));
        let kind = entry.file_type()?;
        if SPECIAL.iter().any(|special| name == Path::new(special)) {
            continue;
        }
        if kind.is_symlink() {
            symlink(fs::read_link(&from)?, &to)?;
        } else if kind.is_dir() {
            fs::create_dir(&to)?;
            if !is_hidden(&name, hidden) {
                mount_bind_recursive(&from, &to)?;
                sys::make_read_only(&to, true, false)?;
            }
        }
    }
    Ok(())
}

/// A hidden directory that lies in one that is shown, and is there.
fn covered(new: &Path, hidden: &Path) -> Option<PathBuf> {
    let relative = hidden.strip_prefix("/").ok()?;
    let path = new.join(relative);
    let is_deep = relative.components().count() > 1;
    let is_there = || fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
    // Its parents must not be links either, or something else would be covered.
    let is_real = || path.canonicalize().is_ok_and(|real| real == path);
    (is_deep && is_there() && is_real()).then_some(path)
}

fn hide(new: &Path, hidden: &[PathBuf]) -> io::Result<()> {
    hidden.iter().filter_map(|path| covered(new, path)).try_for_each(|path| tmpfs(&path, Some(c"mode=755,size=1m")))
}

/// One file system in memory holds all that programs write, so that its size bounds it.
fn make_scratch(new: &Path, bytes: u64, owner: Option<u32>) -> io::Result<Folders> {
    let ours = new.join("symcrete");
    let all = ours.join("scratch");
    fs::create_dir_all(&all)?;
    let options = std::ffi::CString::new(format!("mode=755,size={bytes},nr_inodes={MOST_FILES}"))?;
    tmpfs(&all, Some(&options))?;
    for (name, mode, shown_at) in
        [("work", 0o755, "scratch"), ("control", 0o755, "symcrete/control"), ("tmp", TEMPORARY_MODE, "tmp")]
    {
        let (folder, place) = (all.join(name), new.join(shown_at));
        fs::create_dir(&folder)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode))?;
        if let Some(owner) = owner {
            chown(&folder, Some(owner), Some(owner))?;
        }
        fs::create_dir_all(&place)?;
        mount_bind(&folder, &place)?;
    }
    Ok(Folders {
        work: WORK.into(),
        control: PathBuf::from(OURS).join("control"),
        temporary: "/tmp".into(),
        bounded_by: None,
    })
}

fn make_devices(old: &Path, new: &Path) -> io::Result<()> {
    let folder = new.join("dev");
    fs::create_dir(&folder)?;
    for name in DEVICES {
        let (from, to) = (old.join("dev").join(name), folder.join(name));
        fs::write(&to, "")?;
        mount_bind(&from, &to)?;
    }
    for (name, target) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, folder.join(name))?;
    }
    symlink("/tmp", folder.join("shm"))
}

fn make_processes(new: &Path) -> io::Result<()> {
    let folder = new.join("proc");
    fs::create_dir(&folder)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", &folder, "proc", flags, None)?;
    let settings = folder.join("sys");
    mount_bind(&settings, &settings)?;
    sys::make_read_only(&settings, true, false)
}

fn share(old: &Path, new: &Path, shared: &Shared) -> io::Result<()> {
    let below = |root: &Path, path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
    let (from, to) = (below(old, &shared.outside), below(new, &shared.inside));
    let is_shown_already = shared.outside == shared.inside && to.exists();
    if is_shown_already {
        return Ok(());
    }
    if fs::metadata(&from)?.is_dir() {
        fs::create_dir_all(&to)?;
    } else {
        fs::create_dir_all(to.parent().unwrap_or(new))?;
        fs::write(&to, "")?;
    }
    mount_bind_recursive(&from, &to)?;
    sys::make_read_only(&to, true, false)
}
