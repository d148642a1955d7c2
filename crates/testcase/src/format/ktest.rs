//! KLEE's binary tests: version 3 written, versions 1 to 4 read. All numbers are big-endian, strings carry their
//! length.
//!
//! Arguments follow the program's name in the header. Standard input and files are the objects that KLEE's POSIX
//! runtime makes, `stdin` and `NAME-data`, known by the object `model_version` beside them. Version 4 (of KLEE's
//! descendants) adds to each object its address and the pointers in it; objects that nothing but pointers lead to
//! become objects of the test.

use std::path::Path;

use crate::bytes::Text;
use crate::error::Error;
use crate::test::{File, Input, Object, Origin, Pointer, TestCase};

const MAGIC: &[u8] = b"KTEST";
/// KLEE reads it too, from its earliest days.
const OLD_MAGIC: &[u8] = b"BOUT\n";
const WRITTEN: u32 = 3;
const NEWEST: u32 = 4;
const MODEL_VERSION: &[u8] = b"model_version";

pub fn to_bytes(test: &TestCase) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    put(&mut out, WRITTEN);
    let program = test.program.first().map_or("program", String::as_str);
    put(&mut out, 1 + test.arguments.len() as u32);
    put_string(&mut out, program.as_bytes());
    for argument in &test.arguments {
        put_string(&mut out, &argument.0);
    }
    put(&mut out, 0); // symbolic arguments: ours are concrete by now
    put(&mut out, 0);
    let mut objects: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for input in test.inputs.iter().chain(test.calls.iter().flat_map(|call| &call.inputs)) {
        objects.push((input.name.clone().into_bytes(), input.known_bytes().unwrap_or_default()));
    }
    objects.extend(test.objects.iter().map(|object| (object.name.clone().into_bytes(), object.bytes.clone())));
    objects.extend(test.files.iter().map(|file| (format!("{}-data", file.name).into_bytes(), file.bytes.0.clone())));
    objects.extend(test.stdin.iter().map(|stdin| (b"stdin".to_vec(), stdin.0.clone())));
    if test.stdin.is_some() || !test.files.is_empty() {
        objects.push((MODEL_VERSION.to_vec(), vec![1, 0, 0, 0]));
    }
    put(&mut out, objects.len() as u32);
    for (name, bytes) in objects {
        put_string(&mut out, &name);
        put_string(&mut out, &bytes);
    }
    out
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_be_bytes());
}

fn put_string(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u32);
    out.extend(bytes);
}

pub fn is_ktest(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(OLD_MAGIC)
}

/// An object as the file has it.
struct Read {
    name: String,
    bytes: Vec<u8>,
    pointers: Vec<(u32, u32, u32)>,
}

/// `path` is for the words of an error.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<TestCase, Error> {
    let mut reader = Reader { bytes, position: 0, path };
    if !is_ktest(bytes) {
        return Err(reader.bad("it does not begin with KTEST"));
    }
    reader.position = MAGIC.len();
    let version = reader.number("the version")?;
    if version == 0 || version > NEWEST {
        reader.position = MAGIC.len();
        return Err(reader.bad(&format!("it has version {version}; 1 to {NEWEST} can be read")));
    }
    let mut arguments = Vec::new();
    for _ in 0..reader.number("the number of arguments")? {
        arguments.push(reader.string("an argument")?.to_vec());
    }
    if version >= 2 {
        reader.number("the number of symbolic arguments")?;
        reader.number("the length of symbolic arguments")?;
    }
    let mut objects = Vec::new();
    for _ in 0..reader.number("the number of objects")? {
        objects.push(reader.object(version)?);
    }
    Ok(build(arguments, objects))
}

fn build(arguments: Vec<Vec<u8>>, objects: Vec<Read>) -> TestCase {
    let mut test = TestCase::of_program();
    let mut arguments = arguments.into_iter();
    test.program = arguments.next().map(|name| String::from_utf8_lossy(&name).into_owned()).into_iter().collect();
    let arguments: Vec<Vec<u8>> = arguments.collect();
    let is_posix = objects.iter().any(|object| object.name.as_bytes() == MODEL_VERSION);
    if is_posix {
        take_posix(&mut test, &arguments, &objects);
        test.inputs = objects.iter().filter(|object| posix_name(&object.name).is_none()).map(input).collect();
    } else {
        test.arguments = arguments.into_iter().map(Text).collect();
        take_plain(&mut test, &objects);
    }
    test
}

fn input(object: &Read) -> Input {
    let of_type = format!("unsigned char[{}]", object.bytes.len());
    Input::new(&object.name, &of_type, object.bytes.clone())
}

/// Inputs, and objects for those that only pointers lead to.
fn take_plain(test: &mut TestCase, objects: &[Read]) {
    let targets: Vec<usize> =
        objects.iter().flat_map(|object| &object.pointers).map(|pointer| pointer.1 as usize).collect();
    let is_target = |index: usize| targets.contains(&index);
    let numbers: Vec<Option<usize>> = (0..objects.len())
        .scan(0, |next, index| {
            let number = is_target(index).then_some(*next);
            *next += usize::from(number.is_some());
            Some(number)
        })
        .collect();
    for (index, read) in objects.iter().enumerate() {
        let pointers = read.pointers.iter().map(|&(at, target, offset)| Pointer {
            at: u64::from(at),
            object: numbers.get(target as usize).copied().flatten(),
            offset: i64::from(offset),
        });
        let pointers = pointers.filter(|pointer| pointer.at + 8 <= read.bytes.len() as u64).collect();
        if is_target(index) {
            let of_type = format!("unsigned char[{}]", read.bytes.len());
            test.objects.push(Object { pointers, ..Object::new(&read.name, &of_type, read.bytes.clone()) });
        } else {
            test.inputs.push(Input { pointers, from: Origin::Call, ..input(read) });
        }
    }
}

/// What an object of KLEE's POSIX runtime stands for.
enum Posix<'a> {
    Argument,
    ArgumentCount,
    Stdin,
    File(&'a str),
    /// The results of `stat`, and outputs: nothing that a native run takes.
    Other,
}

fn posix_name(name: &str) -> Option<Posix<'_>> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name {
        "model_version" | "stdout" | "stdin-stat" | "stdout-stat" | "stdin_stat" | "stdout_stat" => Some(Posix::Other),
        "stdin" => Some(Posix::Stdin),
        "n_args" => Some(Posix::ArgumentCount),
        _ if name.strip_prefix("arg").is_some_and(number) => Some(Posix::Argument),
        _ if name.ends_with("-data-stat") || name.ends_with("_data_stat") => Some(Posix::Other),
        _ => name.strip_suffix("-data").or_else(|| name.strip_suffix("_data")).map(Posix::File),
    }
}

/// Arguments, standard input and files. Options such as `--sym-args 1 2 4` in the header say where symbolic arguments
/// stand.
fn take_posix(test: &mut TestCase, header: &[Vec<u8>], objects: &[Read]) {
    let of = |wanted: fn(&Posix) -> bool| {
        objects.iter().filter(move |object| posix_name(&object.name).is_some_and(|name| wanted(&name)))
    };
    let mut symbolic = of(|name| matches!(name, Posix::Argument));
    let mut counts = of(|name| matches!(name, Posix::ArgumentCount));
    let mut take = |count: usize| -> Vec<Text> {
        let taken = symbolic.by_ref().take(count);
        taken.map(|object| Text(object.bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec())).collect()
    };
    let mut words = header.iter();
    while let Some(word) = words.next() {
        let option = word.strip_prefix(b"--".as_slice()).or_else(|| word.strip_prefix(b"-".as_slice()));
        let skipped = match option {
            Some(b"sym-arg") => {
                test.arguments.extend(take(1));
                1
            }
            Some(b"sym-args") => {
                let count = counts
                    .next()
                    .and_then(|object| object.bytes.get(..4)?.try_into().ok())
                    .map_or(0, u32::from_le_bytes);
                test.arguments.extend(take(count as usize));
                3
            }
            Some(b"sym-files") => 2,
            Some(b"sym-stdin") => 1,
            Some(b"sym-stdout") => 0,
            _ => {
                test.arguments.push(Text(word.clone()));
                0
            }
        };
        words.by_ref().take(skipped).for_each(drop);
    }
    for object in objects {
        match posix_name(&object.name) {
            Some(Posix::Stdin) => test.stdin = Some(Text(object.bytes.clone())),
            Some(Posix::File(name)) => {
                test.files.push(File { name: name.to_owned(), bytes: Text(object.bytes.clone()) });
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    path: &'a Path,
}

impl<'a> Reader<'a> {
    fn bad(&self, reason: &str) -> Error {
        Error::BadBytes { path: self.path.to_owned(), offset: self.position, reason: reason.to_owned() }
    }

    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Error> {
        let end = self.position.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.position..end));
        let taken = taken.ok_or_else(|| self.bad(&format!("the file ends before {what}")))?;
        self.position += count;
        Ok(taken)
    }

    fn number(&mut self, what: &str) -> Result<u32, Error> {
        let bytes = self.take(4, what)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn string(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let length = self.number(what)?;
        self.take(length as usize, what)
    }

    fn object(&mut self, version: u32) -> Result<Read, Error> {
        let name = String::from_utf8_lossy(self.string("the name of an object")?).into_owned();
        if version >= 4 {
            self.take(8, "the address of an object")?;
        }
        let bytes = self.string("the bytes of an object")?.to_vec();
        let mut pointers = Vec::new();
        if version >= 4 {
            for _ in 0..self.number("the number of pointers")? {
                pointers.push((self.number("a pointer")?, self.number("a pointer")?, self.number("a pointer")?));
            }
        }
        Ok(Read { name, bytes, pointers })
    }
}
