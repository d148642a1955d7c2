//! Native replay follows the program: its bitcode files and headers in the counters, its compiler and flags in the build, its
//! errors in the verdicts.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{Shown, run, symcrete};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A directory with these files.
    fn new(files: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A run of this command of ours with `--json`.
    fn symcrete(&self, words: &[&str]) -> (Shown, Value) {
        let shown = run(symcrete().args(words).arg("--json").current_dir(self.folder.path()), b"");
        let json = serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"));
        (shown, json)
    }

    fn cover(&self, words: &[&str]) -> Value {
        let (shown, json) = self.symcrete(&[&["cover", "--out", "out"], words].concat());
        assert!(shown.status <= 1, "{shown:?}");
        json
    }

    fn tool(&self, tool: impl AsRef<Path>, words: &[&str]) {
        let done = Command::new(tool.as_ref()).args(words).current_dir(self.folder.path()).output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

/// A tool of LLVM that is not always on the path.
fn llvm_tool(name: &str) -> Option<PathBuf> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&search).collect();
    folders.extend((14..=22).map(|major| PathBuf::from(format!("/usr/lib/llvm-{major}/bin"))));
    let found = folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} is not installed");
    }
    found
}

/// What replay counted of a file: covered and total.
fn counted(result: &Value, file: &str, what: &str) -> (u64, u64) {
    let files = result["coverage"]["files"].as_array().unwrap();
    let of_file = files.iter().find(|known| Path::new(known["file"].as_str().unwrap()).ends_with(file));
    let tally = &of_file.unwrap_or_else(|| panic!("{file} is not in {}", result["coverage"]))[what];
    (tally["covered"].as_u64().unwrap(), tally["total"].as_u64().unwrap())
}

const HEADER: &str = "static inline int clamp(int x) {\n\
    \x20 if (x > 100)\n\
    \x20   return 100;\n\
    \x20 return x;\n\
    }\n";
/// The header's branch is taken one way here, and the other way in `other`.
const MAIN: &str = "#include \"h.h\"\n\
    int other(int);\n\
    int main(int argc, char **argv) {\n\
    \x20 if (argc > 1 && argv[1][0] == 'k')\n\
    \x20   return other(300) + clamp(2);\n\
    \x20 return 0;\n\
    }\n";
const OTHER: &str = "#include \"h.h\"\n\
    int other(int x) {\n\
    \x20 return clamp(x) - 99;\n\
    }\n";
const BOTH: [(&str, &str); 4] =
    [("h.h", HEADER), ("a_main.c", MAIN), ("b_other.c", OTHER), ("c_more.c", "int more(void) {\n  return 1;\n}\n")];
const ARGUMENT: [&str; 4] = ["--sym-args", "1", "1", "1"];

fn is_all_counted(result: &Value) {
    let of = |file: &str, what: &str| counted(result, file, what);
    assert_eq!((of("a_main.c", "lines").0, of("a_main.c", "functions")), (of("a_main.c", "lines").1, (1, 1)));
    assert_eq!((of("b_other.c", "lines").0, of("b_other.c", "functions")), (of("b_other.c", "lines").1, (1, 1)));
    assert!(of("b_other.c", "lines").0 >= 2, "{}", result["coverage"]);
    assert_eq!((of("h.h", "lines"), of("h.h", "branches")), ((5, 5), (2, 2)), "{}", result["coverage"]);
    assert_eq!(of("h.h", "functions"), (1, 1), "{}", result["coverage"]);
    assert_eq!(result["replay"]["confirmed"], result["tests"]);
}

#[test]
fn a_header_of_several_sources_is_counted_in_all_of_them() {
    let place = Place::new(&BOTH);
    let files = ["a_main", "b_other", "c_more"];
    is_all_counted(&place.cover(&[&["a_main.c", "b_other.c", "c_more.c"][..], &ARGUMENT].concat()));
    for name in files {
        place.tool("clang", &["-g", "-O0", "-emit-llvm", "-c", &format!("{name}.c")]);
    }
    is_all_counted(&place.cover(&[&["a_main.bc", "b_other.bc", "c_more.bc"][..], &ARGUMENT].concat()));
    // And with sources and bitcode in one program.
    is_all_counted(&place.cover(&[&["a_main.bc", "b_other.c", "c_more.bc"][..], &ARGUMENT].concat()));
}

#[test]
fn bitcode_that_was_linked_is_counted() {
    let Some(link) = llvm_tool("llvm-link") else { return };
    let place = Place::new(&BOTH);
    let files = ["a_main.bc", "b_other.bc", "c_more.bc"];
    for name in files {
        place.tool("clang", &["-g", "-O0", "-emit-llvm", "-c", &name.replace(".bc", ".c")]);
    }
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let files = order.map(|index| files[index]);
        place.tool(&link, &[&["-o", "all.bc"][..], &files].concat());
        let result = place.cover(&[&["all.bc"][..], &ARGUMENT].concat());
        is_all_counted(&result);
        assert_eq!((counted(&result, "c_more.c", "lines").0, counted(&result, "c_more.c", "functions")), (0, (0, 1)));
    }
}

#[test]
fn tests_of_the_program_and_of_a_function_are_counted_together() {
    let place = Place::new(&[(
        "two.c",
        "int twice(int x) {\n\
         \x20 if (x == 1000)\n\
         \x20   return 1;\n\
         \x20 return 2 * x;\n\
         }\n\
         int main(int argc, char **argv) {\n\
         \x20 return argc > 1 ? twice(argv[1][0]) == 84 : 3;\n\
         }\n",
    )]);
    place.cover(&[&["two.c"][..], &ARGUMENT].concat());
    fs::rename(place.path("out/tests"), place.path("both")).unwrap();
    place.cover(&["two.c", "--entry", "twice"]);
    for entry in fs::read_dir(place.path("out/tests")).unwrap().flatten() {
        let name = format!("f{}", entry.file_name().to_str().unwrap());
        fs::rename(entry.path(), place.path("both").join(name)).unwrap();
    }
    let (shown, result) = place.symcrete(&["replay", "both", "two.c"]);
    assert_eq!(shown.status, 0, "{shown:?}");
    assert_eq!(counted(&result, "two.c", "lines"), (8, 8), "{}", result["coverage"]);
    assert_eq!(counted(&result, "two.c", "functions"), (2, 2));
}

const REMOVES: &str = "#include <fcntl.h>\n\
    #include <stdio.h>\n\
    #include <sys/stat.h>\n\
    #include <unistd.h>\n\
    #include <symcrete.h>\n\
    int main(void) {\n\
    \x20 switch (symcrete_choice(10, \"what\")) {\n\
    \x20 case 0: unlink(\"/nowhere/to/be/found\"); return 10;\n\
    \x20 case 1: rename(\"here\", \"../../../nowhere/there\"); return 11;\n\
    \x20 case 2: open(\"/nowhere/x\", O_CREAT | O_WRONLY, 0600); return 12;\n\
    \x20 case 3: chdir(\"/\"); mkdir(\"nowhere/x\", 0700); return 13;\n\
    \x20 case 4: fopen(\"/nowhere/x\", \"w\"); return 14;\n\
    \x20 case 5: open(\"/nowhere/x\", O_RDONLY); return 15;\n\
    \x20 case 6: mkdir(\"here\", 0700); rmdir(\"here/../here\"); return 16;\n\
    \x20 case 7: unlink(\"/tmp/symcrete-is-not-here\"); return 17;\n\
    \x20 case 8: open(\"/dev/null\", O_WRONLY); return 18;\n\
    \x20 default: return 19;\n\
    \x20 }\n\
    }\n";

#[test]
fn tests_that_reach_for_files_of_others_are_no_programs_of_their_own() {
    let place = Place::new(&[("removes.c", REMOVES)]);
    let result = place.cover(&["removes.c", "--format=c", "--format=rust", "--format=ktest", "--no-replay"]);
    assert_eq!((&result["tests"], &result["only_as_json"]), (&10.into(), &5.into()), "{result}");
    let mut kept = Vec::new();
    for entry in fs::read_dir(place.path("out/tests")).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let test: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let is_there = ["c", "rs"].map(|extension| path.with_extension(extension).exists());
        assert!(path.with_extension("ktest").exists());
        assert_eq!(is_there, [test["note"].is_null(); 2], "{test}");
        if is_there[0] {
            kept.push(test["ends"]["status"].as_u64().unwrap());
        } else {
            assert!(test["note"].as_str().unwrap().contains("/nowhere/"), "{test}");
        }
    }
    kept.sort_unstable();
    assert_eq!(kept, [15, 16, 17, 18, 19]);
    let shown = run(
        symcrete()
            .args(["cover", "--format=c", "--no-replay"])
            .arg(place.path("removes.c"))
            .current_dir(place.path("")),
        b"",
    );
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("5 tests are not written as C or Rust"), "{text}");
}

#[test]
fn flags_that_decide_behaviour_are_flags_of_the_native_build() {
    let text = "#include <symcrete.h>\n\
        #ifdef __OPTIMIZE__\n\
        #define OPTIMISED 30\n\
        #else\n\
        #define OPTIMISED 0\n\
        #endif\n\
        int is_plain(char c) {\n\
        \x20 if (c < 0)\n\
        \x20   return 1;\n\
        \x20 return 2;\n\
        }\n\
        int main(void) {\n\
        \x20 char c = symcrete_char(\"c\");\n\
        \x20 return is_plain(c) + OPTIMISED + MORE;\n\
        }\n";
    let place = Place::new(&[("flags.c", text)]);
    let flags = ["flags.c", "--cflag=-O2", "-D", "MORE=100", "--cflag=-funsigned-char", "--every-path"];
    let result = place.cover(&flags);
    assert_eq!((&result["tests"], &result["replay"]["confirmed"]), (&2.into(), &2.into()), "{result}");
    // Lines are counted by their source, and not by what is left of them.
    assert_eq!((counted(&result, "flags.c", "lines"), counted(&result, "flags.c", "functions")), ((9, 10), (2, 2)));
    let (shown, replayed) = place.symcrete(&[&["replay", "out"][..], &flags[..5]].concat());
    assert_eq!((shown.status, &replayed["confirmed"]), (0, &2.into()), "{replayed}");
    assert_eq!(replayed["coverage"]["lines"], result["coverage"]["lines"]);
    // What the compiler writes is ours to say.
    let flags = ["flags.c", "-D", "MORE=0", "--cflag=-flto", "--cflag=-MMD"];
    let result = place.cover(&flags);
    assert_eq!(result["tests"], result["replay"]["confirmed"], "{result}");
    assert_eq!(counted(&result, "flags.c", "lines"), (10, 10));
}

#[test]
fn checks_of_the_c_library_are_checks_of_the_native_build() {
    let text = "#include <stdio.h>\n\
        #include <string.h>\n\
        #include <symcrete.h>\n\
        int main(void) {\n\
        \x20 char from[32], to[8];\n\
        \x20 int n = symcrete_range(0, 30, \"n\");\n\
        \x20 memset(from, 'x', sizeof from);\n\
        \x20 from[n] = 0;\n\
        \x20 if (n == 0 || n > 20)\n\
        \x20   strcpy(to, from);\n\
        \x20 else\n\
        \x20   to[0] = 0;\n\
        \x20 puts(to);\n\
        \x20 return 0;\n\
        }\n";
    let place = Place::new(&[("fortified.c", text)]);
    for flags in [&["--cflag=-O2", "-D", "_FORTIFY_SOURCE=2"][..], &["-D", "_FORTIFY_SOURCE=2"], &["--cflag=-O1"]] {
        let result = place.cover(&[&["fortified.c"][..], flags].concat());
        assert_eq!(result["replay"]["confirmed"], result["tests"], "{flags:?} {result}");
        assert_eq!(result["findings"].as_array().unwrap().len(), 1, "{flags:?} {result}");
    }
}

/// A clang that is newer than the usual one, with its version.
fn newer_clang() -> Option<(PathBuf, u32)> {
    let version = |path: &Path| -> Option<u32> {
        let done = Command::new(path).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        text.split("clang version ").nth(1)?.split('.').next()?.parse().ok()
    };
    let usual = version(Path::new("clang"))?;
    let newer = (usual + 1..=22).find_map(|major| {
        let path = PathBuf::from(format!("clang-{major}"));
        (version(&path) == Some(major)).then_some((path, major))
    });
    if newer.is_none() {
        eprintln!("skipped: no clang newer than {usual} is installed");
    }
    newer
}

#[test]
fn bitcode_is_compiled_by_a_clang_that_can_read_it() {
    let Some((clang, major)) = newer_clang() else { return };
    let text = "#include <stdlib.h>\n\
        int pick(unsigned at, int x) {\n\
        \x20 int *numbers = calloc(8, sizeof *numbers);\n\
        \x20 if (x == 77 && at <= 8)\n\
        \x20   x = numbers[at];\n\
        \x20 free(numbers);\n\
        \x20 return x;\n\
        }\n";
    let place = Place::new(&[("pick.c", text)]);
    for (flags, file) in [(["-emit-llvm", "-c"], "pick.bc"), (["-emit-llvm", "-S"], "pick.ll")] {
        place.tool(&clang, &[&["-O0", "-g", "pick.c", "-o", file][..], &flags].concat());
        let result = place.cover(&[file, "--entry", "pick"]);
        assert_eq!(result["replay"]["confirmed"], result["tests"], "{file}: {result}");
        assert_eq!(result["findings"].as_array().unwrap().len(), 1, "{file}: {result}");
        assert_ne!(result["coverage"]["by"], "the engine");
    }
    // Only the usual one is there.
    let only = place.path("bin");
    fs::create_dir(&only).unwrap();
    for tool in ["clang", "ld"] {
        let search = std::env::var_os("PATH").unwrap();
        let real = std::env::split_paths(&search).map(|folder| folder.join(tool)).find(|path| path.is_file());
        std::os::unix::fs::symlink(real.unwrap(), only.join(tool)).unwrap();
    }
    let mut command = symcrete();
    command.args(["replay", "out", "pick.bc"]).env("PATH", &only).current_dir(place.path(""));
    let shown = run(&mut command, b"");
    let words = format!("was written by LLVM {major} and needs clang {major} or newer; found clang ");
    assert!(shown.status == 2 && shown.stderr.contains(&words), "{shown:?}");
    assert!(shown.stderr.contains(&format!("install clang-{major}")), "{shown:?}");
}

#[test]
fn bitcode_of_rustc_is_replayed() {
    let text = "#[no_mangle]\n\
        pub extern \"C\" fn scale(x: i32, y: i32) -> i32 {\n\
        \x20   if x == 77 { return y.wrapping_mul(3); }\n\
        \x20   x ^ y\n\
        }\n";
    let place = Place::new(&[("scale.rs", text)]);
    place.tool("rustc", &["--emit=llvm-bc", "-g", "-Cpanic=abort", "--crate-type=lib", "-o", "scale.bc", "scale.rs"]);
    let result = place.cover(&["scale.bc", "--entry", "scale"]);
    let reason = result["replay"]["not_replayed"][0]["reason"].as_str();
    if let Some(reason) = reason {
        assert!(reason.contains("install clang-"), "{result}");
        eprintln!("skipped: {reason}");
        return;
    }
    assert_eq!(result["replay"]["confirmed"], result["tests"], "{result}");
    assert_eq!(counted(&result, "scale.rs", "functions"), (1, 1));
}

#[test]
fn the_same_crash_by_another_signal_is_confirmed() {
    let text = "#include <signal.h>\n\
        #include <stdlib.h>\n\
        #include <symcrete.h>\n\
        static void handler(int number) { (void)number; abort(); }\n\
        static void trap(int number) { (void)number; __builtin_trap(); }\n\
        int main(void) {\n\
        \x20 int *volatile p = 0;\n\
        \x20 volatile int zero = 0;\n\
        \x20 signal(SIGSEGV, handler);\n\
        \x20 signal(SIGFPE, trap);\n\
        \x20 if (symcrete_choice(2, \"k\"))\n\
        \x20   return *p;\n\
        \x20 return 1 / zero;\n\
        }\n";
    let place = Place::new(&[("crash.c", text)]);
    let result = place.cover(&["crash.c"]);
    assert_eq!((&result["tests"], &result["replay"]["confirmed"]), (&2.into(), &2.into()), "{result}");
    // The same signals, claimed elsewhere.
    for entry in fs::read_dir(place.path("out/tests")).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        let moved = text.replace("\"line\": 12", "\"line\": 8").replace("\"line\": 13", "\"line\": 8");
        assert_ne!(text, moved);
        fs::write(entry.path(), moved).unwrap();
    }
    let (shown, replayed) = place.symcrete(&["replay", "out", "crash.c"]);
    assert_eq!((shown.status, &replayed["diverged"]), (1, &2.into()), "{replayed}");
}

#[test]
fn errors_inside_of_make_symbolic_are_errors_natively() {
    let text = "#include <klee/klee.h>\n\
        #include <stdlib.h>\n\
        static const int constant = 3;\n\
        int main(void) {\n\
        \x20 int x, small[2];\n\
        \x20 char *heap = malloc(5), *null = 0;\n\
        \x20 klee_make_symbolic(&x, sizeof x, \"x\");\n\
        \x20 switch (x) {\n\
        \x20 case 1: klee_make_symbolic(small, 12, \"small\"); break;\n\
        \x20 case 2: klee_make_symbolic(heap, 6, \"heap\"); break;\n\
        \x20 case 3: klee_make_symbolic((int *)&constant, 4, \"constant\"); break;\n\
        \x20 case 4: klee_make_symbolic(null, 4, \"null\"); break;\n\
        \x20 case 5: free(heap); klee_make_symbolic(heap, 5, \"freed\"); break;\n\
        \x20 case 6: klee_make_symbolic(heap, 5, \"heap\"); break;\n\
        \x20 case 7: klee_make_symbolic(null, 0, \"nothing\"); break;\n\
        \x20 }\n\
        \x20 return 0;\n\
        }\n";
    let place = Place::new(&[("errors.c", text)]);
    let result = place.cover(&["errors.c", "--every-path"]);
    assert_eq!(result["findings"].as_array().unwrap().len(), 5, "{result}");
    assert_eq!(result["tests"], result["replay"]["confirmed"], "{result}");
}

#[test]
fn the_replay_after_the_search_has_its_own_time() {
    let text = "#include <symcrete.h>\n\
        int main(void) {\n\
        \x20 int n = symcrete_choice(40, \"n\");\n\
        \x20 symcrete_assert(n != 33);\n\
        \x20 return n;\n\
        }\n";
    let place = Place::new(&[("many.c", text)]);
    let result = place.cover(&["many.c", "--every-path", "--replay-time", "0"]);
    let left = result["replay"]["not_replayed"].as_array().unwrap();
    // Some may have been run beside the search.
    assert!(!left.is_empty(), "{result}");
    assert!(left.iter().all(|test| test["reason"] == "the replay time was up"), "{result}");
    let number = left[0]["test"].as_u64().unwrap();
    let test = fs::read(place.path(&format!("out/tests/{number:06}.json"))).unwrap();
    let test: Value = serde_json::from_slice(&test).unwrap();
    assert_eq!((&test["replayed"], &test["reason"]), (&false.into(), &"the replay time was up".into()));
    let run = |words: &[&str]| run(symcrete().args(words).arg(place.path("many.c")).current_dir(place.path("")), b"");
    let shown = run(&["cover", "--every-path", "--replay-time=0", "--out=out"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("the replay time was up; symcrete replay out replays them"), "{text}");
    assert!(text.contains("(the replay after the search took "), "{text}");
    let (shown, replayed) = place.symcrete(&["replay", "out", "many.c"]);
    assert_eq!((shown.status, &replayed["confirmed"]), (1, &result["tests"]), "{replayed}");
    for command in ["cover", "reach"] {
        let shown = run(&[command, "--replay-time=-1"]);
        assert!(shown.status == 2 && shown.stderr.contains("give a duration, such as"), "{shown:?}");
    }
}

#[test]
fn sizes_of_blocks_are_the_same_natively() {
    let text = "#include <klee/klee.h>\n\
        #include <stdlib.h>\n\
        int main(void) {\n\
        \x20 int n = klee_range(1, 40, \"n\");\n\
        \x20 if (n != 21 && n != 5)\n\
        \x20   return 0;\n\
        \x20 char *first = malloc(21), *second = calloc(3, 5);\n\
        \x20 first = realloc(first, 23);\n\
        \x20 int sum = klee_get_obj_size(first) + klee_get_obj_size(second + 1);\n\
        \x20 free(first);\n\
        \x20 return sum;\n\
        }\n";
    let place = Place::new(&[("sizes.c", text)]);
    let result = place.cover(&["sizes.c", "--every-path"]);
    assert_eq!(result["tests"], result["replay"]["confirmed"], "{result}");
    assert!(result["tests"].as_u64().unwrap() >= 2, "{result}");
}

#[test]
fn the_size_of_a_block_depends_on_inputs_as_its_allocation_did() {
    let text = "#include <klee/klee.h>\n\
        #include <stdlib.h>\n\
        int main(void) {\n\
        \x20 unsigned n;\n\
        \x20 klee_make_symbolic(&n, sizeof n, \"n\");\n\
        \x20 klee_assume(n > 0 & n < 100);\n\
        \x20 char *block = malloc(n);\n\
        \x20 if (klee_get_obj_size(block) == 42)\n\
        \x20   return 1;\n\
        \x20 return 0;\n\
        }\n";
    let place = Place::new(&[("sizes.c", text)]);
    let result = place.cover(&["sizes.c", "--every-path"]);
    assert_eq!(result["tests"], result["replay"]["confirmed"], "{result}");
    assert_eq!(counted(&result, "sizes.c", "lines"), (9, 9), "{result}");
}

/// Stand-alone tests of functions run in any directory, with all processes around them.
#[test]
fn tests_of_functions_that_change_anything_are_no_programs_of_their_own() {
    let text = "#include <signal.h>\n\
        #include <stdio.h>\n\
        #include <stdlib.h>\n\
        #include <unistd.h>\n\
        int act(int what) {\n\
        \x20 switch (what) {\n\
        \x20 case 0: return unlink(\"mine.txt\");\n\
        \x20 case 1: return fopen(\"mine.txt\", \"w\") != 0;\n\
        \x20 case 2: return system(\"touch mine.txt\");\n\
        \x20 case 3: return kill(-1, 0);\n\
        \x20 case 4: return popen(\"true\", \"r\") != 0;\n\
        \x20 case 5: return fopen(\"/nowhere/mine.txt\", \"r\") != 0;\n\
        \x20 default: return 7;\n\
        \x20 }\n\
        }\n";
    let place = Place::new(&[("act.c", text)]);
    let result =
        place.cover(&["act.c", "--entry=act", "--format=c", "--every-path", "--no-replay", "--no-burst", "--no-climb"]);
    assert_eq!((&result["tests"], &result["only_as_json"]), (&7.into(), &5.into()), "{result}");
}

/// One directory belongs to one run; what lies in it and is not a suite stays.
#[test]
fn an_output_directory_is_kept_from_others() {
    let place = Place::new(&[("main.c", "int main(void) {\n    return 0;\n}\n")]);
    let cover = || run(symcrete().args(["cover", "main.c", "--out=out"]).current_dir(place.path("")), b"");
    assert_eq!(cover().status, 0);
    let lock = fs::File::open(place.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    let refused = cover();
    let said = refused.stderr.clone();
    assert_eq!((refused.status, said.contains("another run is writing to out")), (2, true), "{said}");
    drop(lock);
    fs::create_dir_all(place.path("out/previous")).unwrap();
    fs::write(place.path("out/previous/thesis.txt"), "mine").unwrap();
    let refused = cover();
    let said = refused.stderr.clone();
    assert_eq!((refused.status, said.contains("choose another --out")), (2, true), "{said}");
    assert!(fs::read(place.path("out/previous/thesis.txt")).is_ok());
    fs::remove_dir_all(place.path("out/previous")).unwrap();
    fs::write(place.path("out/tests/.writing-abc"), "").unwrap();
    assert_eq!(cover().status, 0);
    assert!(!place.path("out/previous/tests/.writing-abc").exists() && place.path("out/previous/tests").exists());
}
