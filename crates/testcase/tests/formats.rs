//! Every format, by round trips of random tests and by files made by hand.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use symcrete_testcase::format::testcomp::{Metadata, metadata_to_bytes};
use symcrete_testcase::format::{corpus, json, ktest, testcomp};
use symcrete_testcase::suite::encode;
use symcrete_testcase::{
    Call, Covered, Ends, EntryKind, File, Format, Input, Object, Place, Pointer, TestCase, Text, Writer, read_tests,
};

/// A small generator of its own: the same tests in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }

    fn text(&mut self) -> Text {
        let count = self.below(9);
        let ascii = self.below(2) == 0;
        let bytes = self.bytes(count);
        Text(if ascii { bytes.into_iter().map(|byte| b' ' + byte % 95).collect() } else { bytes })
    }

    fn input(&mut self, index: usize) -> Input {
        let types = [
            ("int", 4),
            ("unsigned long", 8),
            ("char", 1),
            ("double", 8),
            ("float", 4),
            ("char[5]", 5),
            ("struct s", 12),
        ];
        let types =
            [&types[..], &[("short[3]", 6), ("_Bool", 1), ("long double", 16), ("unsigned __int128", 16)]].concat();
        let (of_type, size) = types[self.below(types.len())];
        let mut bytes = self.bytes(size);
        if of_type == "long double" {
            // Ten bytes count, and large exponents take long to write in decimal.
            bytes[9] = 0x40;
            bytes[10..].fill(0);
        }
        Input::new(&format!("x{index}"), of_type, bytes)
    }

    fn test(&mut self) -> TestCase {
        let mut test = match self.below(3) {
            0 => TestCase::of_function("f"),
            1 => TestCase::of_fuzzer(&self.bytes(7)),
            _ => TestCase::of_program(),
        };
        test.program = vec!["a.c".to_owned(), "b.c".to_owned()];
        if test.kind != EntryKind::Fuzzer {
            test.inputs = (0..self.below(5)).map(|index| self.input(index)).collect();
        }
        if test.kind == EntryKind::Function {
            test.inputs.iter_mut().for_each(|input| *input = input.clone().parameter());
            let size = 8 * (1 + self.below(3));
            let bytes = self.bytes(size);
            let mut object = Object::new("o", "struct s", bytes);
            object.pointers = vec![Pointer { at: 0, object: Some(0), offset: -4 }];
            test.objects = vec![object];
            test.inputs.push(Input::pointer("p", "struct s *", Some(0), 8).parameter());
            if self.below(2) == 0 {
                test.calls = vec![Call { function: "g".to_owned(), inputs: vec![self.input(9)] }];
            }
        }
        if test.kind == EntryKind::Program {
            test.arguments = (0..self.below(3)).map(|_| self.text()).collect();
            test.stdin = (self.below(2) == 0).then(|| self.text());
            test.files = (0..self.below(2)).map(|_| File { name: "A".to_owned(), bytes: self.text() }).collect();
        }
        test.ends = if self.below(2) == 0 { Ends::exit(3) } else { Ends::of("abort").at("a.c", 7) };
        test.covers = vec![Covered { file: "a.c".to_owned(), lines: vec![1, 2] }];
        test.reaches = (self.below(2) == 0).then(|| Place { file: "a.c".to_owned(), line: 2 });
        test.decisions = "0f".to_owned();
        test
    }
}

#[test]
fn json_round_trips() {
    let mut random = Random(1);
    for _ in 0..300 {
        let test = random.test();
        let bytes = json::to_bytes(&test);
        assert_eq!(json::from_bytes(&bytes, Path::new("t")).unwrap(), std::slice::from_ref(&test));
        assert_eq!(json::to_bytes(&test), bytes);
    }
}

#[test]
fn ktest_round_trips_what_it_can_hold() {
    let mut random = Random(2);
    for _ in 0..300 {
        let test = random.test();
        let bytes = ktest::to_bytes(&test);
        let read = ktest::from_bytes(&bytes, Path::new("t")).unwrap();
        let data = |test: &TestCase| -> Vec<(String, Vec<u8>)> {
            let inputs = test.inputs.iter().chain(test.calls.iter().flat_map(|call| &call.inputs));
            let inputs = inputs.map(|input| (input.name.clone(), input.known_bytes().unwrap()));
            inputs.chain(test.objects.iter().map(|object| (object.name.clone(), object.bytes.clone()))).collect()
        };
        assert_eq!(data(&read), data(&test));
        assert_eq!((&read.arguments, &read.stdin, &read.files), (&test.arguments, &test.stdin, &test.files));
        // A second trip loses nothing more.
        assert_eq!(ktest::from_bytes(&ktest::to_bytes(&read), Path::new("t")).unwrap(), read);
    }
}

/// Version 3 as KLEE writes it for a program `p` with one argument and one int.
const VERSION_3: &[u8] =
    b"KTEST\0\0\0\x03\0\0\0\x02\0\0\0\x01p\0\0\0\x02-v\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x04\x2a\0\0\0";

#[test]
fn ktest_is_written_byte_for_byte() {
    let mut test = TestCase::of_program();
    test.program = vec!["p".to_owned()];
    test.arguments = vec![Text::from("-v")];
    test.inputs = vec![Input::new("x", "int", vec![42, 0, 0, 0])];
    assert_eq!(ktest::to_bytes(&test), VERSION_3);
}

#[test]
fn every_version_of_ktest_is_read() {
    let version_1 = b"BOUT\n\0\0\0\x01\0\0\0\x02\0\0\0\x01p\0\0\0\x02-v\0\0\0\x01\0\0\0\x01x\0\0\0\x04\x2a\0\0\0";
    let version_2 =
        b"KTEST\0\0\0\x02\0\0\0\x02\0\0\0\x01p\0\0\0\x02-v\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x04\x2a\0\0\0";
    for bytes in [&version_1[..], version_2, VERSION_3] {
        let test = ktest::from_bytes(bytes, Path::new("t")).unwrap();
        assert_eq!(
            (test.program.as_slice(), test.arguments.as_slice()),
            (&["p".to_owned()][..], &[Text::from("-v")][..])
        );
        assert_eq!((test.inputs[0].name.as_str(), test.inputs[0].known_bytes().unwrap()), ("x", vec![42, 0, 0, 0]));
    }
    // Version 4: addresses and pointers. `p` points to the second object, four bytes in.
    let version_4 = b"KTEST\0\0\0\x04\0\0\0\x01\0\0\0\x01p\0\0\0\0\0\0\0\0\0\0\0\x02\
        \0\0\0\x01p\0\0\0\0\0\0\x10\0\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x04\
        \0\0\0\x01o\0\0\0\0\0\0\x20\0\0\0\0\x02\x07\x08\0\0\0\0";
    let test = ktest::from_bytes(version_4, Path::new("t")).unwrap();
    assert_eq!(test.inputs[0].pointers, [Pointer { at: 0, object: Some(0), offset: 4 }]);
    assert_eq!((test.objects[0].name.as_str(), test.objects[0].bytes.as_slice()), ("o", &[7, 8][..]));
}

#[test]
fn bad_ktests_are_explained() {
    let complain = |bytes: &[u8]| ktest::from_bytes(bytes, Path::new("t.ktest")).unwrap_err().to_string();
    assert_eq!(complain(b"PK"), "t.ktest, byte 0: it does not begin with KTEST");
    assert_eq!(complain(b"KTEST\0\0\0\x09"), "t.ktest, byte 5: it has version 9; 1 to 4 can be read");
    for length in 9..VERSION_3.len() {
        assert!(complain(&VERSION_3[..length]).contains("the file ends before"), "{length}");
    }
}

#[test]
fn arguments_and_files_of_klee_are_found() {
    let string = |text: &[u8]| [&(text.len() as u32).to_be_bytes()[..], text].concat();
    let objects: &[(&[u8], &[u8])] = &[
        (b"n_args", &[1, 0, 0, 0]),
        (b"arg00", b"ab\0\0"),
        (b"A-data", b"file"),
        (b"A-data-stat", &[0; 144]),
        (b"stdin", b"in"),
        (b"stdin-stat", &[0; 144]),
        (b"model_version", &[1, 0, 0, 0]),
        (b"mine", &[9]),
    ];
    let mut bytes = b"KTEST\0\0\0\x03\0\0\0\x0a".to_vec();
    for word in ["p", "-x", "--sym-args", "0", "2", "3", "--sym-stdin", "2", "-sym-stdout", "last"] {
        bytes.extend(string(word.as_bytes()));
    }
    bytes.extend([0; 8]);
    bytes.extend((objects.len() as u32).to_be_bytes());
    for (name, content) in objects {
        bytes.extend(string(name));
        bytes.extend(string(content));
    }
    let test = ktest::from_bytes(&bytes, Path::new("t")).unwrap();
    assert_eq!(test.arguments, [Text::from("-x"), Text::from("ab"), Text::from("last")]);
    assert_eq!(test.stdin, Some(Text::from("in")));
    assert_eq!(test.files, [File { name: "A".to_owned(), bytes: Text::from("file") }]);
    assert_eq!(test.inputs.len(), 1);
}

#[test]
fn testcomp_round_trips_scalars() {
    let mut random = Random(3);
    for _ in 0..300 {
        let mut test = random.test();
        test.calls.clear();
        test.inputs.retain(|input| !input.of_type.contains(['[', '*']) && !input.of_type.starts_with("struct"));
        let bytes = testcomp::to_bytes(&test);
        let read = testcomp::from_bytes(&bytes, Path::new("t")).unwrap().unwrap();
        let data = |test: &TestCase| -> Vec<_> {
            test.inputs.iter().map(|input| (input.name.clone(), input.known_bytes())).collect()
        };
        assert_eq!(data(&read), data(&test), "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn testcomp_files_name_the_published_types() {
    let mut test = TestCase::of_program();
    test.inputs =
        vec![Input::new("__VERIFIER_nondet_int", "int", vec![255; 4]), Input::new("a<b", "char", b"x".to_vec())];
    test.ends = Ends::of("error-reached");
    let expected = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">
<testcase coversError="true">
  <input variable="__VERIFIER_nondet_int" type="int">-1</input>
  <input variable="a&lt;b" type="char">120</input>
</testcase>
"#;
    assert_eq!(String::from_utf8(testcomp::to_bytes(&test)).unwrap(), expected);
    let metadata = metadata_to_bytes(&Metadata { program_file: "a&b.c".to_owned(), ..Metadata::default() });
    let metadata = String::from_utf8(metadata).unwrap();
    assert!(metadata.contains("\"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\""));
    assert!(metadata.contains("<programfile>a&amp;b.c</programfile>"));
    assert_eq!(testcomp::from_bytes(metadata.as_bytes(), Path::new("metadata.xml")).unwrap(), None);
}

#[test]
fn untyped_values_stay_text() {
    let text = "<testcase><input>12</input><input type=\"float\">0.5</input></testcase>";
    let test = testcomp::from_bytes(text.as_bytes(), Path::new("t")).unwrap().unwrap();
    assert_eq!((test.inputs[0].value.as_str(), &test.inputs[0].bytes), ("12", &None));
    assert_eq!(test.inputs[1].bytes, Some(0.5f32.to_le_bytes().to_vec()));
}

#[test]
fn corpus_is_the_data() {
    assert_eq!(corpus::to_bytes(&TestCase::of_fuzzer(b"abc")), b"abc");
    let mut test = TestCase::of_program();
    test.inputs = vec![Input::new("x", "int", vec![1, 0, 0, 0])];
    test.arguments = vec![Text::from("a")];
    test.stdin = Some(Text::from("in"));
    assert_eq!(corpus::to_bytes(&test), b"\x01\0\0\0a\0in");
    let fitted = corpus::fit(&[5, 6], &test.inputs);
    assert_eq!(fitted[0].bytes, Some(vec![5, 6, 0, 0]));
}

#[test]
fn a_suite_is_written_numbered_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let formats = [Format::Ktest, Format::Testcomp, Format::Corpus, Format::C, Format::Rust];
    let mut random = Random(4);
    let tests: Vec<_> = (0..12).map(|_| random.test()).collect();
    let mut writer = Writer::new(folder.path(), &formats).unwrap();
    for test in &tests[..11] {
        writer.write(test).unwrap();
    }
    writer.write_metadata(&Metadata::default()).unwrap();
    writer.set_apart(11).unwrap();
    // Resuming goes on after the last number, even if that test was set apart.
    let mut writer = Writer::new(folder.path(), &formats).unwrap();
    let written = writer.write(&tests[11]).unwrap();
    assert!(written.path.ends_with("tests/000012.json"));
    let expected: Vec<_> = tests[..10].iter().chain([&tests[11]]).cloned().collect();
    let read: Vec<_> = read_tests(folder.path()).unwrap().into_iter().map(|(_, test)| test).collect();
    assert_eq!(read, expected);
    for name in [
        "tests/000001.ktest",
        "tests/000001.c",
        "tests/000001.rs",
        "corpus/000001",
        "test-suite/testcase-1.xml",
        "test-suite/metadata.xml",
    ] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    assert_eq!(read_tests(&folder.path().join("test-suite")).unwrap().len(), 11);
    assert!(read_tests(&folder.path().join("test-suite")).unwrap()[9].0.ends_with("testcase-10.xml"));
    assert_eq!(read_tests(&folder.path().join("corpus")).unwrap()[0].1.kind, EntryKind::Fuzzer);
    assert_eq!(read_tests(&folder.path().join("tests/000002.ktest")).unwrap().len(), 1);
    let hidden = fs::read_dir(folder.path().join("tests")).unwrap().flatten();
    assert!(hidden.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
}

#[test]
fn trouble_with_suites_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = read_tests(folder.path()).unwrap_err().to_string();
    assert!(complaint.contains("holds no tests"), "{complaint}");
    fs::write(folder.path().join("tests"), "in the way").unwrap();
    assert!(Writer::new(folder.path(), &[]).is_err());
    let complaint = "yaml".parse::<Format>().unwrap_err().to_string();
    assert_eq!(complaint, "`yaml` is no format of tests; the formats are json, ktest, testcomp, corpus, c, rust");
}

#[test]
fn unit_tests_are_readable() {
    let mut test = TestCase::of_function("insert");
    test.program = vec!["tree.c".to_owned()];
    test.inputs = vec![
        Input::pointer("root", "struct node *", Some(0), 0).parameter(),
        Input::new("key", "long", i64::MIN.to_le_bytes().to_vec()).parameter(),
        Input::new("weight", "double", 0.5f64.to_le_bytes().to_vec()).parameter(),
    ];
    let mut node = Object::new("root[0]", "struct node", vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    node.pointers = vec![Pointer { at: 8, object: Some(0), offset: 0 }];
    test.objects = vec![node];
    test.ends = Ends::of("return");
    test.covers = vec![Covered { file: "tree.c".to_owned(), lines: vec![3, 5] }];
    let text = |format| String::from_utf8(encode(&test, format, 7)).unwrap();
    assert_eq!(text(Format::C), include_str!("golden/insert.c"));
    assert_eq!(text(Format::Rust), include_str!("golden/insert.rs.txt"));

    let mut test = TestCase::of_program();
    test.program = vec!["count.c".to_owned()];
    test.arguments = vec![Text::from("-l"), Text::from("two\n")];
    test.stdin = Some(Text::from("a line\n"));
    test.files = vec![File { name: "A".to_owned(), bytes: Text(vec![0x1f, 0x8b]) }];
    test.ends = Ends::exit(1);
    test.reaches = Some(Place { file: "count.c".to_owned(), line: 8 });
    let text = |format| String::from_utf8(encode(&test, format, 8)).unwrap();
    assert_eq!(text(Format::C), include_str!("golden/program.c"));
    assert_eq!(text(Format::Rust), include_str!("golden/program.rs.txt"));
}

#[test]
fn zip_files_of_suites_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.zip");
    fs::write(&path, include_bytes!("data/suite.zip")).unwrap();
    let tests = read_tests(&path).unwrap();
    let names: Vec<_> = tests.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["testcase-2.xml", "testcase-10.xml"]);
    assert_eq!(tests[0].1.inputs.len(), 200, "deflated");
    assert_eq!(tests[1].1.inputs[0].value, "-7", "stored");
    let whole = include_bytes!("data/suite.zip");
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let read = read_tests(&path);
        assert!(length < 4 || read.is_err(), "cut at {length}");
    }
    let mut broken = whole.to_vec();
    broken[60] ^= 0x55;
    broken[64] ^= 0xff;
    fs::write(&path, &broken).unwrap();
    // Whatever it means now, it must not be the end of us.
    let _ = read_tests(&path);
}
