//! What each test calls. A test of ours says so; one of another format is fitted to the entry of the program, or of
//! `--entry`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symcrete_exec::start;
use symcrete_ir::Program;
use symcrete_testcase::value::{Shape, shape};
use symcrete_testcase::{Entry, EntryKind, Function, Input, Origin, Parameter, TestCase, Text};

use super::ReplayArgs;
use crate::error::Error;
use crate::{native, program};

pub struct Plan {
    pub tests: Vec<Planned>,
    /// As the program declares them, by name.
    functions: BTreeMap<String, Function>,
}

/// A test that is about to be run.
pub struct Planned {
    /// For people: the name of its file, without what all have in common.
    pub name: String,
    pub path: PathBuf,
    pub test: TestCase,
    /// Why it cannot be run at all.
    pub trouble: Option<String>,
}

impl Plan {
    pub fn new(args: &ReplayArgs, files: &[PathBuf], tests: Vec<(PathBuf, TestCase)>) -> Result<Plan, Error> {
        let names = names(&tests);
        // A program that is only started need not be looked into.
        let is_plain = |(path, test): &(PathBuf, TestCase)| says_entry(path) && test.kind == EntryKind::Program;
        let program = match tests.iter().all(is_plain) {
            true => None,
            false => Some(program::load(files, &args.compiler)?),
        };
        let mut plan = Plan { tests: Vec::new(), functions: BTreeMap::new() };
        for (name, (path, test)) in names.into_iter().zip(tests) {
            let fitted = match &program {
                Some(program) if !says_entry(&path) => fit(program, args.entry.as_deref(), &test)?,
                _ => Ok(test.clone()),
            };
            let (test, trouble) = match fitted {
                Ok(test) => (test, None),
                Err(trouble) => (test, Some(trouble)),
            };
            let trouble = trouble.or_else(|| plan.learn(program.as_ref()?, &test));
            plan.tests.push(Planned { name, path, test, trouble });
        }
        Ok(plan)
    }

    /// Looks up what a test calls; says what is not there.
    fn learn(&mut self, program: &Program, test: &TestCase) -> Option<String> {
        let defined = |name: &str| program::defined(program, name);
        match test.kind {
            EntryKind::Program => return defined("main").is_none().then(|| "the program has no main".to_owned()),
            EntryKind::Fuzzer => return defined(&test.entry).is_none().then(|| missing(&test.entry)),
            EntryKind::Function => {}
        }
        for call in test.all_calls() {
            let Some(id) = defined(&call.function) else { return Some(missing(&call.function)) };
            if program.functions[id].debug.is_some() {
                let function = Function { name: call.function.clone(), ..native::function(program, id) };
                self.functions.insert(call.function, function);
            }
        }
        None
    }

    /// What the tests of one kind call; `None` if there are no such tests.
    pub fn entry(&self, kind: EntryKind) -> Option<Entry> {
        let tests = self.tests.iter().filter(|test| test.trouble.is_none() && test.test.kind == kind);
        let tests: Vec<&TestCase> = tests.map(|test| &test.test).collect();
        if tests.is_empty() {
            return None;
        }
        let mut entry = Entry::of_tests(tests);
        if let Entry::Functions { functions, .. } = &mut entry {
            for function in functions {
                if let Some(known) = self.functions.get(&function.name) {
                    function.clone_from(known);
                }
            }
        }
        Some(entry)
    }
}

fn missing(function: &str) -> String {
    format!("the program has no function {function}")
}

/// Only our own format does.
fn says_entry(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// The names of tests: as short as they stay different.
fn names(tests: &[(PathBuf, TestCase)]) -> Vec<String> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut seen: BTreeMap<&Path, usize> = BTreeMap::new();
    let mut names = Vec::new();
    for (path, _) in tests {
        let count = seen.entry(path).or_default();
        *count += 1;
        names.push(match *count {
            1 => stem(path),
            count => format!("{}#{count}", stem(path)),
        });
    }
    names
}

/// A test of a format that does not say what is called, made one of this entry; or why that is impossible.
fn fit(program: &Program, named: Option<&str>, test: &TestCase) -> Result<Result<TestCase, String>, Error> {
    let fuzzer = || program::entry(program, Some("LLVMFuzzerTestOneInput"));
    let entry = match (named, test.kind) {
        // Raw bytes are for the target of a fuzzer, if there is one, and else for standard input.
        (None, EntryKind::Fuzzer) => fuzzer().or_else(|_| program::entry(program, None))?,
        _ => program::entry(program, named)?,
    };
    Ok(match (entry, test.kind) {
        (start::Entry::Main(_), EntryKind::Fuzzer) => {
            Ok(TestCase { stdin: Some(Text(test.fuzzer_data())), ..TestCase::of_program() })
        }
        (start::Entry::Main(_), _) => Ok(test.clone()),
        (start::Entry::Fuzzer(_), EntryKind::Fuzzer) => Ok(test.clone()),
        (start::Entry::Fuzzer(_), _) => {
            Ok(TestCase { ends: test.ends.clone(), ..TestCase::of_fuzzer(&test.fuzzer_data()) })
        }
        (start::Entry::Function(_), EntryKind::Fuzzer) => {
            Err("raw bytes do not say how they are divided among the parameters of a function".to_owned())
        }
        (start::Entry::Function(function), _) => of_function(&native::function(program, function), test),
    })
}

/// The first inputs become the parameters.
fn of_function(function: &Function, test: &TestCase) -> Result<TestCase, String> {
    if test.inputs.len() < function.parameters.len() {
        let (name, wanted, given) = (&function.name, function.parameters.len(), test.inputs.len());
        return Err(format!("{name} has {wanted} parameters, and the test has {given} inputs"));
    }
    let mut fitted = TestCase { ends: test.ends.clone(), ..TestCase::of_function(&function.name) };
    fitted.objects.clone_from(&test.objects);
    for (input, parameter) in test.inputs.iter().zip(&function.parameters) {
        fitted.inputs.push(of_parameter(input, parameter)?);
    }
    fitted.inputs.extend(test.inputs.iter().skip(function.parameters.len()).cloned());
    Ok(fitted)
}

fn of_parameter(input: &Input, parameter: &Parameter) -> Result<Input, String> {
    let is_pointer = shape(&parameter.of_type) == Shape::Pointer;
    if is_pointer && input.pointers.is_empty() {
        let name = &parameter.name;
        return Err(format!("the format of the test does not say where the pointer {name} points; replay its JSON"));
    }
    let named = Input { name: parameter.name.clone(), of_type: parameter.of_type.clone(), ..input.clone() };
    let Some(bytes) = named.known_bytes() else {
        return Err(format!("the value of {} cannot be converted to its type", parameter.name));
    };
    let fresh = Input::new(&parameter.name, &parameter.of_type, bytes);
    Ok(Input { from: Origin::Parameter, pointers: named.pointers, ..fresh })
}
