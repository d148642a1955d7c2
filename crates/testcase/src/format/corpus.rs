//! Raw bytes for fuzzers. For `LLVMFuzzerTestOneInput` its data. Otherwise everything a test gives to the program, one
//! after the other: the inputs in their order, the objects they point to, each argument with a zero byte after it,
//! standard input, the files in their order.

use crate::test::{EntryKind, Input, TestCase};

pub fn to_bytes(test: &TestCase) -> Vec<u8> {
    if test.kind == EntryKind::Fuzzer {
        return test.fuzzer_data();
    }
    let mut bytes = Vec::new();
    for input in test.inputs.iter().chain(test.calls.iter().flat_map(|call| &call.inputs)) {
        bytes.extend(input.known_bytes().unwrap_or_default());
    }
    bytes.extend(test.objects.iter().flat_map(|object| &object.bytes));
    for argument in &test.arguments {
        bytes.extend(&argument.0);
        bytes.push(0);
    }
    bytes.extend(test.stdin.iter().flat_map(|stdin| &stdin.0));
    bytes.extend(test.files.iter().flat_map(|file| &file.bytes.0));
    bytes
}

/// A raw file is the data of a fuzzer's entry.
pub fn from_bytes(bytes: &[u8]) -> TestCase {
    TestCase::of_fuzzer(bytes)
}

/// Cuts raw bytes into inputs of the same names, types and sizes as a model's. What is missing is zeros.
pub fn fit(bytes: &[u8], model: &[Input]) -> Vec<Input> {
    let mut rest = bytes;
    let mut take = |size: usize| {
        let (taken, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        let mut taken = taken.to_vec();
        taken.resize(size, 0);
        taken
    };
    let sized = model.iter().map(|input| (input, input.known_bytes().map_or(0, |bytes| bytes.len())));
    sized
        .map(|(input, size)| Input { from: input.from, ..Input::new(&input.name, &input.of_type, take(size)) })
        .collect()
}
