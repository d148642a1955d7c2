//! Real programs (bzip2, zlib, Lua), whose sources come with crates: byte for byte the native behaviour, and no report.
//!
//! Each is compiled once to bitcode for each level of optimisation; the native program is made of that same bitcode, so that
//! both sides run the same code.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use support::{Shown, crate_sources, root, run, symcrete};
use tempfile::TempDir;

/// One program, both ways. The first bitcode file has the name of the program, because programs look at `argv[0]`.
struct Build {
    folder: TempDir,
    native: PathBuf,
    bitcode: Vec<PathBuf>,
}

impl Build {
    fn new(name: &str, level: &str, flags: &[&str], sources: &[PathBuf]) -> Build {
        let folder = tempfile::tempdir().unwrap();
        let modules = folder.path().join("modules");
        fs::create_dir(&modules).unwrap();
        let bitcode: Vec<PathBuf> = sources.iter().map(|source| modules.join(source.file_stem().unwrap())).collect();
        let work: Vec<(&PathBuf, &PathBuf)> = sources.iter().zip(&bitcode).collect();
        let queue = Mutex::new(work.into_iter());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some((source, out)) = { queue.lock().unwrap().next() } {
                        compile(level, flags, source, out);
                    }
                });
            }
        });
        let native = folder.path().join(name);
        let mut link = Command::new("clang");
        link.args([level, "-w", "-x", "ir"]).args(&bitcode).args(["-x", "none", "-lm", "-o"]).arg(&native);
        succeed(&mut link);
        Build { folder, native, bitcode }
    }

    fn native(&self, arguments: &[&str], input: &[u8]) -> Shown {
        run(Command::new(&self.native).args(arguments).current_dir(self.folder.path()), input)
    }

    fn engine(&self, arguments: &[&str], input: &[u8]) -> Shown {
        let mut command = symcrete();
        command.arg("run").args(&self.bitcode).arg("--").args(arguments).current_dir(self.folder.path());
        run(&mut command, input)
    }

    /// Runs it both ways, insists that nothing differs, and returns what was shown.
    fn same(&self, arguments: &[&str], input: &[u8]) -> Shown {
        let (native, engine) = (self.native(arguments, input), self.engine(arguments, input));
        let name = self.native.file_name().unwrap();
        assert_eq!(native.stderr, engine.stderr, "{name:?} {arguments:?}: the errors differ");
        assert_eq!(native.status, engine.status, "{name:?} {arguments:?}: the status differs");
        let agreeing = native.stdout.iter().zip(&engine.stdout).take_while(|(native, engine)| native == engine).count();
        let lengths = (native.stdout.len(), engine.stdout.len());
        assert!(
            native.stdout == engine.stdout,
            "{name:?} {arguments:?}: output differs at byte {agreeing} of {lengths:?}"
        );
        engine
    }
}

fn compile(level: &str, flags: &[&str], source: &Path, out: &Path) {
    let mut command = Command::new("clang");
    command.args(["-w", "-g", level, "-emit-llvm", "-c", "-o"]).arg(out).args(flags).arg(source);
    if level == "-O0" {
        command.args(["-Xclang", "-disable-O0-optnone"]);
    }
    succeed(&mut command);
}

fn succeed(command: &mut Command) {
    let done = command.output().expect("clang");
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
}

/// The C files of a folder, but for some.
fn sources(folder: &Path, without: &[&str]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| !without.contains(&path.file_name().unwrap().to_str().unwrap()))
        .collect();
    paths.sort();
    paths
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..length).map(|_| byte()).collect()
}

fn text(words: usize) -> Vec<u8> {
    const WORDS: [&str; 12] =
        ["the", "program", "runs", "in", "the engine", "as", "it", "would", "natively,", "byte", "for", "byte.\n"];
    let chosen: Vec<&str> = noise(words).iter().map(|byte| WORDS[usize::from(*byte) % WORDS.len()]).collect();
    let mut text = chosen.join(" ");
    text.push('\n');
    text.into_bytes()
}

fn repetitive(length: usize) -> Vec<u8> {
    b"abcabcabd".iter().copied().cycle().take(length).collect()
}

fn bzip2(level: &str) {
    let folder = crate_sources("bzip2-sys").join("bzip2-1.0.8");
    let main =
        ["bzip2.c", "blocksort.c", "bzlib.c", "compress.c", "crctable.c", "decompress.c", "huffman.c", "randtable.c"];
    let sources: Vec<PathBuf> = main.iter().map(|name| folder.join(name)).collect();
    let build = Build::new("bzip2", level, &["-D_FILE_OFFSET_BITS=64"], &sources);
    let cases =
        [("-1", vec![]), ("-9", text(3000)), ("-1", noise(4000)), ("-5", repetitive(30_000)), ("-3", vec![7; 500])];
    for (strength, input) in &cases {
        let packed = build.same(&["-c", "-v", strength], input);
        assert_eq!(packed.status, 0, "{}", packed.stderr);
        let unpacked = build.same(&["-d", "-c"], &packed.stdout);
        assert!(unpacked.stdout == *input && unpacked.status == 0, "{strength}: {}", unpacked.stderr);
        build.same(&["-d", "-c", "-s"], &packed.stdout);
    }
    let sample = fs::read(folder.join("sample2.bz2")).unwrap();
    let reference = fs::read(folder.join("sample2.ref")).unwrap();
    assert!(build.same(&["-dc"], &sample).stdout == reference, "sample2.bz2 does not give sample2.ref");

    let packed = build.native(&["-c"], &text(500)).stdout;
    assert_eq!(build.same(&["-t", "-v"], &packed).status, 0);
    let mut corrupt = packed.clone();
    corrupt[packed.len() / 2] ^= 0x10;
    assert_eq!(build.same(&["-t"], &corrupt).status, 2);
    assert_eq!(build.same(&["-dc"], &packed[..packed.len() / 2]).status, 2);
    assert_eq!(build.same(&["-dc"], b"not compressed at all").status, 2);
    assert_eq!(build.same(&["--no-such-flag"], b"").status, 1);
    build.same(&["--help"], b"");
}

#[test]
fn bzip2_unoptimised() {
    bzip2("-O0");
}

#[test]
fn bzip2_optimised() {
    bzip2("-O2");
}

fn zlib(level: &str) {
    let folder = crate_sources("libz-sys").join("src/zlib");
    let mut all = vec![root().join("tests/real/zlib_driver.c")];
    all.extend(sources(&folder, &[]));
    let include = format!("-I{}", folder.display());
    let build = Build::new("zlib_driver", level, &["-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", &include], &all);
    let (words, random, runs) = (text(900), noise(3000), repetitive(9000));
    for strength in 0..=9 {
        let input = [&words, &random, &runs][strength % 3];
        let packed = build.same(&["deflate", &strength.to_string(), "0"], input);
        assert_eq!(packed.status, 0, "{}", packed.stderr);
        assert!(build.same(&["inflate"], &packed.stdout).stdout == *input, "level {strength}");
    }
    for strategy in 1..=4 {
        let packed = build.same(&["deflate", "6", &strategy.to_string()], &words);
        assert!(build.same(&["inflate"], &packed.stdout).stdout == words, "strategy {strategy}");
    }
    let packed = build.native(&["deflate", "9", "0"], &words).stdout;
    let mut corrupt = packed.clone();
    corrupt[packed.len() / 2] ^= 0x24;
    build.same(&["inflate"], &corrupt);
    assert_eq!(build.same(&["inflate"], &packed[..packed.len() / 2]).status, 1);
    assert_eq!(build.same(&["inflate"], b"not compressed").status, 1);
    for input in [&words, &vec![], &random] {
        build.same(&["checks"], input);
        build.same(&["memory", "7"], input);
        let zipped = build.same(&["gzip", "5"], &text(input.len() / 10));
        assert!(build.same(&["gunzip"], &zipped.stdout).stdout == text(input.len() / 10));
    }
}

#[test]
fn zlib_unoptimised() {
    zlib("-O0");
}

#[test]
fn zlib_optimised() {
    zlib("-O2");
}

fn lua(level: &str) {
    let folder = crate_sources("lua-src").join("lua-5.4.7");
    let mut all = vec![root().join("tests/real/lua_driver.c")];
    all.extend(sources(&folder, &["lua.c", "luac.c", "onelua.c", "ltests.c"]));
    let include = format!("-I{}", folder.display());
    let build = Build::new("lua_driver", level, &["-DLUA_COMPAT_5_3", &include], &all);
    let mut scripts: Vec<PathBuf> =
        fs::read_dir(root().join("tests/real/lua")).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    assert!(!scripts.is_empty());
    for script in scripts {
        let arguments = [script.to_str().unwrap(), "first argument", "second"];
        let shown = build.same(&arguments, b"line one\n42 0x1F\nrest here\nmore\n");
        assert!(!shown.stdout.is_empty(), "{script:?} prints nothing");
    }
    assert_eq!(build.same(&["no such script"], b"").status, 1);
    assert_eq!(build.same(&[], b"").status, 2);
}

#[test]
fn lua_unoptimised() {
    lua("-O0");
}

#[test]
fn lua_optimised() {
    lua("-O2");
}
