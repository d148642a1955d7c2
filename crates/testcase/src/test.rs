//! A test as data: what goes into the program, and what the program is claimed to do with it. Knows no file format but
//! its serde shape.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bytes::{Text, hex};
use crate::value;

/// The version of the JSON that this crate writes.
pub const VERSION: u32 = 1;

/// One test. The order of the fields is the order in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestCase {
    #[serde(default)]
    pub version: u32,
    /// The files of the program, as the user named them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<String>,
    /// The function that is called: `main`, `LLVMFuzzerTestOneInput` or the function under test.
    #[serde(default = "main_function")]
    pub entry: String,
    #[serde(default)]
    pub kind: EntryKind,
    /// What the program is given, in the order in which it asks. Parameters first.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// Memory that inputs point to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
    /// The arguments after the program's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<Text>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<File>,
    /// What `klee_is_symbolic` answers, and `klee_get_obj_size` for what is not on the heap, in order. Natively nobody knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<u64>,
    /// Calls that are made one after the other, where one call of `entry` is not enough. They share `objects`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// What the program does in the end.
    #[serde(default)]
    pub ends: Ends,
    /// A line that the test was made to execute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reaches: Option<Place>,
    /// Lines that no earlier test of the suite executes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<Covered>,
    /// The path as a decision string.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub decisions: String,
    /// Why it must not run outside of a sandbox, as stand-alone tests in C and Rust do.
    #[serde(default, rename = "note", skip_serializing_if = "Option::is_none")]
    pub only_in_sandbox: Option<String>,
    /// Whether the native program did what the test claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// Why not, where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

fn main_function() -> String {
    "main".to_owned()
}

/// How the entry is called.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A whole program, from `main`.
    #[default]
    Program,
    /// One function with its parameters.
    Function,
    /// `LLVMFuzzerTestOneInput(data, size)`; the only input is the data.
    Fuzzer,
}

/// A value that the program is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    #[serde(default)]
    pub name: String,
    /// As C writes it: `int`, `char[8]`, `struct point *`.
    #[serde(default, rename = "type", skip_serializing_if = "String::is_empty")]
    pub of_type: String,
    /// For people: a number, a quoted string, a list in braces.
    #[serde(default)]
    pub value: String,
    /// What counts, in the byte order of the machine. Without it, the value is converted when the program asks.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_hex")]
    #[schemars(with = "Option<String>")]
    pub bytes: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Origin::is_call")]
    pub from: Origin,
    /// Where the bytes hold pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<Pointer>,
}

/// Where an input enters the program.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The program asks for it: `klee_make_symbolic`, `__VERIFIER_nondet_int`, `symcrete_int` and the like.
    #[default]
    Call,
    /// A parameter of the entry function.
    Parameter,
    /// A global variable, set before the entry is called.
    Global,
}

impl Origin {
    fn is_call(&self) -> bool {
        *self == Origin::Call
    }
}

/// Eight bytes of an input or object that point to an object of the test, or nowhere.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pointer {
    /// Where the pointer stands.
    pub at: u64,
    /// The number of the object in `objects`; `null` for a null pointer.
    pub object: Option<usize>,
    /// How far into the object it points.
    #[serde(default)]
    pub offset: i64,
}

/// A piece of memory that exists before the entry is called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Object {
    #[serde(default)]
    pub name: String,
    #[serde(default, rename = "type", skip_serializing_if = "String::is_empty")]
    pub of_type: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    #[serde(with = "hex")]
    #[schemars(with = "String")]
    pub bytes: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<Pointer>,
}

/// A file that lies in the working directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    pub name: String,
    pub bytes: Text,
}

/// One call of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    pub function: String,
    #[serde(default)]
    pub inputs: Vec<Input>,
}

/// How the program ends: the names of `exec::Ended::name`, `return` for an entry function that comes back,
/// `target-reached` and `error-reached` for the marks a program can carry, and `unknown` where nothing is claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ends {
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Default for Ends {
    fn default() -> Ends {
        Ends::of("unknown")
    }
}

/// Whether an ending is undefined behaviour of which the machine knows nothing: only a check that is compiled into the program tells of it.
pub fn is_undefined_behaviour(kind: &str) -> bool {
    const KINDS: &[&str] = &[
        "signed-overflow",
        "unsigned-overflow",
        "bad-shift",
        "bad-array-bound",
        "float-cast-overflow",
        "invalid-value",
        "bad-builtin-argument",
        "unexpected-null",
        "pointer-overflow",
        "function-type-mismatch",
        "implicit-conversion",
        "misaligned-access",
        "undefined-behaviour",
    ];
    KINDS.contains(&kind)
}

/// Shells add this to the signal that killed a program.
const SIGNALLED: i32 = 128;

impl Ends {
    pub fn of(kind: &str) -> Ends {
        Ends {
            kind: kind.to_owned(),
            status: None,
            message: None,
            function: None,
            file: None,
            line: None,
            column: None,
        }
    }

    pub fn exit(status: i32) -> Ends {
        Ends { status: Some(status), ..Ends::of("exit") }
    }

    /// By a signal that the program sent to itself. The status is what a shell shows.
    pub fn killed(signal: i32) -> Ends {
        Ends { status: Some(SIGNALLED + signal), ..Ends::of("killed") }
    }

    /// The signal that kills the program, if one does that it sent to itself.
    pub fn killing_signal(&self) -> Option<i32> {
        self.status.filter(|_| self.kind == "killed").map(|status| status - SIGNALLED)
    }

    pub fn at(mut self, file: &str, line: u32) -> Ends {
        self.file = Some(file.to_owned());
        self.line = Some(line);
        self
    }

    /// Whether the program came to an end that is no bug, or nothing is said about it.
    pub fn is_normal(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "exit" | "return" | "killed" | "discarded" | "unknown" | "unfinished" | "target-reached"
        )
    }
}

impl std::fmt::Display for Ends {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.kind)?;
        if let Some(status) = self.status {
            write!(formatter, " with status {status}")?;
        }
        if let (Some(file), Some(line)) = (&self.file, self.line) {
            write!(formatter, " at {file}:{line}")?;
        }
        match &self.message {
            Some(message) => write!(formatter, " ({message})"),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

/// Lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Covered {
    pub file: String,
    pub lines: Vec<u32>,
}

impl TestCase {
    /// A test of a whole program that claims nothing yet.
    pub fn of_program() -> TestCase {
        TestCase {
            version: VERSION,
            program: Vec::new(),
            entry: main_function(),
            kind: EntryKind::Program,
            inputs: Vec::new(),
            objects: Vec::new(),
            arguments: Vec::new(),
            stdin: None,
            files: Vec::new(),
            answers: Vec::new(),
            calls: Vec::new(),
            ends: Ends::default(),
            reaches: None,
            covers: Vec::new(),
            decisions: String::new(),
            only_in_sandbox: None,
            replayed: None,
            reason: None,
        }
    }

    pub fn of_function(name: &str) -> TestCase {
        TestCase { entry: name.to_owned(), kind: EntryKind::Function, ..TestCase::of_program() }
    }

    pub fn of_fuzzer(data: &[u8]) -> TestCase {
        let input = Input::new("data", &format!("uint8_t[{}]", data.len()), data.to_vec()).parameter();
        let entry = "LLVMFuzzerTestOneInput".to_owned();
        TestCase { entry, kind: EntryKind::Fuzzer, inputs: vec![input], ..TestCase::of_program() }
    }

    /// What a fuzzer's entry is given: the input called `data`, or the only one.
    pub fn fuzzer_data(&self) -> Vec<u8> {
        let named = self.inputs.iter().find(|input| input.name == "data");
        named.or(self.inputs.first()).and_then(Input::known_bytes).unwrap_or_default()
    }

    pub fn inputs_from(&self, origin: Origin) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(move |input| input.from == origin)
    }

    /// Whether anything in the test leads to an object.
    pub fn is_pointed_to(&self, object: usize) -> bool {
        let inputs = self.inputs.iter().chain(self.calls.iter().flat_map(|call| &call.inputs));
        let mut pointers =
            inputs.flat_map(|input| &input.pointers).chain(self.objects.iter().flat_map(|object| &object.pointers));
        pointers.any(|pointer| pointer.object == Some(object))
    }

    /// The calls of a function test: the list, or the one call that the entry and its parameters are.
    pub fn all_calls(&self) -> Vec<Call> {
        if !self.calls.is_empty() {
            return self.calls.clone();
        }
        let inputs = self.inputs_from(Origin::Parameter).cloned().collect();
        vec![Call { function: self.entry.clone(), inputs }]
    }
}

impl Call {
    /// The name of the function in its program, without the file that tells it from others.
    pub fn function_name(&self) -> &str {
        without_file(&self.function)
    }
}

/// The function of `FILE:FUNCTION`. `::` is part of a name.
pub(crate) fn without_file(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((file, function)) if !file.is_empty() && !file.ends_with(':') => function,
        _ => name,
    }
}

impl Input {
    /// An input of a C type, with the value that its bytes mean.
    pub fn new(name: &str, of_type: &str, bytes: Vec<u8>) -> Input {
        let value = value::of_bytes(of_type, &bytes);
        let (name, of_type) = (name.to_owned(), of_type.to_owned());
        Input { name, of_type, value, bytes: Some(bytes), ..Input::default() }
    }

    /// A pointer to an object of the test, or null.
    pub fn pointer(name: &str, of_type: &str, object: Option<usize>, offset: i64) -> Input {
        let value = match (object, offset) {
            (None, _) => "null".to_owned(),
            (Some(object), 0) => format!("object {object}"),
            (Some(object), offset) => format!("object {object} {offset:+}"),
        };
        let pointers = vec![Pointer { at: 0, object, offset }];
        let (name, of_type) = (name.to_owned(), of_type.to_owned());
        Input { name, of_type, value, bytes: Some(vec![0; 8]), pointers, ..Input::default() }
    }

    pub fn parameter(mut self) -> Input {
        self.from = Origin::Parameter;
        self
    }

    pub fn global(mut self) -> Input {
        self.from = Origin::Global;
        self
    }

    /// The bytes, converted from the value where the test carries only that.
    pub fn known_bytes(&self) -> Option<Vec<u8>> {
        self.bytes.clone().or_else(|| value::to_bytes(&self.of_type, &self.value))
    }
}

impl Object {
    pub fn new(name: &str, of_type: &str, bytes: Vec<u8>) -> Object {
        let value = value::of_bytes(of_type, &bytes);
        Object { name: name.to_owned(), of_type: of_type.to_owned(), value, bytes, pointers: Vec::new() }
    }
}

mod optional_hex {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::bytes::hex;

    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => hex::serialize(bytes, serializer),
            None => serializer.serialize_none(),
        }
    }

    #[derive(Deserialize)]
    struct Digits(#[serde(with = "hex")] Vec<u8>);

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        Ok(Option::<Digits>::deserialize(deserializer)?.map(|digits| digits.0))
    }
}
