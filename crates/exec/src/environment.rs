//! What a program is started with: its arguments and environment variables, in its memory.

use symcrete_expr::Value;
use symcrete_ir::Block;
use symcrete_memory::{Kind, Memory, OutOfMemory, Site};

use crate::image::Image;
use crate::state::State;

/// Writes argument strings and variables into memory and hands argc, argv and envp to the entry function.
pub fn pass(image: &Image, state: &mut State, arguments: &[Vec<u8>], variables: &[Vec<u8>]) -> Result<(), OutOfMemory> {
    let pointer_bytes = image.pointer_bytes();
    let argv = list(&mut state.memory, pointer_bytes, arguments)?;
    let envp = list(&mut state.memory, pointer_bytes, variables)?;
    let values = [arguments.len() as u64, argv, envp];
    let frame = std::rc::Rc::make_mut(&mut state.top);
    let params = &image.body(frame.function).blocks[Block::ENTRY].params;
    for (param, value) in params.iter().zip(values) {
        frame.registers.set(*param, Value::Word(value));
    }
    Ok(())
}

/// A null-terminated array of pointers to C strings.
fn list(memory: &mut Memory, pointer_bytes: u32, strings: &[Vec<u8>]) -> Result<u64, OutOfMemory> {
    let mut pointers = Vec::new();
    for string in strings {
        // A string in C ends at its first NUL; nobody can pass more.
        let text: Vec<u8> = string.iter().copied().take_while(|byte| *byte != 0).chain([0]).collect();
        let (_, base) = memory.allocate_initialised(text.len() as u64, 1, Kind::Environment, Site(0), &text)?;
        pointers.extend_from_slice(&base.to_le_bytes()[..pointer_bytes as usize]);
    }
    let bytes = pointers.len() as u64 + u64::from(pointer_bytes);
    let (_, base) =
        memory.allocate_initialised(bytes, u64::from(pointer_bytes), Kind::Environment, Site(0), &pointers)?;
    Ok(base)
}
