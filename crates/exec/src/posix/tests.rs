//! Tests of the POSIX layer on a host in memory. What Linux does with names and files is compared in `differential_tests`.
#![allow(clippy::unwrap_used)]

use super::host::{KIND_DIRECTORY, KIND_REGULAR};
use super::memory_host::MemoryHost;
use super::{Errno, Host, OverlayChange, PROCESS_ID, Posix, Stat, Time, returned};
use libc::{O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY, SEEK_CUR, SEEK_END, SEEK_SET};

/// Opens, and expects success.
fn open(posix: &mut Posix, host: &mut MemoryHost, path: &str, flags: i32) -> i32 {
    posix.open(host, path.as_bytes(), flags, 0o666).unwrap() as i32
}

fn read_all(posix: &mut Posix, host: &mut MemoryHost, path: &str) -> Vec<u8> {
    let descriptor = open(posix, host, path, O_RDONLY);
    let content = posix.read(host, descriptor, 1 << 20).unwrap();
    posix.close(descriptor).unwrap();
    content
}

fn write_file(posix: &mut Posix, host: &mut MemoryHost, path: &str, content: &[u8]) {
    let descriptor = open(posix, host, path, O_WRONLY | O_CREAT | O_TRUNC);
    assert_eq!(posix.write(host, descriptor, content), Ok(content.len() as i64));
    posix.close(descriptor).unwrap();
}

fn names(posix: &mut Posix, host: &mut MemoryHost, path: &str) -> Vec<String> {
    let entries = (0..).map_while(|index| posix.readdir(host, path.as_bytes(), index).unwrap());
    entries.map(|(name, _)| String::from_utf8(name).unwrap()).collect()
}

fn start(mut host: MemoryHost) -> (Posix, MemoryHost) {
    let posix = Posix::new(&mut host, 0);
    (posix, host)
}

#[test]
fn standard_streams_are_open_at_the_start() {
    let (mut posix, mut host) = start(MemoryHost::new().input(&["hello"]));
    assert_eq!(posix.write(&mut host, 1, b"out"), Ok(3));
    assert_eq!(posix.write(&mut host, 2, b"err"), Ok(3));
    assert_eq!((host.output.as_slice(), host.error.as_slice()), (b"out".as_slice(), b"err".as_slice()));
    assert_eq!(posix.read(&mut host, 0, 100).unwrap(), b"hello");
    assert_eq!(posix.read(&mut host, 1, 1), Err(Errno::EBADF));
    assert_eq!(posix.write(&mut host, 0, b"x"), Err(Errno::EBADF));
    assert_eq!(posix.read(&mut host, 3, 1), Err(Errno::EBADF));
    assert_eq!(posix.isatty(&mut host, 1), Ok(0));
    assert_eq!(posix.isatty(&mut host, 2), Ok(1));
    assert_eq!(posix.isatty(&mut host, 9), Err(Errno::EBADF));
    assert_eq!(posix.lseek(&mut host, 0, 0, SEEK_CUR), Err(Errno::ESPIPE));
    host.output_closed = true;
    assert_eq!(returned(posix.write(&mut host, 1, b"x")), -i64::from(libc::EPIPE));
}

#[test]
fn standard_input_is_read_when_asked_for_and_kept_for_every_clone() {
    let (mut posix, mut host) = start(MemoryHost::new().input(&["first\n", "second\n"]));
    assert_eq!(host.input_reads, 0);
    let mut early = posix.clone();
    assert_eq!(posix.read(&mut host, 0, 100).unwrap(), b"first\n");
    assert_eq!(host.input_reads, 1);
    assert_eq!(early.read(&mut host, 0, 3).unwrap(), b"fir");
    assert_eq!(early.read(&mut host, 0, 100).unwrap(), b"st\n");
    assert_eq!(host.input_reads, 1);
    assert_eq!(early.read(&mut host, 0, 100).unwrap(), b"second\n");
    assert_eq!(early.read(&mut host, 0, 100).unwrap(), b"");
    assert_eq!(posix.read(&mut host, 0, 100).unwrap(), b"second\n");
    assert_eq!(posix.read(&mut host, 0, 100).unwrap(), b"");
    assert_eq!(host.input_reads, 3);
}

#[test]
fn standard_input_from_a_file_can_be_sought() {
    let mut host = MemoryHost::new().input(&["0123456789"]);
    host.input_is_file = true;
    let (mut posix, mut host) = start(host);
    assert_eq!(posix.lseek(&mut host, 0, -3, SEEK_END), Ok(7));
    assert_eq!(posix.read(&mut host, 0, 100).unwrap(), b"789");
    assert_eq!(posix.lseek(&mut host, 0, 1, SEEK_SET), Ok(1));
    assert_eq!(posix.read(&mut host, 0, 2).unwrap(), b"12");
    let again = open(&mut posix, &mut host, "/dev/stdin", O_RDONLY);
    assert_eq!(posix.read(&mut host, again, 4).unwrap(), b"0123");
}

#[test]
fn writes_stay_in_the_overlay() {
    let (mut posix, mut host) = start(MemoryHost::new().file("/home/a", b"old content"));
    let mut other = posix.clone();
    let descriptor = open(&mut posix, &mut host, "a", O_RDWR);
    assert_eq!(posix.write(&mut host, descriptor, b"new"), Ok(3));
    assert_eq!(posix.read(&mut host, descriptor, 100).unwrap(), b" content");
    assert_eq!(read_all(&mut posix, &mut host, "/home/./a"), b"new content");
    assert_eq!(read_all(&mut other, &mut host, "a"), b"old content");
    assert_eq!(host.read_file(b"/home/a").unwrap().as_ref(), b"old content");
    assert_eq!(other.overlay_files(&mut host), []);
    let changes = posix.overlay_files(&mut host);
    let change = OverlayChange::File { content: b"new content".as_slice().into(), mode: 0o644 };
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].path.as_slice(), &changes[0].change), (b"/home/a".as_slice(), &change));
}

#[test]
fn clones_share_what_was_read_from_the_host() {
    let (posix, mut host) = start(MemoryHost::new().file("/home/a", b"content"));
    for _ in 0..3 {
        assert_eq!(read_all(&mut posix.clone(), &mut host, "a"), b"content");
    }
    assert_eq!(host.file_reads, 1);
}

#[test]
fn clones_do_not_see_each_others_changes() {
    let (mut posix, mut host) = start(MemoryHost::new());
    let descriptor = open(&mut posix, &mut host, "a", O_RDWR | O_CREAT);
    posix.write(&mut host, descriptor, b"common").unwrap();
    let mut other = posix.clone();
    posix.write(&mut host, descriptor, b" one").unwrap();
    other.write(&mut host, descriptor, b" two").unwrap();
    other.unlink(&mut host, b"a").unwrap();
    other.mkdir(&mut host, b"d", 0o777).unwrap();
    other.chdir(&mut host, b"d").unwrap();
    assert_eq!(read_all(&mut posix, &mut host, "a"), b"common one");
    assert_eq!(posix.stat(&mut host, b"d"), Err(Errno::ENOENT));
    assert_eq!(posix.getcwd(100).unwrap(), b"/home\0");
    assert_eq!(other.getcwd(100).unwrap(), b"/home/d\0");
    other.lseek(&mut host, descriptor, 0, SEEK_SET).unwrap();
    assert_eq!(other.read(&mut host, descriptor, 100).unwrap(), b"common two");
}

#[test]
fn the_overlay_lists_everything_that_changed() {
    let host = MemoryHost::new()
        .directory("/home/tree")
        .directory("/home/tree/sub")
        .file("/home/tree/sub/deep", b"deep")
        .file("/home/tree/top", b"top")
        .symlink("/home/link", "tree")
        .file("/home/gone", b"gone")
        .file("/home/only-read", b"read");
    let (mut posix, mut host) = start(host);
    assert_eq!(read_all(&mut posix, &mut host, "only-read"), b"read");
    posix.rename(&mut host, b"tree", b"moved").unwrap();
    posix.rename(&mut host, b"link", b"moved-link").unwrap();
    posix.unlink(&mut host, b"gone").unwrap();
    write_file(&mut posix, &mut host, "moved/made", b"made");
    write_file(&mut posix, &mut host, "short-lived", b"x");
    posix.unlink(&mut host, b"short-lived").unwrap();
    let changes = posix.overlay_files(&mut host);
    let shown: Vec<String> = changes
        .iter()
        .map(|entry| {
            let path = String::from_utf8_lossy(&entry.path);
            match &entry.change {
                OverlayChange::File { content, mode } => {
                    format!("{path} {mode:o} {}", String::from_utf8_lossy(content))
                }
                OverlayChange::Directory { .. } => format!("{path}/"),
                OverlayChange::Symlink { target } => format!("{path} -> {}", String::from_utf8_lossy(target)),
                OverlayChange::Unreadable(errno) => format!("{path} {errno:?}"),
                OverlayChange::Permissions { mode } => format!("{path} {mode:o}"),
                OverlayChange::Removed => format!("{path} removed"),
            }
        })
        .collect();
    let expected = [
        "/home/gone removed",
        "/home/link removed",
        "/home/moved/",
        "/home/moved-link -> tree",
        "/home/moved/made 644 made",
        "/home/moved/sub/",
        "/home/moved/sub/deep 644 deep",
        "/home/moved/top 644 top",
        "/home/tree removed",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn links_of_the_host_are_followed() {
    let host = MemoryHost::new()
        .directory("/data")
        .file("/data/file", b"content")
        .symlink("/home/link", "../data")
        .symlink("/home/to-file", "link/file")
        .symlink("/home/round", "round")
        .symlink("/home/dangling", "/data/missing");
    let (mut posix, mut host) = start(host);
    write_file(&mut posix, &mut host, "link/other", b"other");
    assert_eq!(read_all(&mut posix, &mut host, "/data/other"), b"other");
    assert_eq!(read_all(&mut posix, &mut host, "to-file"), b"content");
    assert_eq!(read_all(&mut posix, &mut host, "link/../data/file"), b"content");
    assert!(posix.lstat(&mut host, b"link").unwrap().is_symlink());
    assert!(posix.lstat(&mut host, b"link/").unwrap().is_directory());
    assert!(posix.stat(&mut host, b"to-file").unwrap().is_regular());
    assert_eq!(posix.stat(&mut host, b"round"), Err(Errno::ELOOP));
    assert_eq!(posix.open(&mut host, b"dangling", O_WRONLY | O_CREAT | O_EXCL, 0o666), Err(Errno::EEXIST));
    write_file(&mut posix, &mut host, "dangling", b"made");
    assert_eq!(read_all(&mut posix, &mut host, "/data/missing"), b"made");
    assert_eq!(posix.open(&mut host, b"link", O_RDONLY | libc::O_NOFOLLOW, 0), Err(Errno::ELOOP));
    posix.chdir(&mut host, b"link").unwrap();
    assert_eq!(posix.getcwd(100).unwrap(), b"/data\0");
    posix.unlink(&mut host, b"/home/link").unwrap();
    assert_eq!(read_all(&mut posix, &mut host, "file"), b"content");
}

#[test]
fn devices_are_known() {
    let (mut posix, mut host) = start(MemoryHost::new().input(&["line"]).fifo("/home/pipe"));
    let null = open(&mut posix, &mut host, "/dev/null", O_RDWR);
    assert_eq!(posix.write(&mut host, null, b"gone"), Ok(4));
    assert_eq!(posix.read(&mut host, null, 10).unwrap(), b"");
    let zero = open(&mut posix, &mut host, "/dev/zero", O_RDONLY);
    assert_eq!(posix.read(&mut host, zero, 3).unwrap(), [0, 0, 0]);
    let full = open(&mut posix, &mut host, "/dev/full", O_WRONLY);
    assert_eq!(posix.write(&mut host, full, b"x"), Err(Errno::ENOSPC));
    assert_eq!(posix.open(&mut host, b"/dev/tty", O_RDWR, 0), Err(Errno::ENXIO));
    assert_eq!(posix.open(&mut host, b"pipe", O_RDONLY, 0), Err(Errno::ENOSYS));
    let output = open(&mut posix, &mut host, "/dev/stdout", O_WRONLY);
    posix.write(&mut host, output, b"shown").unwrap();
    assert_eq!(host.output, b"shown");
    let input = open(&mut posix, &mut host, "/dev/stdin", O_RDONLY);
    assert_eq!(posix.read(&mut host, input, 2).unwrap(), b"li");
    assert_eq!(posix.read(&mut host, 0, 2).unwrap(), b"ne");
    assert_eq!(posix.stat(&mut host, b"/dev/null").unwrap().rdevice, 0x103);
    posix.close(0).unwrap();
    assert_eq!(posix.open(&mut host, b"/dev/stdin", O_RDONLY, 0), Err(Errno::ENOENT));
}

#[test]
fn random_bytes_depend_on_the_seed_alone() {
    let bytes = |seed: u64, parts: &[usize]| {
        let mut host = MemoryHost::new();
        let mut posix = Posix::new(&mut host, seed);
        let descriptor = open(&mut posix, &mut host, "/dev/urandom", O_RDONLY);
        let read = parts.iter().flat_map(|&count| posix.read(&mut host, descriptor, count).unwrap());
        read.collect::<Vec<u8>>()
    };
    assert_eq!(bytes(1, &[3, 20, 9]), bytes(1, &[32]));
    assert_ne!(bytes(1, &[32]), bytes(2, &[32]));
    let (mut posix, _) = start(MemoryHost::new());
    assert_eq!(posix.clone().random_bytes(8), posix.random_bytes(8));
    assert_ne!(posix.clone().random_bytes(8), bytes(0, &[8]));
}

#[test]
fn clocks_advance_by_instructions() {
    let (mut posix, mut host) = start(MemoryHost::new());
    assert_eq!(posix.clock(libc::CLOCK_REALTIME), Ok(Time { seconds: 1_704_067_200, nanoseconds: 0 }));
    posix.set_instructions(2_500_000_007);
    assert_eq!(posix.clock(libc::CLOCK_REALTIME), Ok(Time { seconds: 1_704_067_202, nanoseconds: 500_000_007 }));
    assert_eq!(posix.clock(libc::CLOCK_PROCESS_CPUTIME_ID), Ok(Time { seconds: 2, nanoseconds: 500_000_007 }));
    assert_eq!(posix.clock(libc::CLOCK_MONOTONIC), Ok(Time { seconds: 1002, nanoseconds: 500_000_007 }));
    assert_eq!(posix.clock(77), Err(Errno::EINVAL));
    write_file(&mut posix, &mut host, "a", b"x");
    let stat = posix.stat(&mut host, b"a").unwrap();
    assert_eq!((stat.modify_seconds, stat.modify_nanoseconds), (1_704_067_202, 500_000_007));
    let other_seed = Posix::new(&mut host, 1).clock(libc::CLOCK_REALTIME).unwrap();
    assert_ne!(other_seed.seconds, 1_704_067_200);
    assert_eq!(PROCESS_ID, 4242);
}

#[test]
fn directories_are_listed_in_order_and_as_they_were_when_reading_began() {
    let (mut posix, mut host) = start(MemoryHost::new().file("/home/b", b"").file("/home/d", b""));
    write_file(&mut posix, &mut host, "c", b"");
    write_file(&mut posix, &mut host, "a", b"");
    posix.unlink(&mut host, b"d").unwrap();
    posix.mkdir(&mut host, b"e", 0o777).unwrap();
    assert_eq!(names(&mut posix, &mut host, "."), [".", "..", "a", "b", "c", "e"]);
    assert_eq!(posix.readdir(&mut host, b".", 5), Ok(Some((b"e".to_vec(), libc::DT_DIR))));
    // As rm does it: remove each entry as it is read.
    let mut seen = Vec::new();
    for index in 0.. {
        let Some((name, kind)) = posix.readdir(&mut host, b".", index).unwrap() else { break };
        if kind == libc::DT_REG {
            posix.unlink(&mut host, &name).unwrap();
        }
        seen.push(name);
    }
    assert_eq!(seen.len(), 6);
    assert_eq!(names(&mut posix, &mut host, "/home"), [".", "..", "e"]);
    assert_eq!(posix.readdir(&mut host, b"/dev/null", 0), Err(Errno::ENOTDIR));
    assert!(names(&mut posix, &mut host, "/dev").contains(&"urandom".to_owned()));
}

#[test]
fn permissions_are_those_of_the_user() {
    let mut host = MemoryHost::new()
        .entry("/home/secret", KIND_REGULAR | 0o600, b"secret")
        .entry("/home/public", KIND_REGULAR | 0o644, b"public")
        .entry("/home/locked", KIND_DIRECTORY | 0o700, b"")
        .entry("/home/locked/in", KIND_REGULAR | 0o666, b"")
        .entry("/shared", KIND_DIRECTORY | 0o1777, b"")
        .entry("/shared/foreign", KIND_REGULAR | 0o666, b"");
    host.user = 1000;
    let (mut posix, mut host) = start(host);
    assert_eq!(posix.open(&mut host, b"secret", O_RDONLY, 0), Err(Errno::EACCES));
    assert_eq!(posix.open(&mut host, b"public", O_RDWR, 0), Err(Errno::EACCES));
    assert_eq!(posix.open(&mut host, b"public", O_RDONLY | O_TRUNC, 0), Err(Errno::EACCES));
    assert_eq!(posix.open(&mut host, b"new", O_WRONLY | O_CREAT, 0o666), Err(Errno::EACCES));
    assert_eq!(posix.unlink(&mut host, b"public"), Err(Errno::EACCES));
    assert_eq!(posix.stat(&mut host, b"locked/in"), Err(Errno::EACCES));
    assert_eq!(posix.chdir(&mut host, b"locked"), Err(Errno::EACCES));
    assert_eq!(posix.access(&mut host, b"public", libc::R_OK), Ok(0));
    assert_eq!(posix.access(&mut host, b"public", libc::W_OK), Err(Errno::EACCES));
    assert_eq!(posix.unlink(&mut host, b"/shared/foreign"), Err(Errno::EPERM));
    assert_eq!(posix.umask(0o077), 0o022);
    write_file(&mut posix, &mut host, "/shared/mine", b"x");
    assert_eq!(posix.stat(&mut host, b"/shared/mine").unwrap().mode, KIND_REGULAR | 0o600);
    assert_eq!(posix.unlink(&mut host, b"/shared/mine"), Ok(0));
}

#[test]
fn descriptors_share_descriptions() {
    let (mut posix, mut host) = start(MemoryHost::new().file("/home/a", b"0123456789"));
    let first = open(&mut posix, &mut host, "a", O_RDONLY);
    assert_eq!(first, 3);
    assert_eq!(posix.dup(first), Ok(4));
    assert_eq!(posix.read(&mut host, 3, 2).unwrap(), b"01");
    assert_eq!(posix.read(&mut host, 4, 2).unwrap(), b"23");
    assert_eq!(posix.close(3), Ok(0));
    assert_eq!(posix.close(3), Err(Errno::EBADF));
    assert_eq!(posix.read(&mut host, 4, 2).unwrap(), b"45");
    assert_eq!(open(&mut posix, &mut host, "a", O_RDONLY), 3);
    assert_eq!(posix.dup2(4, 0), Ok(0));
    assert_eq!(posix.read(&mut host, 0, 2).unwrap(), b"67");
    assert_eq!(posix.dup2(4, 4), Ok(4));
    assert_eq!(posix.dup2(9, 4), Err(Errno::EBADF));
    assert_eq!(posix.dup2(4, -1), Err(Errno::EBADF));
    assert_eq!(posix.dup2(4, 1024), Err(Errno::EBADF));
    while posix.dup(4) != Err(Errno::EMFILE) {}
    assert_eq!(posix.open(&mut host, b"a", O_RDONLY, 0), Err(Errno::EMFILE));
}

#[test]
fn removed_files_live_as_long_as_they_are_open() {
    let (mut posix, mut host) = start(MemoryHost::new().file("/home/a", b"content"));
    let descriptor = open(&mut posix, &mut host, "a", O_RDWR | O_APPEND);
    posix.unlink(&mut host, b"a").unwrap();
    assert_eq!(posix.fstat(&mut host, descriptor).unwrap().links, 0);
    assert_eq!(posix.write(&mut host, descriptor, b"!"), Ok(1));
    write_file(&mut posix, &mut host, "a", b"another");
    posix.lseek(&mut host, descriptor, 0, SEEK_SET).unwrap();
    assert_eq!(posix.read(&mut host, descriptor, 100).unwrap(), b"content!");
    posix.close(descriptor).unwrap();
    assert_eq!(read_all(&mut posix, &mut host, "a"), b"another");
    // Slots of files that are gone are used again.
    for _ in 0..100 {
        write_file(&mut posix, &mut host, "temporary", b"x");
        posix.unlink(&mut host, b"temporary").unwrap();
    }
    assert_eq!(read_all(&mut posix, &mut host, "a"), b"another");
}

#[test]
fn sizes_beyond_the_overlay_are_refused_without_taking_memory() {
    let (mut posix, mut host) = start(MemoryHost::new());
    let descriptor = open(&mut posix, &mut host, "a", O_RDWR | O_CREAT);
    assert_eq!(posix.lseek(&mut host, descriptor, 1 << 50, SEEK_SET), Ok(1 << 50));
    assert_eq!(posix.write(&mut host, descriptor, b"x"), Err(Errno::EFBIG));
    assert_eq!(posix.ftruncate(&mut host, descriptor, i64::MAX), Err(Errno::EFBIG));
    assert_eq!(posix.lseek(&mut host, descriptor, i64::MAX, SEEK_CUR), Err(Errno::EINVAL));
    assert_eq!(posix.read(&mut host, descriptor, usize::MAX).unwrap(), b"");
    assert_eq!(posix.lseek(&mut host, descriptor, 0, 3), Err(Errno::ENXIO));
}

#[test]
fn stat_words_are_in_the_order_of_the_c_structure() {
    let stat = Stat { device: 1, rdevice: 7, size: -8, change_nanoseconds: 16, ..Stat::default() };
    let words = stat.to_words();
    assert_eq!((words[0], words[6], words[7] as i64, words[15]), (1, 7, -8, 16));
    assert_eq!(stat.to_bytes()[120..], [16, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(size_of::<Stat>(), stat.to_bytes().len());
}
