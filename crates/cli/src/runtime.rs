//! The C runtime: sources in this binary, compiled once by the user's clang and kept by their content.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use crate::compile::{Bitcode, run_compiler};
use crate::error::Error;

include!(concat!(env!("OUT_DIR"), "/runtime_sources.rs"));

/// `-fno-builtin`: a loop in `memset` must not become a call of `memset`. `-fno-delete-null-pointer-checks`: system calls look at pointers
/// that headers declare never to be null.
const FLAGS: &[&str] = &[
    "-O1",
    "-g",
    "-std=gnu11",
    "-fno-builtin",
    "-fno-delete-null-pointer-checks",
    "-U_FORTIFY_SOURCE",
    "-fno-stack-protector",
    "-fno-vectorize",
    "-w",
];

/// What the runtime can be compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    X86_64,
    /// 32-bit x86.
    X86,
}

impl Target {
    /// The target of a program with this LLVM triple. One copy of the runtime serves all spellings of a target.
    pub fn of_triple(triple: &str) -> Target {
        match triple.split('-').next() {
            Some("i386" | "i486" | "i586" | "i686") => Target::X86,
            _ => Target::X86_64,
        }
    }

    fn flag(self) -> &'static str {
        match self {
            Target::X86_64 => "-m64",
            Target::X86 => "-m32",
        }
    }
}

/// The runtime's bitcode for a target.
pub fn bitcode(clang: &Path, target: Target) -> Result<Vec<Bitcode>, Error> {
    let folder = cache_folder().join(format!("runtime-{:016x}", fingerprint(clang, target)?));
    if !folder.join("complete").exists() {
        build(clang, target, &folder)?;
    }
    let mut names: Vec<PathBuf> = SOURCES.iter().filter_map(|(name, _)| module_path(&folder, name)).collect();
    names.sort();
    let read = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|source| Error::Read { path: path.clone(), source })?;
        Ok(Bitcode { name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes })
    };
    names.iter().map(read).collect()
}

/// The directory with the headers that programs may include; made if need be.
pub fn headers() -> Result<PathBuf, Error> {
    let mut hasher = DefaultHasher::new();
    symcrete_testcase::HEADERS.hash(&mut hasher);
    let folder = cache_folder().join(format!("include-{:016x}", hasher.finish()));
    for (name, text) in symcrete_testcase::HEADERS {
        let header = folder.join(name);
        if header.exists() {
            continue;
        }
        let parent = header.parent().unwrap_or(&folder);
        let write = || {
            fs::create_dir_all(parent)?;
            let file = tempfile::NamedTempFile::new_in(parent)?;
            fs::write(file.path(), text)?;
            file.persist(&header).map_err(|error| error.error)
        };
        write().map_err(|source| Error::Write { path: header.clone(), source })?;
    }
    Ok(folder)
}

/// Changes when the sources, the flags, the compiler or the target change.
fn fingerprint(clang: &Path, target: Target) -> Result<u64, Error> {
    // Asking the compiler for its version costs more than loading a small program; its file says as much.
    let unusable = |source| Error::Start { path: clang.to_owned(), source };
    let file = fs::canonicalize(clang).map_err(unusable)?;
    let metadata = fs::metadata(&file).map_err(unusable)?;
    let mut hasher = DefaultHasher::new();
    (SOURCES, FLAGS, target, file, metadata.len(), metadata.modified().ok()).hash(&mut hasher);
    Ok(hasher.finish())
}

fn cache_folder() -> PathBuf {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir).join("symcrete")
}

fn module_path(folder: &Path, source: &str) -> Option<PathBuf> {
    let stem = source.strip_suffix(".c")?;
    Some(folder.join(format!("{}.bc", stem.replace('/', "-"))))
}

/// Compiles everything in a folder of its own, then puts it in place at once, so that two runs cannot disturb each other.
fn build(clang: &Path, target: Target, folder: &Path) -> Result<(), Error> {
    let write = |path: &Path, source| Error::Write { path: path.to_owned(), source };
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|source| write(parent, source))?;
    let work = tempfile::tempdir_in(parent).map_err(|source| write(parent, source))?;
    let sources = work.path().join("sources");
    for (name, text) in SOURCES {
        let path = sources.join(name);
        let folder = path.parent().unwrap_or(&sources);
        fs::create_dir_all(folder).map_err(|source| write(folder, source))?;
        fs::write(&path, text).map_err(|source| write(&path, source))?;
    }
    compile_all(clang, target, &sources, work.path())?;
    fs::write(work.path().join("complete"), "").map_err(|source| write(work.path(), source))?;
    match fs::rename(work.path(), folder) {
        Ok(()) => drop(work.keep()),
        // Another run was faster.
        Err(_) if folder.join("complete").exists() => {}
        Err(source) => return Err(write(folder, source)),
    }
    Ok(())
}

fn compile_all(clang: &Path, target: Target, sources: &Path, out: &Path) -> Result<(), Error> {
    let mut flags: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    flags.extend([target.flag().into(), "-I".into(), sources.into()]);
    let queue = Mutex::new(SOURCES.iter().filter(|(name, _)| name.ends_with(".c")));
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        loop {
            let Some((name, _)) = queue.lock().ok().and_then(|mut queue| queue.next()) else { return };
            let done = run_compiler(clang, &flags, &sources.join(name), None).and_then(|bytes| {
                let path = module_path(out, name).unwrap_or_else(|| out.join(name));
                fs::write(&path, bytes).map_err(|source| Error::Write { path, source })
            });
            if let (Err(error), Ok(mut failure)) = (done, failure.lock()) {
                *failure = Some(error);
                return;
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    match failure.into_inner() {
        Ok(None) => Ok(()),
        Ok(Some(Error::Compile { output, .. })) if target == Target::X86 => {
            Err(Error::RuntimeOf32Bits { clang: clang.to_owned(), output })
        }
        Ok(Some(Error::Compile { output, .. })) => Err(Error::Runtime { clang: clang.to_owned(), output }),
        Ok(Some(error)) => Err(error),
        Err(_) => Err(Error::Internal("a compiling thread panicked".to_owned())),
    }
}
