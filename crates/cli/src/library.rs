//! What `--library` names: functions of which the program has no body. Sources, objects and archives become one shared
//! object, which the helper process loads and replays link with.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use symcrete_native::Helper;
use symcrete_sandbox::Policy;

use crate::args::LibraryArgs;
use crate::error::Error;
use crate::sandbox;

/// Libraries that are ready to be loaded.
pub struct Libraries {
    /// In the order in which they are loaded.
    objects: Vec<PathBuf>,
    /// Of the contents of the files that the user named.
    fingerprint: u64,
    /// What was compiled; removed in the end.
    _folder: tempfile::TempDir,
}

enum Form {
    Shared,
    /// What the compiler takes as it is.
    Part,
    Archive,
}

impl Libraries {
    /// Compiles and links what has to be, with the user's clang. `None` if no library is named.
    pub fn build(args: &LibraryArgs, clang: &Path) -> Result<Option<Libraries>, Error> {
        let files = &args.libraries;
        if files.is_empty() {
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("symcrete-").tempdir();
        let folder = folder.map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        // In the sandbox root is another user.
        let open = fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755));
        open.map_err(|source| Error::Write { path: folder.path().to_owned(), source })?;
        let (mut shared, mut parts, mut archives) = (Vec::new(), Vec::new(), Vec::new());
        let mut contents = DefaultHasher::new();
        for file in files {
            let unreadable = |source| Error::Read { path: file.clone(), source };
            let path = fs::canonicalize(file).map_err(unreadable)?;
            fs::read(&path).map_err(unreadable)?.hash(&mut contents);
            match form(file)? {
                Form::Shared => shared.push(path),
                Form::Part => parts.push(path),
                Form::Archive => archives.push(path),
            }
        }
        let mut objects = shared.clone();
        if !parts.is_empty() || !archives.is_empty() {
            let object = folder.path().join("library.so");
            link(clang, &parts, &archives, &shared, &object)?;
            objects.push(object);
        }
        Ok(Some(Libraries { objects, fingerprint: contents.finish(), _folder: folder }))
    }

    /// The shared objects.
    pub fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    /// How the process is started that calls their functions. An error if they cannot be loaded, or if there is no sandbox
    /// for them.
    pub fn helper(&self, time: Duration, sandbox: &Result<Policy, String>) -> Result<symcrete_native::Command, Error> {
        let program = sandbox::own_program()?;
        let sandbox = sandbox.clone().map_err(Error::Usage)?;
        let arguments = [OsString::from(super::args::NATIVE_HELPER)].into_iter();
        let arguments = arguments.chain(self.objects.iter().map(OsString::from)).collect();
        let command = symcrete_native::Command { program, arguments, sandbox, shared: self.objects.clone(), time };
        let started = Helper::new(command.clone()).start();
        started.map_err(|error| Error::Usage(format!("what --library names cannot be loaded: {error}")))?;
        Ok(command)
    }

    /// Two libraries with the same number have the same functions.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// For the native program of replays.
    pub fn link_flags(&self) -> Vec<OsString> {
        let folders = self.objects.iter().filter_map(|object| object.parent());
        let paths = folders.map(|folder| {
            let mut flag = OsString::from("-Wl,-rpath,");
            flag.push(folder);
            flag
        });
        self.objects.iter().map(OsString::from).chain(paths).collect()
    }
}

fn form(file: &Path) -> Result<Form, Error> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension {
        "c" | "i" | "o" => Ok(Form::Part),
        "a" => Ok(Form::Archive),
        _ if extension == "so" || name.contains(".so.") => Ok(Form::Shared),
        _ => Err(Error::Usage(format!(
            "--library {}: give a shared object (.so), an object (.o), an archive (.a) or a C source (.c)",
            file.display()
        ))),
    }
}

fn link(clang: &Path, parts: &[PathBuf], archives: &[PathBuf], shared: &[PathBuf], object: &Path) -> Result<(), Error> {
    let mut command = Command::new(clang);
    command.args(["-shared", "-fPIC", "-O0", "-o"]).arg(object).args(parts);
    command.arg("-Wl,--whole-archive").args(archives).arg("-Wl,--no-whole-archive").args(shared).arg("-lm");
    for folder in shared.iter().filter_map(|path| path.parent()) {
        let mut flag = OsString::from("-Wl,-rpath,");
        flag.push(folder);
        command.arg(flag);
    }
    let done = command.output().map_err(|source| Error::Start { path: clang.to_owned(), source })?;
    if !done.status.success() {
        let path = parts.first().or(archives.first()).cloned().unwrap_or_default();
        return Err(Error::Compile { path, output: String::from_utf8_lossy(&done.stderr).into_owned() });
    }
    Ok(())
}
