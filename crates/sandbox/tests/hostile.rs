//! Hostile programs in every sandbox that this machine offers, as the user of the tests and, for root, as an ordinary user
//! too: nothing outside may change, nothing may be left running, and the sandbox must be good for the next job.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use symcrete_sandbox::{Done, End, Exceeded, File, Job, Launcher, Level, Limits, Place, Policy, Sandbox, Shared};

/// For the tests that run themselves as another user: where everything was copied to.
const COPIES: &str = "SYMCRETE_TEST_COPIES";

fn supervisor() -> PathBuf {
    match std::env::var_os(COPIES) {
        Some(folder) => Path::new(&folder).join("supervisor"),
        None => env!("CARGO_BIN_EXE_symcrete-supervisor").into(),
    }
}

fn launcher() -> Launcher {
    Launcher { program: supervisor(), arguments: vec!["sandbox-supervisor".into()] }
}

fn policy(level: Level) -> Policy {
    Policy::of_level(launcher(), level, std::env::var_os("HOME").as_deref().map(Path::new))
}

/// A directory that everybody may use, whatever the umask.
fn open_folder(parent: Option<&Path>) -> tempfile::TempDir {
    let mut maker = tempfile::Builder::new();
    maker.prefix("symcrete-hostile-");
    let folder = parent.map_or_else(|| maker.tempdir(), |parent| maker.tempdir_in(parent)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// The hostile program, compiled once.
struct Hostile {
    folder: tempfile::TempDir,
}

impl Hostile {
    fn compile(flags: &[&str]) -> Option<Hostile> {
        let folder = open_folder(None);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/hostile.c");
        let source = std::env::var_os(COPIES).map_or(source, |copies| Path::new(&copies).join("hostile.c"));
        let done = Command::new("cc").args(flags).arg("-o").arg(folder.path().join("hostile")).arg(source).output();
        let done = done.unwrap();
        done.status.success().then_some(Hostile { folder })
    }

    fn shared(&self) -> Vec<Shared> {
        vec![Shared { outside: self.folder.path().to_owned(), inside: "/symcrete/program".into() }]
    }

    fn job(&self, policy: &Policy, words: &[&str], limits: Limits) -> Job {
        let program = policy.inside(&self.shared(), &self.folder.path().join("hostile"));
        let arguments = ["hostile"].iter().chain(words).map(|word| word.as_bytes().to_vec()).collect();
        let environment = vec![("GIVEN".to_owned(), OsString::from("1"))];
        Job { program, arguments, environment, limits, ..Job::default() }
    }
}

/// Permissions, owner, time, links and contents of a file.
type Seen = (u32, u32, i64, u64, Option<Vec<u8>>);

/// What is outside, and listens there.
struct Outside {
    folder: tempfile::TempDir,
    stream: TcpListener,
    datagrams: UdpSocket,
    _named: UnixListener,
    named_datagrams: UnixDatagram,
    /// Read by nobody else.
    fifo: fs::File,
}

impl Outside {
    fn new(parent: Option<&Path>) -> Outside {
        let folder = open_folder(parent);
        let victim = folder.path().join("victim");
        fs::write(&victim, "victim").unwrap();
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o666)).unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        fs::set_permissions(folder.path().join("empty"), fs::Permissions::from_mode(0o777)).unwrap();
        let named = UnixListener::bind(folder.path().join("socket")).unwrap();
        fs::set_permissions(folder.path().join("socket"), fs::Permissions::from_mode(0o777)).unwrap();
        let stream = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        stream.set_nonblocking(true).unwrap();
        let datagrams = UdpSocket::bind(stream.local_addr().unwrap()).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        let named_datagrams = UnixDatagram::bind(folder.path().join("datagrams")).unwrap();
        fs::set_permissions(folder.path().join("datagrams"), fs::Permissions::from_mode(0o777)).unwrap();
        named_datagrams.set_nonblocking(true).unwrap();
        let path = folder.path().join("fifo");
        assert!(Command::new("mkfifo").args(["-m", "666"]).arg(&path).status().unwrap().success());
        let fifo = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let flags = rustix::fs::fcntl_getfl(&fifo).unwrap();
        rustix::fs::fcntl_setfl(&fifo, flags | rustix::fs::OFlags::NONBLOCK).unwrap();
        Outside { folder, stream, datagrams, _named: named, named_datagrams, fifo }
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// Names, permissions, owners, times and contents.
    fn snapshot(&self) -> BTreeMap<PathBuf, Seen> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let all = entries.chain([self.folder.path().to_owned()]);
        all.map(|path| {
            let about = fs::symlink_metadata(&path).unwrap();
            let contents = about.is_file().then(|| fs::read(&path).unwrap());
            (path, (about.mode(), about.uid(), about.mtime(), about.nlink(), contents))
        })
        .collect()
    }

    fn heard_nothing(&self) -> bool {
        let is_silent = self.stream.accept().is_err() && self.datagrams.recv(&mut [0; 8]).is_err();
        is_silent && self.named_datagrams.recv(&mut [0; 8]).is_err() && (&self.fifo).read(&mut [0; 8]).is_err()
    }
}

/// That of this process. Who changed that of all processes of its user can be told by it.
fn priority() -> i64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let mut fields = stat.rsplit(')').next().unwrap().split_whitespace();
    fields.nth(16).unwrap().parse().unwrap()
}

/// Processes of this name: other tests have strays of their own.
fn strays(wanted: &str) -> usize {
    let names = fs::read_dir("/proc").unwrap().flatten().map(|entry| fs::read_to_string(entry.path().join("comm")));
    names.flatten().filter(|name| name.trim() == wanted).count()
}

/// What a deed must have come to.
fn is_as_it_should_be(deed: &str, done: &Done) -> bool {
    match deed {
        "bomb" => done.end == End::TimedOut || done.exceeded.is_some(),
        "memory" => done.exceeded == Some(Exceeded::Memory),
        "disk" | "traces" => done.end == End::Exited(0) || done.exceeded == Some(Exceeded::Disk),
        "abort" => done.end == End::Signal(libc_sigabrt()),
        "sleep" => done.end == End::TimedOut,
        _ => done.end == End::Exited(0),
    }
}

fn libc_sigabrt() -> i32 {
    6
}

/// Deeds that do not depend on where the outside lies, nor on the version of Landlock.
const CONSUMING: &[&str] = &["forks", "bomb", "disk", "memory", "sleep"];

/// Deeds in one sandbox, one after the other. Returns what went wrong.
fn commit(policy: &Policy, hostile: &Hostile, outside: &Outside, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let pid = std::process::id().to_string();
    let port = outside.stream.local_addr().unwrap().port().to_string();
    let suffix = outside.path().rsplit('-').next().unwrap();
    let stray = format!("stray-{suffix}");
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".to_owned());
    let short = Limits { milliseconds: Some(700), grace_milliseconds: 100, ..Limits::default() };
    let usual = Limits { milliseconds: Some(60_000), ..Limits::default() };
    let small = Limits { memory_bytes: 512 << 20, ..usual };
    let deeds: &[(&str, &str, Limits)] = &[
        ("delete", outside.path(), usual),
        ("overwrite", outside.path(), usual),
        ("links", outside.path(), usual),
        ("rename", outside.path(), usual),
        ("truncate", outside.path(), usual),
        ("metadata", outside.path(), usual),
        ("forks", "", usual),
        ("bomb", "", short),
        ("daemon", &stray, usual),
        ("kill", &pid, usual),
        ("network", &port, usual),
        ("socket", outside.path(), usual),
        ("datagrams", outside.path(), usual),
        ("fifo", outside.path(), usual),
        ("traces", "", usual),
        ("traces-gone", "", usual),
        ("disk", "", usual),
        ("memory", "", small),
        ("processes", &pid, usual),
        ("fifos", "", usual),
        ("limits", &pid, usual),
        ("home", &home, usual),
        ("surroundings", "", usual),
        ("abort", "", usual),
        ("sleep", "", short),
    ];
    let mut sandbox = Sandbox::start(policy, &hostile.shared()).unwrap();
    let before = outside.snapshot();
    let mut wrong = Vec::new();
    let never = AtomicBool::new(false);
    for (deed, argument, limits) in deeds.iter().filter(|(deed, ..)| wanted(deed)) {
        let done = sandbox.run(hostile.job(policy, &[deed, argument], *limits), &never);
        let said = done.as_ref().map(|done| String::from_utf8_lossy(&done.stdout).replace('\n', "; "));
        match &done {
            Ok(done) if is_as_it_should_be(deed, done) => {}
            Ok(done) => wrong.push(format!("{deed}: {:?} {:?} {}", done.end, done.exceeded, said.unwrap())),
            Err(error) => wrong.push(format!("{deed}: {error}")),
        }
        if outside.snapshot() != before {
            wrong.push(format!("{deed}: something changed outside"));
        }
        if !outside.heard_nothing() {
            wrong.push(format!("{deed}: something came over the network"));
        }
        if priority() != 0 {
            wrong.push(format!("{deed}: the user's processes have another priority"));
        }
        if strays(&stray) != 0 {
            wrong.push(format!("{deed}: a process is left"));
        }
        match sandbox.run(hostile.job(policy, &["nothing"], usual), &never) {
            Ok(Done { end: End::Exited(0), .. }) => {}
            other => wrong.push(format!("after {deed}, the next job does not run: {other:?}")),
        }
    }
    drop(sandbox);
    wrong
}

/// At one level, with what is outside in a place that is hidden and in one that is shown. Those deeds that consume something
/// are committed if that is wanted.
#[track_caller]
fn holds(level: Level, flags: &[&str], consumes: bool) {
    let policy = policy(level);
    if let Some(trouble) = policy.trouble() {
        println!("skipped: {level:?} cannot be had here: {trouble}");
        assert!(std::env::var_os("SYMCRETE_TEST_EVERY_LEVEL").is_none(), "{trouble}");
        return;
    }
    let Some(hostile) = Hostile::compile(flags) else {
        println!("skipped: nothing compiles with {flags:?} here");
        return;
    };
    let shown = std::env::var_os(COPIES).map_or(env!("CARGO_TARGET_TMPDIR").into(), PathBuf::from);
    for parent in [None, Some(shown.as_path())] {
        let outside = Outside::new(parent);
        let wanted = |deed: &str| (consumes && parent.is_none()) || !CONSUMING.contains(&deed);
        let wrong = commit(&policy, &hostile, &outside, wanted);
        let user = if is_root() { "root" } else { "an ordinary user" };
        println!("{level:?} as {user}, {}: {} wrong", outside.path(), wrong.len());
        assert!(wrong.is_empty(), "{level:?} as {user}, {}:\n{}", outside.path(), wrong.join("\n"));
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
fn namespaces_hold() {
    holds(Level::Namespaces, &[], true);
}

#[test]
fn namespaces_hold_for_32_bit_programs() {
    holds(Level::Namespaces, &["-m32"], false);
}

#[test]
fn landlock_holds() {
    holds(Level::Landlock { abi: None }, &[], true);
}

/// What older kernels offer: 1 is Linux 5.13, 2 is 5.19 (Debian 12 has 6.1), 3 is 6.2, 5 is 6.10.
#[test]
fn older_landlocks_hold() {
    for abi in [1, 2, 3, 5] {
        holds(Level::Landlock { abi: Some(abi) }, &[], false);
    }
}

#[test]
fn all_of_it_holds_for_an_ordinary_user() {
    if !is_root() || std::env::var_os(COPIES).is_some() {
        return;
    }
    const NOBODY: u32 = 65534;
    let copies = open_folder(Some(Path::new("/var/tmp")));
    let copy = |from: &Path, name: &str| {
        let to = copies.path().join(name);
        fs::copy(from, &to).unwrap();
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).unwrap();
        to
    };
    copy(&supervisor(), "supervisor");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/hostile.c"), "hostile.c");
    let test = copy(&std::env::current_exe().unwrap(), "test");
    let home = copies.path().join("home");
    fs::create_dir(&home).unwrap();
    fs::write(home.join("secret"), "secret").unwrap();
    chown(&home, Some(NOBODY), Some(NOBODY)).unwrap();
    let done = Command::new(test)
        .args(["--nocapture", "--test-threads=1"])
        .env(COPIES, copies.path())
        .env("HOME", &home)
        .current_dir(copies.path())
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    println!("{text}{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{text}\n{}", String::from_utf8_lossy(&done.stderr));
}

/// The same deeds are seen where nothing prevents them; but for those that would hurt the machine of the tests.
#[test]
fn without_a_sandbox_harm_is_seen() {
    let hostile = Hostile::compile(&[]).unwrap();
    let policy = policy(Level::Off);
    let seen =
        ["delete", "overwrite", "links", "rename", "truncate", "metadata", "network", "socket", "datagrams", "fifo"];
    for deed in seen {
        let outside = Outside::new(None);
        let wrong = commit(&policy, &hostile, &outside, |other| other == deed);
        assert!(!wrong.is_empty(), "{deed} does no harm");
    }
}

/// What a program is given arrives, and what it leaves for the driver comes back.
#[test]
fn jobs_have_files_and_results() {
    let folder = open_folder(None);
    let script = folder.path().join("script");
    let text = "#!/bin/sh\npwd; cat given/in; cat; echo out > \"$1/result\"; id -u; exit 7\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let shared = [Shared { outside: folder.path().to_owned(), inside: "/symcrete/program".into() }];
    for level in [Level::Namespaces, Level::Landlock { abi: None }, Level::Off] {
        let policy = policy(level);
        if level != Level::Off && policy.trouble().is_some() {
            continue;
        }
        let mut sandbox = Sandbox::start(&policy, &shared).unwrap();
        let job = Job {
            program: policy.inside(&shared, &script),
            arguments: vec![b"script".to_vec(), sandbox.control().to_str().unwrap().into()],
            environment: vec![("PATH".to_owned(), "/usr/bin:/bin".into())],
            files: vec![File { place: Place::Work, path: "given/in".into(), bytes: b"file\n".to_vec() }],
            stdin: Some(b"input\n".to_vec().into()),
            ..Job::default()
        };
        let done = sandbox.run(job, &AtomicBool::new(false)).unwrap();
        let stdout = String::from_utf8(done.stdout).unwrap();
        assert_eq!(done.end, End::Exited(7), "{stdout} {}", String::from_utf8_lossy(&done.stderr));
        let lines: Vec<&str> = stdout.lines().collect();
        assert_eq!(lines[0], sandbox.work().to_str().unwrap());
        assert_eq!(lines[1..3], ["file", "input"]);
        if level == Level::Namespaces {
            assert_eq!((lines[0], lines[3]), ("/scratch", "1000"));
        }
        assert_eq!(done.files.len(), 1);
        assert_eq!((done.files[0].path.to_str().unwrap(), done.files[0].bytes.as_slice()), ("result", &b"out\n"[..]));
    }
}
