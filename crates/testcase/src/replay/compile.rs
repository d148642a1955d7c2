//! From a `Build` to an executable: the program, the driver's runtime and the generated driver, with coverage or with
//! sanitizers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::{Build, Entry, Language, Parameter, Source};
use super::driver::{self, Unit};
use super::flags;
use super::module_text;
use super::tools::{Compiler, Counter, on_path};
use crate::error::Error;

/// What the executable is built for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    Count(Counter),
    Sanitize,
}

/// An executable.
pub struct Built {
    pub executable: PathBuf,
    /// Functions that it cannot call, and why.
    pub uncallable: BTreeMap<String, String>,
    /// Where the counters that gcov reads will be: files, or directories of them.
    pub gcov_counters: Vec<PathBuf>,
}

/// Compiles everything into `folder`.
pub fn build(build: &Build, compiler: &Compiler, purpose: &Purpose, folder: &Path) -> Result<Built, Error> {
    let job = Job { build, compiler, purpose, folder };
    for (name, text) in crate::HEADERS {
        let header = folder.join("include").join(name);
        fs::create_dir_all(header.parent().unwrap_or(folder)).map_err(Error::write(folder))?;
        write(&header, text)?;
    }
    for (name, text) in driver::RUNTIME {
        write(&folder.join(name), text)?;
    }
    job.check()?;
    let mut objects = job.runtime()?;
    let mut uncallable = BTreeMap::new();
    let mut gcov_counters = Vec::new();
    let units = job.units(&mut uncallable);
    for (index, source) in build.sources.iter().enumerate() {
        let included = units.iter().any(|unit| unit.source == Some(source.path.as_path()));
        if included || source.language() == Language::Rust {
            continue;
        }
        let object = folder.join(format!("source_{index}.o"));
        job.source(source, &source.path, &object)?;
        if job.counts_by_gcov(source) {
            gcov_counters.push(job.gcov_counters(source, &object));
        }
        objects.push(object);
    }
    let unit_count = units.len();
    let mut globals = job.globals_without_source(&units);
    for (number, unit) in units.into_iter().enumerate() {
        let object = folder.join(format!("unit_{number}.o"));
        let source = build.sources.iter().find(|source| Some(source.path.as_path()) == unit.source);
        globals.extend(job.unit(unit, number, source, &object, &mut uncallable)?);
        if source.is_some_and(|source| job.counts_by_gcov(source)) {
            gcov_counters.push(object.with_extension("gcda"));
        }
        objects.push(object);
    }
    objects.extend(job.main_file(unit_count, &globals)?);
    objects.extend(job.sizes(&objects)?);
    let executable = folder.join("program");
    job.link(&objects, &executable)?;
    Ok(Built { executable, uncallable, gcov_counters })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::write(path))
}

struct Job<'a> {
    build: &'a Build,
    compiler: &'a Compiler,
    purpose: &'a Purpose,
    folder: &'a Path,
}

impl<'a> Job<'a> {
    fn check(&self) -> Result<(), Error> {
        let rust = self.build.sources.iter().filter(|source| source.language() == Language::Rust).count();
        let trouble = match (&self.build.entry, rust) {
            (_, 0) => return Ok(()),
            (_, 2..) => "a program of several Rust files has one root file; name only that",
            _ if *self.purpose == Purpose::Sanitize => "stable rustc has no sanitizers",
            (Entry::Fuzzer, _) => "fuzz targets in Rust are not called natively",
            _ => return Ok(()),
        };
        Err(Error::NotBuildable(trouble.to_owned()))
    }

    fn is_program(&self) -> bool {
        matches!(self.build.entry, Entry::Program)
    }

    fn counts_by_gcov(&self, source: &Source) -> bool {
        match self.purpose {
            Purpose::Count(Counter::Llvm { .. }) => source.language() == Language::Bitcode,
            Purpose::Count(Counter::LlvmGcov { .. } | Counter::Gcov { .. }) => true,
            _ => false,
        }
    }

    /// Where a compiled file puts its counters. Those of bitcode bear the names of its sources, and lie where the
    /// compiler was started.
    fn gcov_counters(&self, source: &Source, object: &Path) -> PathBuf {
        match source.language() {
            Language::Bitcode => object.with_extension("counters"),
            _ => object.with_extension("gcda"),
        }
    }

    /// The flags that make one file count or be watched.
    fn instrumentation(&self, source: Option<&Source>) -> Vec<OsString> {
        let words: &[&str] = match (self.purpose, source.map(Source::language)) {
            (Purpose::Count(_), _) if self.build.has(Language::Rust) => &[],
            (Purpose::Count(Counter::None(_)), _) => &[],
            (Purpose::Count(Counter::Llvm { .. }), Some(Language::Bitcode)) => &["--coverage"],
            // Calls through prototypes are no code of the user's.
            (Purpose::Count(_), Some(Language::C))
                if source.is_some_and(|source| source.path.starts_with(self.folder)) =>
            {
                &[]
            }
            (Purpose::Count(Counter::Llvm { .. }), _) => &["-fprofile-instr-generate", "-fcoverage-mapping"],
            (Purpose::Count(_), _) => &["--coverage"],
            // Undefined behaviour is reported and survived: what the test claims may come after it.
            (Purpose::Sanitize, _) => {
                &["-fsanitize=address,undefined", "-fno-sanitize=vptr,function", "-fno-omit-frame-pointer"]
            }
        };
        words.iter().map(OsString::from).collect()
    }

    /// Flags of the sources that choose the machine and libraries: the driver and the linker must have them as well.
    fn machine_flags(&self) -> Vec<OsString> {
        let all = self.build.sources.iter();
        let mut flags: Vec<_> = all.flat_map(|source| flags::of_machine(&source.flags)).collect();
        flags.sort();
        flags.dedup();
        flags
    }

    /// The driver's runtime: never counted, never watched.
    fn runtime(&self) -> Result<Vec<PathBuf>, Error> {
        let mut objects = Vec::new();
        for (name, _) in driver::RUNTIME.iter().filter(|(name, _)| name.ends_with(".c")) {
            objects.push(self.plain(&self.folder.join(name))?);
        }
        Ok(objects)
    }

    /// What tells the sizes of objects, if some object file names the function that asks for them.
    fn sizes(&self, objects: &[PathBuf]) -> Result<Option<PathBuf>, Error> {
        let (function, name, text) = driver::SIZES;
        if !objects.iter().any(|object| mentions(object, function)) {
            return Ok(None);
        }
        let path = self.folder.join(name);
        write(&path, text)?;
        self.plain(&path).map(Some)
    }

    /// The generated file with `main`, unless the program's own is the entry.
    fn main_file(&self, units: usize, globals: &[&Parameter]) -> Result<Option<PathBuf>, Error> {
        let main = match &self.build.entry {
            Entry::Program => return Ok(None),
            Entry::Fuzzer => driver::FUZZER_MAIN.to_owned(),
            Entry::Functions { .. } => driver::main_file(units, globals),
        };
        let path = self.folder.join("main.c");
        write(&path, &main)?;
        self.plain(&path).map(Some)
    }

    /// The globals, if no unit includes a source that may show them.
    fn globals_without_source(&self, units: &[Unit<'a>]) -> Vec<&'a Parameter> {
        match &self.build.entry {
            Entry::Functions { globals, .. } if units.iter().all(|unit| unit.source.is_none()) => {
                globals.iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn plain(&self, path: &Path) -> Result<PathBuf, Error> {
        let object = path.with_extension("o");
        let mut command = Command::new(&self.compiler.path);
        command.args(["-O1", "-g0", "-w", "-fPIC", "-c", "-o"]).arg(&object).arg(path).args(self.machine_flags());
        if *self.purpose == Purpose::Sanitize {
            command.arg("-DSYMCRETE_SANITIZED");
        }
        run(&mut command, "the replay driver")?;
        Ok(object)
    }

    /// A module in LLVM's text form, changed as the purpose asks for.
    fn module_text(&self, source: &Source, object: &Path) -> Result<PathBuf, Error> {
        let path = object.with_extension("ll");
        let mut command = Command::new(&self.compiler.path);
        command.args(["-w", "-O0", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o"]);
        run(command.arg(&path).arg(&source.path), &source.path.display().to_string())?;
        let text = fs::read_to_string(&path).map_err(Error::read(&path))?;
        let changed = match self.purpose {
            Purpose::Sanitize => module_text::watched(&text),
            Purpose::Count(_) => module_text::with_one_compile_unit(text),
        };
        write(&path, &changed)?;
        Ok(path)
    }

    fn source(&self, source: &Source, path: &Path, object: &Path) -> Result<(), Error> {
        let is_module = source.path.extension().is_some_and(|extension| extension == "bc" || extension == "ll");
        let changes = *self.purpose == Purpose::Sanitize || self.counts_by_gcov(source);
        let text = if is_module && changes { Some(self.module_text(source, object)?) } else { None };
        let path = text.as_deref().unwrap_or(path);
        let mut command = self.command(source, path);
        if source.language() == Language::Bitcode {
            let folder = object.with_extension("counters");
            fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
            command.current_dir(folder);
        }
        run(command.args(["-c", "-o"]).arg(object), &source.path.display().to_string())?;
        if source.language() == Language::Bitcode && !self.is_program() {
            let tool = on_path(Path::new("objcopy"), &self.build.search_path).or_else(|| {
                let name = format!("llvm-objcopy-{}", self.compiler.major);
                on_path(Path::new(&name), &self.build.search_path)
            });
            let missing =
                || Error::NotBuildable("objcopy, which renames the program's own main, was not found".to_owned());
            let mut command = Command::new(tool.ok_or_else(missing)?);
            run(command.arg("--redefine-sym=main=symcrete_original_main").arg(object), "the program's main")?;
        }
        Ok(())
    }

    /// The compiler with the flags of a source, about to compile `path` in its place.
    fn command(&self, source: &Source, path: &Path) -> Command {
        let mut command = Command::new(&self.compiler.path);
        if let Some(directory) = &source.directory {
            command.current_dir(directory);
        }
        let is_sanitized = *self.purpose == Purpose::Sanitize;
        command.arg("-O0").args(flags::kept(&source.flags, is_sanitized));
        command.args(["-g", "-w", "-I"]).arg(self.folder.join("include"));
        if is_sanitized {
            // AddressSanitizer does not look into the functions that check by themselves.
            command.args(["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"]);
        }
        if source.language() == Language::Bitcode {
            command.arg("-Qunused-arguments");
            if source.path.extension().is_none_or(|extension| extension != "ll") {
                // It is executed as it is.
                command.arg("-O0");
            }
        } else if !self.is_program() {
            command.arg("-Dmain=symcrete_original_main");
        }
        command.args(self.instrumentation(Some(source))).arg(path);
        command
    }

    /// Which functions are called from which generated file.
    fn units(&self, uncallable: &mut BTreeMap<String, String>) -> Vec<Unit<'a>> {
        let Entry::Functions { functions, globals } = &self.build.entry else { return Vec::new() };
        let readable: Vec<&Source> = self
            .build
            .sources
            .iter()
            .filter(|source| matches!(source.language(), Language::C | Language::Cpp))
            .collect();
        let mut units: Vec<Unit> = Vec::new();
        for function in functions {
            let named = function.source.as_deref();
            let source = match (named, readable.as_slice()) {
                (Some(named), _) => readable.iter().find(|source| source.path == named).copied(),
                (None, [only]) if self.build.sources.len() == 1 => Some(*only),
                _ => None,
            };
            if source.is_none()
                && let Some(reason) = driver::prototype_trouble(function)
            {
                uncallable.insert(function.name.clone(), reason);
                continue;
            }
            let path = source.map(|source| source.path.as_path());
            match units.iter_mut().find(|unit| unit.source == path) {
                Some(unit) => unit.functions.push(function),
                None => units.push(Unit {
                    source: path,
                    is_cpp: source.is_some_and(|source| source.language() == Language::Cpp),
                    functions: vec![function],
                    globals: Vec::new(),
                }),
            }
        }
        // Where the globals live is not known: the first unit with a source is tried.
        if let Some(unit) = units.iter_mut().find(|unit| unit.source.is_some()) {
            unit.globals = globals.iter().collect::<Vec<&Parameter>>();
        }
        units
    }

    /// Compiles a generated file. A function whose call does not compile (a type without a name, say) is left out with
    /// its reason; the globals that the source does not show are returned.
    fn unit(
        &self,
        mut unit: Unit<'a>,
        number: usize,
        source: Option<&Source>,
        object: &Path,
        uncallable: &mut BTreeMap<String, String>,
    ) -> Result<Vec<&'a Parameter>, Error> {
        let path = self.folder.join(format!("unit_{number}.{}", if unit.is_cpp { "cpp" } else { "c" }));
        let place = Source::new(&path);
        let source = source.unwrap_or(&place);
        write(&path, &driver::unit(&unit, number))?;
        let Err(error) = self.source_unit(source, &path, object) else { return Ok(Vec::new()) };
        let functions = std::mem::take(&mut unit.functions);
        let globals = std::mem::take(&mut unit.globals);
        // If even the bare source does not compile, that is what there is to say.
        self.try_unit(&unit, number, source, &path).map_err(|_| error)?;
        let mut hidden = Vec::new();
        for global in globals {
            let alone = Unit { globals: vec![global], functions: Vec::new(), ..unit };
            match self.try_unit(&alone, number, source, &path) {
                Ok(()) => unit.globals.push(global),
                Err(_) => hidden.push(global),
            }
        }
        for function in functions {
            let alone = Unit { globals: Vec::new(), functions: vec![function], ..unit };
            match self.try_unit(&alone, number, source, &path) {
                Ok(()) => unit.functions.push(function),
                Err(error) => {
                    uncallable.insert(function.name.clone(), first_error(&error));
                }
            }
        }
        write(&path, &driver::unit(&unit, number))?;
        self.source_unit(source, &path, object)?;
        Ok(hidden)
    }

    fn try_unit(&self, unit: &Unit, number: usize, source: &Source, path: &Path) -> Result<(), Error> {
        write(path, &driver::unit(unit, number))?;
        run(self.command(source, path).arg("-fsyntax-only"), "the replay driver")
    }

    fn source_unit(&self, source: &Source, path: &Path, object: &Path) -> Result<(), Error> {
        run(self.command(source, path).args(["-c", "-o"]).arg(object), &source.path.display().to_string())
    }

    fn link(&self, objects: &[PathBuf], executable: &Path) -> Result<(), Error> {
        let rust = self.build.sources.iter().find(|source| source.language() == Language::Rust);
        let mut libraries: Vec<OsString> = Vec::new();
        if let Some(root) = rust {
            if self.is_program() {
                return self.link_rust(root, objects, executable);
            }
            let library = self.folder.join("libprogram.a");
            self.rust_library(root, &library)?;
            libraries =
                [library.into_os_string()].into_iter().chain(["-lpthread", "-ldl"].map(OsString::from)).collect();
        }
        let mut command = Command::new(&self.compiler.path);
        if self.compiler.is_clang && self.build.has(Language::Cpp) {
            command.arg("--driver-mode=g++");
        }
        let mut flags = self.instrumentation(None);
        if self.build.sources.iter().any(|source| self.counts_by_gcov(source)) {
            flags.push("--coverage".into());
        }
        flags.extend(self.machine_flags());
        if *self.purpose == Purpose::Sanitize {
            // See runtime/replay/scrub.c.
            flags.extend(["-Wl,--wrap=main", "-Wl,--wrap=exit"].map(OsString::from));
        } else {
            flags.extend(self.build.sources.iter().flat_map(|source| flags::of_sanitizers(&source.flags)));
            // Bitcode may have been compiled with checks that no flag tells of.
            let has_checks = |source: &Source| source.language() == Language::Bitcode;
            if self.build.sources.iter().any(has_checks)
                && objects.iter().any(|object| mentions(object, "__ubsan_handle_"))
            {
                flags.push("-fsanitize=undefined".into());
            }
        }
        command
            .args(flags)
            .args(objects)
            .args(libraries)
            .args(&self.build.link_flags)
            .arg("-lm")
            .arg("-o")
            .arg(executable);
        if !self.compiler.is_clang && self.build.has(Language::Cpp) {
            command.arg("-lstdc++");
        }
        run(&mut command, "the program")
    }

    /// The command of rustc, for a crate of this type.
    fn rustc(&self, root: &Source, crate_type: &str) -> Command {
        let mut command = Command::new(&self.build.rustc);
        command.args(&root.flags).args(["-g", "-A", "warnings"]);
        for setting in ["panic=abort", "codegen-units=1", "opt-level=0"] {
            command.args(["-C", setting]);
        }
        command.arg(format!("--crate-type={crate_type}"));
        command
    }

    /// Functions that C can call, and all of Rust's library that they need.
    fn rust_library(&self, root: &Source, library: &Path) -> Result<(), Error> {
        let mut command = self.rustc(root, "staticlib");
        run(command.arg("-o").arg(library).arg(&root.path), &root.path.display().to_string())
    }

    fn link_rust(&self, root: &Source, objects: &[PathBuf], executable: &Path) -> Result<(), Error> {
        let mut command = self.rustc(root, "bin");
        if matches!(self.purpose, Purpose::Count(Counter::Llvm { .. })) {
            command.args(["-C", "instrument-coverage"]);
        }
        for object in objects {
            let mut word = OsString::from("link-arg=");
            word.push(object);
            command.arg("-C").arg(word);
        }
        for flag in &self.build.link_flags {
            let mut word = OsString::from("link-arg=");
            word.push(flag);
            command.arg("-C").arg(word);
        }
        run(command.arg("-o").arg(executable).arg(&root.path), &root.path.display().to_string())
    }
}

/// Whether an object file has this text in it, as the names of what it needs are.
fn mentions(object: &Path, text: &str) -> bool {
    fs::read(object).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
}

fn run(command: &mut Command, what: &str) -> Result<(), Error> {
    let program = PathBuf::from(command.get_program());
    let done = command.output().map_err(|source| Error::Start { path: program, source })?;
    if done.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&done.stderr).into_owned();
    Err(Error::Compile { what: what.to_owned(), output })
}

/// The first complaint of a compiler, in one line.
pub fn first_error(error: &Error) -> String {
    let output = error.output().unwrap_or_default();
    let line = output.lines().find(|line| line.contains("error:")).or_else(|| output.lines().next());
    match line {
        Some(line) => format!("its call does not compile: {}", line.split("error:").nth(1).unwrap_or(line).trim()),
        None => error.to_string(),
    }
}
