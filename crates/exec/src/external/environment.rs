//! What a whole program is started with when parts of it are inputs: arguments, standard input, files.

use smallvec::{SmallVec, smallvec};
use symcrete_expr::Value;
use symcrete_memory::{Cell, Kind, Site};

use super::Context;
use crate::inputs::InputKind;
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::posix::Data;
use crate::step::Stop;

/// What is given to a program, as the user asked for it.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The program's name, its argument 0.
    pub name: Vec<u8>,
    pub arguments: Vec<Argument>,
    /// Environment variables, as `NAME=value`.
    pub variables: Vec<Vec<u8>>,
    /// So many bytes of standard input.
    pub standard_input: Option<u32>,
    /// Files of so many bytes each, named A, B and so on.
    pub files: u32,
    pub file_bytes: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Fixed(Vec<u8>),
    /// Between `least` and `most` arguments of up to `bytes` bytes.
    Symbolic {
        least: u32,
        most: u32,
        bytes: u32,
    },
}

/// The external function that gives argc, argv and envp.
pub const NAME: &str = "__symcrete_environment";

/// argc, argv, envp. On `Err` nothing has changed but what is known of the instruction.
pub(super) fn make(context: &mut Context) -> Result<SmallVec<[Value; 2]>, Stop> {
    let before = (context.state.memory.clone(), context.state.inputs.clone(), context.state.posix.clone());
    let made = make_all(context);
    if made.is_err() {
        (context.state.memory, context.state.inputs, context.state.posix) = before;
    }
    made
}

fn make_all(context: &mut Context) -> Result<SmallVec<[Value; 2]>, Stop> {
    let environment = context.executor.config.environment.clone();
    let mut arguments = vec![string(context, &environment.name)?];
    for argument in &environment.arguments {
        match argument {
            Argument::Fixed(text) => arguments.push(string(context, text)?),
            Argument::Symbolic { least, most, bytes } => {
                for _ in 0..count(context, *least, *most)? {
                    let name = format!("arg{}", arguments.len());
                    arguments.push(symbolic_string(context, &name, *bytes)?);
                }
            }
        }
    }
    let mut variables = Vec::new();
    for variable in &environment.variables {
        variables.push(string(context, variable)?);
    }
    if let Some(bytes) = environment.standard_input {
        let data = data(context, "stdin", InputKind::StandardInput, bytes);
        let given = context.state.posix.give_standard_input(&mut *context.executor.host, &data);
        given.map_err(|errno| Ended::Unsupported(format!("standard input that cannot be made ({errno:?})")))?;
    }
    for number in 0..environment.files {
        let name = file_name(number);
        let data = data(context, &name, InputKind::File, environment.file_bytes);
        let given = context.state.posix.give_file(&mut *context.executor.host, name.as_bytes(), &data);
        given.map_err(|errno| Ended::Unsupported(format!("a file `{name}` that cannot be made ({errno:?})")))?;
    }
    let argc = arguments.len() as u64;
    let (argv, envp) = (list(context, &arguments)?, list(context, &variables)?);
    Ok(smallvec![Value::Word(argc), Value::Word(argv), Value::Word(envp)])
}

/// A, B, …, Z, A1, B1 and so on.
fn file_name(number: u32) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// How many arguments there are: one path for each number.
fn count(context: &mut Context, least: u32, most: u32) -> Result<u32, Stop> {
    if least >= most {
        return Ok(least);
    }
    let arena = &mut context.executor.arena;
    let cells = context.state.inputs.make(arena, "argument count", InputKind::Length, 4, Some("int"));
    let mut symbolic = context.executor.symbolic();
    let expr = crate::step::access::join_cells(&mut symbolic, &cells);
    if let Some(bits) = symbolic.arena.as_word(expr) {
        let number = bits as u32;
        let fits = (least..=most).contains(&number);
        return Ok(if fits { number } else { least + number % (most - least + 1) });
    }
    let mut alternatives = SmallVec::new();
    let mut other = symbolic.arena.boolean(true);
    for number in least..=most {
        let condition = symbolic.equals(expr, u64::from(number));
        if context.state.known.contains(&Fact::Holds(condition)) {
            return Ok(number);
        }
        let differs = symbolic.arena.not(condition);
        other = symbolic.arena.binary(symcrete_expr::dag::Op::And, other, differs);
        alternatives.push(Alternative { condition, then: Then::Know(Fact::Holds(condition)) });
    }
    alternatives.push(Alternative { condition: other, then: Then::End(Box::new(Ended::Discarded)) });
    Err(Stop::Fork(Fork { alternatives }))
}

fn data(context: &mut Context, name: &str, kind: InputKind, bytes: u32) -> Data {
    let ty = format!("char[{bytes}]");
    Data::from_cells(&context.state.inputs.make(&mut context.executor.arena, name, kind, bytes, Some(&ty)))
}

fn string(context: &mut Context, text: &[u8]) -> Result<u64, Stop> {
    // A string in C ends at its first NUL; nobody can pass more.
    let bytes: Vec<u8> = text.iter().copied().take_while(|byte| *byte != 0).chain([0]).collect();
    memory(context, &bytes, 1)
}

fn symbolic_string(context: &mut Context, name: &str, bytes: u32) -> Result<u64, Stop> {
    let base = memory(context, &vec![0; bytes as usize + 1], 1)?;
    let ty = format!("char[{bytes}]");
    let arena = &mut context.executor.arena;
    let cells: SmallVec<[Cell; 8]> = context.state.inputs.make(arena, name, InputKind::Argument, bytes, Some(&ty));
    context.state.memory.write_cells(base, &cells)?;
    Ok(base)
}

/// A null-terminated array of pointers.
fn list(context: &mut Context, pointers: &[u64]) -> Result<u64, Stop> {
    let unit = context.executor.image.pointer_bytes();
    let bytes: Vec<u8> =
        pointers.iter().chain([&0]).flat_map(|pointer| pointer.to_le_bytes().into_iter().take(unit as usize)).collect();
    memory(context, &bytes, u64::from(unit))
}

fn memory(context: &mut Context, bytes: &[u8], align: u64) -> Result<u64, Stop> {
    let size = bytes.len() as u64;
    let made = context.state.memory.allocate_initialised(size, align, Kind::Environment, Site(0), bytes);
    Ok(made.map_err(|_| Ended::OutOfMemory { bytes: size })?.1)
}
