//! Compiles Bitwuzla, once for each version, set of flags and compiler. This takes minutes, so that the archive is kept in the
//! user's cache, where it outlives `cargo clean` and fresh clones.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

use crate::cargo_variable;
use crate::sources::Sources;

/// To be changed with anything in this file that changes the archive.
const RECIPE: u32 = 1;

/// Parts of the sources that the library does without: its program, its parsers, its bindings for other languages. Its printer
/// needs the lexer.
const LEFT_OUT: [&str; 7] = [
    "src/main",
    "src/api/python",
    "src/api/c/parser.cpp",
    "src/api/cpp/parser.cpp",
    "src/parser/btor2",
    "src/parser/smt2/parser.cpp",
    "src/parser/smt2/symbol_table.cpp",
];

/// The archive, compiled now if it is in no cache.
pub fn library(sources: &Sources) -> Result<PathBuf, String> {
    let out = PathBuf::from(cargo_variable("OUT_DIR")?);
    let build = configured(sources, &out)?;
    let folder = cache_folder(&out).join(format!("bitwuzla-{:016x}", fingerprint(&build, sources)?));
    let archive = folder.join("libbitwuzla.a");
    let failed = |error: io::Error| format!("symcrete-bitwuzla: cannot write {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    // Two builds at once would do the work twice.
    let lock = File::create(folder.join("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    if !archive.exists() {
        check_headers(&build, &out)?;
        compile(build, sources, &out)?;
        // Renamed last, so that an archive that is there is whole.
        let partial = folder.join("libbitwuzla.a.partial");
        fs::copy(out.join("libbitwuzla.a"), &partial).map_err(failed)?;
        fs::rename(&partial, &archive).map_err(failed)?;
        fs::remove_file(out.join("libbitwuzla.a")).map_err(failed)?;
    }
    Ok(archive)
}

fn configured(sources: &Sources, out: &Path) -> Result<cc::Build, String> {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .cargo_warnings(false)
        .cargo_metadata(false)
        .out_dir(out)
        .define("NDEBUG", None)
        .define("HAVE_RUSAGE", None)
        // All float formats, not only those of IEEE: bfloat and x87.
        .define("BZLA_USE_FPEXP", None)
        .include(out.join("generated"))
        .include(sources.bitwuzla.join("include"))
        .include(sources.bitwuzla.join("src"))
        .include(sources.bitwuzla.join("src/lib"))
        .includes(&sources.cadical);
    Ok(build)
}

/// Of all that decides what the archive contains. Where the sources lie is not part of it; their version is.
fn fingerprint(build: &cc::Build, sources: &Sources) -> Result<u64, String> {
    let compiler = build.try_get_compiler().map_err(|error| missing(&error.to_string()))?;
    let version = Command::new(compiler.path()).arg("--version").output();
    let version = version.map_err(|error| missing(&error.to_string()))?.stdout;
    let flags = compiler.args().iter().map(|argument| argument.to_string_lossy());
    let flags: Vec<String> = flags.filter(|argument| !argument.contains('/')).map(String::from).collect();
    let read =
        |path: PathBuf| fs::read(&path).map_err(|error| format!("symcrete-bitwuzla: {}: {error}", path.display()));
    let mut hasher = DefaultHasher::new();
    (RECIPE, version, flags).hash(&mut hasher);
    read(sources.bitwuzla.join("meson.build"))?.hash(&mut hasher);
    read(sources.cadical[0].join("cadical.hpp"))?.hash(&mut hasher);
    read(sources.cadical[1].join("cadical_extension.hpp"))?.hash(&mut hasher);
    Ok(hasher.finish())
}

fn cache_folder(out: &Path) -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache")));
    match cache.map(|cache| cache.join("symcrete")) {
        Some(folder) if fs::create_dir_all(&folder).is_ok() => folder,
        _ => out.to_path_buf(),
    }
}

fn missing(what: &str) -> String {
    format!(
        "symcrete-bitwuzla: a C++ compiler, GMP and SymFPU are needed: apt install g++ libgmp-dev libsymfpu-dev ({what})"
    )
}

/// In time, with a better sentence than the compiler would find.
fn check_headers(build: &cc::Build, out: &Path) -> Result<(), String> {
    let compiler = build.try_get_compiler().map_err(|error| missing(&error.to_string()))?;
    let probe = out.join("headers.cpp");
    for header in ["gmp.h", "symfpu/core/unpackedFloat.h"] {
        let failed = |error: io::Error| format!("symcrete-bitwuzla: cannot look for {header}: {error}");
        fs::write(&probe, format!("#if !__has_include(<{header}>)\n#error missing\n#endif\n")).map_err(failed)?;
        let status = compiler.to_command().arg("-E").arg("-o").arg("/dev/null").arg(&probe).output().map_err(failed)?;
        if !status.status.success() {
            return Err(missing(&format!("there is no {header}")));
        }
    }
    Ok(())
}

fn compile(mut build: cc::Build, sources: &Sources, out: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    collect(&sources.bitwuzla, &sources.bitwuzla.join("src"), &mut files)
        .map_err(|error| format!("symcrete-bitwuzla: cannot read Bitwuzla's sources: {error}"))?;
    files.sort();
    let generated = out.join("generated");
    let written =
        fs::create_dir_all(&generated).and_then(|()| fs::write(generated.join("config.h"), configuration(sources)));
    written.map_err(|error| format!("symcrete-bitwuzla: cannot write {}: {error}", generated.display()))?;
    build.files(files);
    build.try_compile("bitwuzla").map_err(|error| format!("symcrete-bitwuzla: Bitwuzla does not compile: {error}"))
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.strip_prefix(root).unwrap_or(&path);
        if LEFT_OUT.iter().any(|left_out| name == Path::new(left_out)) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "cpp") {
            files.push(path);
        }
    }
    Ok(())
}

/// Bitwuzla's `config.h`, which its own build would make from a template with words about itself.
fn configuration(sources: &Sources) -> String {
    let meson = fs::read_to_string(sources.bitwuzla.join("meson.build")).unwrap_or_default();
    let version = meson.lines().find_map(|line| line.trim().strip_prefix("version: '")?.split('\'').next());
    let version = version.unwrap_or("unknown");
    let words = [("git_id", ""), ("version", version), ("license", "MIT"), ("os", ""), ("cc", ""), ("cxx", "")];
    let words = words.map(|(name, text)| format!("static constexpr const char* {name} = \"{text}\";\n")).concat();
    format!("#pragma once\nnamespace bzla::config {{\nstatic constexpr bool is_debug_build = false;\n{words}}}\n")
}
