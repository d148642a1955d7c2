//! A test as the native driver reads it: the layout that the head of `runtime/replay/test.c` describes.

use crate::test::{Call, EntryKind, Input, Origin, Pointer, TestCase};

pub fn encode(test: &TestCase) -> Vec<u8> {
    let mut out = b"SYMCREPL".to_vec();
    put_u32(&mut out, 1);
    put_u32(&mut out, test.objects.len());
    for object in &test.objects {
        put_value(&mut out, &object.bytes, &object.pointers);
    }
    let globals: Vec<&Input> = test.inputs_from(Origin::Global).collect();
    put_u32(&mut out, globals.len());
    for global in globals {
        put_bytes(&mut out, global.name.as_bytes());
        put_input(&mut out, global);
    }
    let calls = calls(test);
    put_u32(&mut out, calls.len());
    for call in &calls {
        put_bytes(&mut out, call.function.as_bytes());
        put_u32(&mut out, call.inputs.len());
        for input in &call.inputs {
            put_input(&mut out, input);
        }
    }
    let asked: Vec<&Input> = test.inputs_from(Origin::Call).filter(|_| test.kind != EntryKind::Fuzzer).collect();
    put_u32(&mut out, asked.len());
    for input in asked {
        put_bytes(&mut out, input.name.as_bytes());
        let (form, bytes) = match &input.bytes {
            Some(bytes) => (0, bytes.as_slice()),
            None => (1, input.value.as_bytes()),
        };
        put_u32(&mut out, form);
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    }
    put_u32(&mut out, test.answers.len());
    test.answers.iter().for_each(|answer| out.extend(answer.to_le_bytes()));
    out
}

fn calls(test: &TestCase) -> Vec<Call> {
    match test.kind {
        EntryKind::Program => Vec::new(),
        EntryKind::Function => test.all_calls(),
        EntryKind::Fuzzer => {
            let data = Input::new("data", "", test.fuzzer_data());
            vec![Call { function: test.entry.clone(), inputs: vec![data] }]
        }
    }
}

fn put_u32(out: &mut Vec<u8>, number: usize) {
    out.extend((number as u32).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u32(out, bytes.len());
    out.extend(bytes);
}

fn put_input(out: &mut Vec<u8>, input: &Input) {
    put_value(out, &input.known_bytes().unwrap_or_default(), &input.pointers);
}

fn put_value(out: &mut Vec<u8>, bytes: &[u8], pointers: &[Pointer]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
    put_u32(out, pointers.len());
    for pointer in pointers {
        out.extend(pointer.at.to_le_bytes());
        out.extend(pointer.object.map_or(-1, |object| object as i64).to_le_bytes());
        out.extend(pointer.offset.to_le_bytes());
    }
}
