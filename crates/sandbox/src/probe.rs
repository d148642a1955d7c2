//! Tries to break out of a sandbox before it is trusted with anything. The probe is harmless where it succeeds: it goes for
//! a file that was made for it, and for a port that somebody listens at for it.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::client::Sandbox;
use crate::level::Level;
use crate::policy::Launcher;
use crate::protocol::{End, Job, Limits, Shared};

/// Where the probe's program is seen in a sandbox.
const INSIDE: &str = "/symcrete/probe";

/// The probe's program, which may lie in somebody's home.
pub fn shared(launcher: &Launcher) -> Shared {
    Shared { outside: launcher.program.clone(), inside: INSIDE.into() }
}

/// What the probe goes for, on the outside.
struct Bait {
    folder: tempfile::TempDir,
    listener: TcpListener,
}

impl Bait {
    fn lay() -> std::io::Result<Bait> {
        let folder = tempfile::Builder::new().prefix("symcrete-probe-").tempdir()?;
        // Open to everybody: it is the sandbox that must keep the probe away.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
        let victim = folder.path().join("victim");
        fs::write(&victim, "victim")?;
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o666))?;
        Ok(Bait { folder, listener: TcpListener::bind(("127.0.0.1", 0))? })
    }

    fn is_untouched(&self) -> bool {
        let folder = self.folder.path();
        let mode = fs::metadata(folder.join("victim")).map(|metadata| metadata.permissions().mode() & 0o777);
        let entries = fs::read_dir(folder).map(Iterator::count);
        fs::read(folder.join("victim")).is_ok_and(|text| text == b"victim")
            && mode.is_ok_and(|mode| mode == 0o666)
            && entries.is_ok_and(|count| count == 1)
    }
}

/// Lets the probe loose in this sandbox; an error says what it could do.
pub fn try_out(mut sandbox: Sandbox, probe: &Launcher, level: Level) -> Result<(), String> {
    let bait = Bait::lay().map_err(|error| format!("it cannot be tried out: {error}"))?;
    let port = bait.listener.local_addr().map_err(|error| error.to_string())?.port();
    let pid = std::process::id();
    let program = if level == Level::Namespaces { INSIDE.into() } else { probe.program.clone() };
    let words = [
        probe.program.clone().into_os_string(),
        level.name().into(),
        bait.folder.path().into(),
        pid.to_string().into(),
        port.to_string().into(),
    ];
    let mut words: Vec<OsString> = words.into();
    words.splice(1..1, probe.arguments.iter().cloned());
    let job = Job {
        program,
        arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        limits: Limits { processes: 16, ..Limits::default() },
        ..Job::default()
    };
    let done = sandbox.run(job, &AtomicBool::new(false)).map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stdout).trim().replace('\n', ", ");
    match done.end {
        End::Exited(0) if bait.is_untouched() => Ok(()),
        End::Exited(0) => Err("a program in it changed a file outside".to_owned()),
        End::Exited(_) if !said.is_empty() => Err(format!("a program in it can {said}")),
        end => Err(format!("a program in it does not run ({end:?})")),
    }
}

/// The probe itself: prints what it could do. The exit status is 0 if that is nothing.
pub fn run(arguments: &[OsString]) -> i32 {
    let word = |index: usize| arguments.get(index).cloned().unwrap_or_default();
    let number = |index: usize| word(index).to_str().and_then(|text| text.parse().ok()).unwrap_or(0);
    let shares_processes = word(0) != "namespaces";
    let (folder, pid, port) = (PathBuf::from(word(1)), number(2), number(3) as u16);
    let deeds = attempts(&folder, if shares_processes { Pid::from_raw(pid) } else { None }, port);
    let done: Vec<&str> = deeds.into_iter().filter(|(_, succeeded)| *succeeded).map(|(name, _)| name).collect();
    done.iter().for_each(|name| {
        let _ = std::io::Write::write_all(&mut std::io::stdout(), format!("{name}\n").as_bytes());
    });
    i32::from(!done.is_empty())
}

fn attempts(folder: &Path, outer: Option<Pid>, port: u16) -> Vec<(&'static str, bool)> {
    let victim = folder.join("victim");
    let write = |path: &Path| OpenOptions::new().append(true).open(path).is_ok();
    let nameless = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open("/usr").is_ok();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let signalled = outer.is_some_and(|outer| kill_process(outer, Signal::CONT).is_ok());
    let memory = outer.is_some_and(|outer| write(Path::new(&format!("/proc/{}/mem", outer.as_raw_nonzero()))));
    vec![
        ("make files outside of its directory", fs::write(folder.join("new"), "new").is_ok() || nameless),
        ("write files outside of its directory", write(&victim)),
        (
            "truncate files outside of its directory",
            rustix::fs::open(&victim, rustix::fs::OFlags::TRUNC, rustix::fs::Mode::empty()).is_ok(),
        ),
        (
            "change the permissions of files outside of its directory",
            fs::set_permissions(&victim, fs::Permissions::from_mode(0o600)).is_ok(),
        ),
        ("rename files outside of its directory", fs::rename(&victim, folder.join("renamed")).is_ok()),
        ("remove files outside of its directory", fs::remove_file(&victim).is_ok()),
        ("reach the network", TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()),
        ("signal other processes", signalled),
        ("write to the memory of other processes", memory),
        ("make sockets in the file system", std::os::unix::net::UnixDatagram::unbound().is_ok()),
    ]
}
