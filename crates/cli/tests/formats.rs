//! Every kind of input in every format: the files are there, other tools' formats are laid out as those tools read them (by readers
//! of our own that share nothing with the writers), and unit tests compile and run.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::cover::{cover, written_tests};
use support::ktest;
use support::symbolic::{self, Program};
use support::{assert_all, run};
use symcrete_testcase::{EntryKind, Origin, TestCase};

/// One program for each way in which inputs come into a program.
const PROGRAMS: &[&str] = &[
    "nested_ifs.c",         // klee_make_symbolic
    "own_header.c",         // symcrete.h
    "nondet.c",             // __VERIFIER_nondet_*
    "entry_widths.c",       // parameters: integers
    "entry_doubles.c",      // parameters: floats
    "entry_structs.c",      // parameters: a struct by value
    "entry_pointer.c",      // parameters: a pointer to a struct
    "entry_two_pointers.c", // parameters: pointers that may be the same
    "entry_string.c",       // parameters: a string
    "entry_list.c",         // parameters: pointers behind pointers
    "fuzz_target.c",        // LLVMFuzzerTestOneInput
    "arguments.c",          // --sym-args
    "standard_input.c",     // --sym-stdin
    "symbolic_file.c",      // --sym-files
    "aborts.c",             // ends that are not exits
    "null_under_condition.c",
];

/// A program, and the directory with its tests in all formats.
struct Suite {
    program: Program,
    folder: tempfile::TempDir,
    tests: Vec<(PathBuf, TestCase)>,
}

impl Suite {
    fn new(name: &str) -> Result<Suite, String> {
        let program = symbolic::named(name);
        let folder = tempfile::tempdir().unwrap();
        let formats = ["ktest", "testcomp", "corpus", "c", "rust"].map(|format| format!("--format={format}"));
        let mut more: Vec<&str> = formats.iter().map(String::as_str).collect();
        more.push("--no-replay");
        let covered = cover(&folder.path().join("out"), program.flags_with(&more))?;
        let tests = written_tests(&folder.path().join("out"));
        match tests.len() as u64 == covered.json["tests"] && tests.len() > 1 {
            true => Ok(Suite { program, folder, tests }),
            false => Err(format!("{} tests, but {}", tests.len(), covered.json["tests"])),
        }
    }

    /// The file of a test in one of the formats.
    fn file(&self, number: usize, ending: &str) -> PathBuf {
        let out = self.folder.path().join("out");
        match ending {
            "xml" => out.join(format!("test-suite/testcase-{number}.xml")),
            "" => out.join(format!("corpus/{number:06}")),
            _ => out.join(format!("tests/{number:06}.{ending}")),
        }
    }

    fn numbered(&self) -> impl Iterator<Item = (usize, &TestCase)> {
        let number = |path: &Path| path.file_stem().unwrap().to_str().unwrap().parse().expect("a number");
        self.tests.iter().map(move |(path, test)| (number(path), test))
    }
}

/// Checks every test of every program.
fn for_each_test(check: impl Fn(&Suite, usize, &TestCase) -> Result<(), String> + Sync) {
    assert_all(PROGRAMS, |name| {
        let suite = Suite::new(name).map_err(|why| format!("{name}: {why}"))?;
        let check = |(number, test): (usize, &TestCase)| {
            check(&suite, number, test).map_err(|why| format!("{name}, test {number}: {why}"))
        };
        suite.numbered().try_for_each(check)
    });
}

/// What a test gives to its program, by name: what every format must carry.
fn given(test: &TestCase) -> Vec<(Vec<u8>, Vec<u8>)> {
    let inputs = test.inputs.iter().map(|input| (input.name.clone().into_bytes(), input.known_bytes().unwrap()));
    let objects = test.objects.iter().map(|object| (object.name.clone().into_bytes(), object.bytes.clone()));
    inputs.chain(objects).collect()
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, got: T, wanted: T) -> Result<(), String> {
    if got == wanted { Ok(()) } else { Err(format!("{what}: {got:?}, not {wanted:?}")) }
}

/// Whether the file has KLEE's layout, byte for byte.
fn check_ktest_layout(suite: &Suite, number: usize, test: &TestCase) -> Result<(), String> {
    let path = suite.file(number, "ktest");
    let bytes = fs::read(&path).map_err(|error| error.to_string())?;
    let read = ktest::parse(&bytes)?;
    expect("the file made again", &ktest::to_bytes(&read), &bytes)?;
    expect("symbolic arguments", (read.symbolic_arguments, read.symbolic_length), (0, 0))?;
    let arguments: Vec<&[u8]> = test.arguments.iter().map(|argument| argument.0.as_slice()).collect();
    expect("arguments", read.arguments[1..].iter().map(Vec::as_slice).collect(), arguments)?;
    // Files and standard input are what KLEE's POSIX runtime calls them.
    let mut objects = given(test);
    let files = test.files.iter().map(|file| (format!("{}-data", file.name).into_bytes(), file.bytes.0.clone()));
    objects.extend(files);
    objects.extend(test.stdin.iter().map(|text| (b"stdin".to_vec(), text.0.clone())));
    if test.stdin.is_some() || !test.files.is_empty() {
        objects.push((b"model_version".to_vec(), vec![1, 0, 0, 0]));
    }
    expect("objects", &read.objects, &objects)
}

/// Whether Symcrete reads the same test back.
fn check_ktest_reading(suite: &Suite, number: usize, test: &TestCase) -> Result<(), String> {
    let read = symcrete_testcase::read_tests(&suite.file(number, "ktest")).map_err(|error| error.to_string())?;
    let [(_, read)] = &read[..] else { return Err(format!("{} tests in one file", read.len())) };
    expect("inputs", given(read), given(test))?;
    expect("arguments", &read.arguments, &test.arguments)?;
    expect("standard input", &read.stdin, &test.stdin)?;
    expect("files", &read.files, &test.files)
}

/// Whether the file is the bytes of the inputs.
fn check_corpus(suite: &Suite, number: usize, test: &TestCase) -> Result<(), String> {
    let bytes = fs::read(suite.file(number, "")).map_err(|error| error.to_string())?;
    let mut wanted: Vec<u8> = given(test).into_iter().flat_map(|(_, bytes)| bytes).collect();
    for argument in &test.arguments {
        wanted.extend(&argument.0);
        wanted.push(0);
    }
    wanted.extend(test.stdin.iter().flat_map(|text| &text.0));
    wanted.extend(test.files.iter().flat_map(|file| &file.bytes.0));
    expect("bytes", bytes, wanted)
}

/// Reads XML with Python's parser and prints, a line each: the root's name, the children's names, and how many distinct attributes
/// there are that the published DTD does not know.
const XML_READER: &str = "import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(root.tag)
print(' '.join(child.tag for child in root))
print(' '.join(sorted({name for node in root.iter() for name in node.attrib})))
print(all(len(child) == 0 for child in root))
";

fn xml_lines(path: &Path) -> Result<Vec<String>, String> {
    let shown = run(Command::new("python3").args(["-c", XML_READER]).arg(path), b"");
    if shown.status != 0 {
        return Err(format!("{} is not well formed: {}", path.display(), shown.stderr));
    }
    Ok(String::from_utf8_lossy(&shown.stdout).lines().map(str::to_owned).collect())
}

/// Whether the file is XML with the names of the published DTD.
fn check_testcomp(suite: &Suite, number: usize, test: &TestCase) -> Result<(), String> {
    let path = suite.file(number, "xml");
    let lines = xml_lines(&path)?;
    expect("the root", lines[0].as_str(), "testcase")?;
    expect("its children", lines[1].clone(), vec!["input"; test.inputs.len()].join(" "))?;
    let known = ["coversError", "type", "variable"];
    let foreign = lines[2].split_whitespace().find(|name| !known.contains(name));
    expect("attributes that the DTD does not have", foreign, None)?;
    expect("nothing inside the inputs", lines[3].as_str(), "True")?;
    let text = fs::read_to_string(&path).unwrap();
    let wanted = "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
                  \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">";
    expect("the DOCTYPE", text.lines().nth(1), Some(wanted))?;
    expect("the first line", text.starts_with("<?xml version=\"1.0\""), true)
}

#[test]
fn files_for_other_tools_are_laid_out_as_those_tools_read_them() {
    for_each_test(|suite, number, test| {
        check_ktest_layout(suite, number, test)?;
        check_ktest_reading(suite, number, test)?;
        check_corpus(suite, number, test)?;
        check_testcomp(suite, number, test)
    });
}

#[test]
fn testcomp_suites_have_metadata() {
    let suite = Suite::new("nondet.c").unwrap();
    let path = suite.folder.path().join("out/test-suite/metadata.xml");
    let lines = xml_lines(&path).unwrap();
    assert_eq!(lines[0], "test-metadata");
    let fields =
        "sourcecodelang producer specification programfile programhash entryfunction architecture creationtime";
    assert_eq!(lines[1], fields);
    let text = fs::read_to_string(&path).unwrap();
    let doctype = "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
                   \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">";
    assert_eq!(text.lines().nth(1), Some(doctype));
    let sum = run(Command::new("sha256sum").arg(&suite.program.path), b"");
    let hash = String::from_utf8_lossy(&sum.stdout).split_whitespace().next().unwrap().to_owned();
    for (field, value) in
        [("sourcecodelang", "C"), ("programhash", &hash), ("entryfunction", "main"), ("architecture", "64bit")]
    {
        assert!(text.contains(&format!("<{field}>{value}</{field}>")), "{field} is not {value} in\n{text}");
    }
    assert!(text.contains("nondet.c</programfile>"), "{text}");
}

fn clang(arguments: &[&std::ffi::OsStr]) -> Result<(), String> {
    let mut command = Command::new("clang");
    // Everything that the compiler has to say about a test that people paste into their suites is an error.
    command.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror"]).args(arguments);
    let done = command.output().expect("clang");
    if done.status.success() { Ok(()) } else { Err(format!("{command:?}\n{}", String::from_utf8_lossy(&done.stderr))) }
}

/// Whether the program asks for inputs while it runs.
fn asks(test: &TestCase) -> bool {
    test.kind != EntryKind::Fuzzer && test.inputs_from(Origin::Call).next().is_some()
}

/// The program by itself, with a main of another name where the test brings its own; its own warnings are not ours.
fn object_of(suite: &Suite, rename_main: bool) -> Result<PathBuf, String> {
    let object = suite.folder.path().join(if rename_main { "renamed.o" } else { "program.o" });
    let mut arguments: Vec<&std::ffi::OsStr> = vec!["-w".as_ref(), "-c".as_ref(), "-o".as_ref(), object.as_os_str()];
    if rename_main {
        arguments.push("-Dmain=program_main".as_ref());
    }
    let header = support::root().join("runtime/include");
    let include = format!("-I{}", header.display());
    arguments.extend([include.as_ref(), suite.program.path.as_os_str()]);
    clang(&arguments).map(|()| object)
}

/// All tests of a program in one file: each must be fit to stand beside the others. Each is run by itself, since one that
/// shows a bug of a function ends the process.
fn check_c_tests(suite: &Suite) -> Result<(), String> {
    let folder = suite.folder.path();
    let (source, binary) = (folder.join("unit.c"), folder.join("unit"));
    let include = |path: &Path| format!("#include \"{}\"\n", path.display());
    let mut text = String::from("// A suite.\n");
    let mut objects: Vec<PathBuf> = Vec::new();
    let (_, first) = &suite.tests[0];
    match first.kind {
        EntryKind::Function => text.push_str(&include(&suite.program.path)),
        EntryKind::Fuzzer => objects.push(object_of(suite, false)?),
        EntryKind::Program if suite.tests.iter().any(|(_, test)| asks(test)) => objects.push(object_of(suite, true)?),
        EntryKind::Program => {}
    }
    suite.numbered().for_each(|(number, _)| text.push_str(&include(&suite.file(number, "c"))));
    text.push_str("int main(int argc, char **argv) {\n    int number = argc == 2 ? atoi(argv[1]) : 0;\n");
    for (number, _) in suite.numbered() {
        text.push_str(&format!("    if (number == {number})\n        test_{number:06}();\n"));
    }
    text.push_str("    return 0;\n}\n");
    fs::write(&source, text).unwrap();
    let mut arguments: Vec<&std::ffi::OsStr> = vec!["-o".as_ref(), binary.as_os_str(), source.as_os_str()];
    arguments.extend(objects.iter().map(|path| path.as_os_str()));
    arguments.push("-lm".as_ref());
    clang(&arguments)?;
    suite.numbered().try_for_each(|(number, test)| {
        let program = program_binary(suite, test)?;
        let shown = run(Command::new(&binary).arg(number.to_string()).env("PROGRAM", program), b"");
        // A program is checked by its test, whatever its end. A function that shows a bug takes the test along, and one that calls
        // exit gives it its status.
        let is_function = test.kind != EntryKind::Program;
        let fine = shown.status == 0 || is_function && Some(shown.status) == test.ends.status;
        let fine = fine || is_function && !test.ends.is_normal();
        if fine { Ok(()) } else { Err(format!("test {number} ends {}, but {shown:?}", test.ends)) }
    })
}

/// The whole program, for tests that start it.
fn program_binary(suite: &Suite, test: &TestCase) -> Result<PathBuf, String> {
    let binary = suite.folder.path().join("program");
    if test.kind == EntryKind::Program && !asks(test) && !binary.exists() {
        clang(&["-w".as_ref(), "-o".as_ref(), binary.as_os_str(), suite.program.path.as_os_str()])?;
    }
    Ok(binary)
}

/// The same in Rust.
fn check_rust_tests(suite: &Suite) -> Result<(), String> {
    let folder = suite.folder.path();
    let (source, binary) = (folder.join("unit.rs"), folder.join("unit"));
    let mut text = String::new();
    // A function that shows a bug ends the process; a program has one of its own.
    let is_safe = |test: &TestCase| test.kind == EntryKind::Program || test.ends.is_normal();
    for (number, test) in suite.numbered().filter(|(_, test)| is_safe(test)) {
        text.push_str(&fs::read_to_string(suite.file(number, "rs")).map_err(|error| error.to_string())?);
        program_binary(suite, test)?;
    }
    fs::write(&source, &text).unwrap();
    let mut command = Command::new("rustc");
    command.args(["--edition", "2024", "--test", "-Dwarnings", "-o"]).arg(&binary).arg(&source);
    let (_, first) = &suite.tests[0];
    if first.kind != EntryKind::Program {
        let object = object_of(suite, false)?;
        command.arg(format!("-Clink-arg={}", object.display())).arg("-Clink-arg=-lm");
    }
    let done = command.output().expect("rustc");
    if !done.status.success() {
        return Err(format!("{command:?}\n{}\n{text}", String::from_utf8_lossy(&done.stderr)));
    }
    let shown = run(Command::new(&binary).env("PROGRAM", folder.join("program")), b"");
    if shown.status == 0 { Ok(()) } else { Err(format!("{shown:#?}\n{text}")) }
}

#[test]
fn unit_tests_compile_and_run() {
    assert_all(PROGRAMS, |name| {
        let suite = Suite::new(name).map_err(|why| format!("{name}: {why}"))?;
        check_c_tests(&suite).map_err(|why| format!("{name}: {why}"))?;
        check_rust_tests(&suite).map_err(|why| format!("{name}: {why}"))
    });
}
