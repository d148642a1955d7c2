//! What calls read and write, on functions in the text form of the `ir`. Nothing is executed: each call is made in the initial memory.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::rc::Rc;

use symcrete_effects::{AllEffects, Effects, Form, returns};
use symcrete_exec::posix::RealHost;
use symcrete_exec::{Config, Image, Posix, State};
use symcrete_expr::{Arena, Value};
use symcrete_ir::CallGraph;
use symcrete_ir::parse::parse;

/// Where `@g`, of 16 bytes, begins; and what a call of `@f` does that is given these words. `None`: nothing is known of an argument.
fn call(functions: &str, arguments: &[Option<u64>]) -> (u64, Option<Rc<Effects>>) {
    let globals = "global @g size 16 align 8 = \"0700000008000000\"\nglobal @cursor size 8 align 8 = \"\" [0 @g]\n";
    let program = parse(&format!("target \"x86_64-pc-linux-gnu\" pointers 64\n\n{globals}\n{functions}")).unwrap();
    symcrete_ir::verify::verify(&program).unwrap();
    let function = program.function_named("f").unwrap();
    let config = Config::default();
    let image = Image::new(program, &config).unwrap();
    let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
    let mut host = RealHost::new(null(), null(), null(), b"/".to_vec());
    let posix = Posix::new(&mut host, 0);
    let values = arguments.iter().map(|word| Value::Word(word.unwrap_or_default())).collect();
    let state = State::new(&image, posix, function, values);
    let mut arena = Arena::default();
    let graph = Rc::new(CallGraph::new(&image.program));
    let returns = Rc::new(returns(&image, &graph));
    let mut all = AllEffects::new(graph, returns);
    let arguments: Vec<_> = arguments.iter().map(|word| word.map(|word| arena.word(64, word))).collect();
    let effects = all.of_call(&image, &arena, &state, function, &arguments);
    (image.global_named("g").unwrap(), effects)
}

/// The cells as offset in `@g`, bytes, form, and whether they are always written.
fn cells(base: u64, effects: &Effects) -> Vec<(u64, u32, Form, bool)> {
    let cells = effects.cells.iter();
    cells.map(|cell| (cell.address.wrapping_sub(base), cell.bytes, cell.form, cell.is_always)).collect()
}

/// The ranges that may be read, as offset in `@g` and bytes.
fn reads(base: u64, effects: &Effects) -> Vec<(u64, u64)> {
    let reads = effects.reads.as_ref().unwrap().iter();
    reads.map(|(address, bytes)| (address.wrapping_sub(base), *bytes)).collect()
}

#[test]
fn a_store_on_every_path_is_in_the_kill_set() {
    let (base, effects) = call("function @f() {\nbb0:\n  store i32 5 to @g\n  return\n}\n", &[]);
    let effects = effects.unwrap();
    assert_eq!(cells(base, &effects), [(0, 4, Form::Constant(5), true)]);
    assert_eq!(reads(base, &effects), []);
    assert!(effects.is_contained());
}

#[test]
fn a_store_on_one_path_may_happen() {
    let text = "function @f(i64) -> i32 {\nbb0(r0: i64):\n  r1 = load i32 from @g\n  r2 = icmp eq i64 r0, i64 3\n  branch r2, bb1, bb2\nbb1:\n  \
                r3 = address @g + 8\n  store i32 9 to r3\n  jump bb2\nbb2:\n  return r1\n}\n";
    let (base, effects) = call(text, &[None]);
    let effects = effects.unwrap();
    let [(8, 4, _, false)] = cells(base, &effects)[..] else { panic!("{:?}", cells(base, &effects)) };
    assert_eq!(reads(base, &effects), [(0, 4)]);
    // With an argument that is known, there is one path; the kill set is that of the control-flow graph.
    assert_eq!(cells(base, &call(text, &[Some(3)]).1.unwrap()), [(8, 4, Form::Constant(9), false)]);
    assert_eq!(cells(base, &call(text, &[Some(4)]).1.unwrap()), []);
}

/// What is overwritten before it is read is no input of the call.
#[test]
fn what_is_overwritten_first_is_not_read() {
    let text = "function @f() -> i32 {\nbb0:\n  store i32 1 to @g\n  r0 = load i32 from @g\n  return r0\n}\n";
    let (base, effects) = call(text, &[]);
    let effects = effects.unwrap();
    assert_eq!(reads(base, &effects), []);
    assert_eq!(effects.results, [Form::Constant(1)]);
}

#[test]
fn effects_of_callees_are_those_of_the_caller() {
    let text = "function @set(ptr, i64) {\nbb0(r0: ptr, r1: i64):\n  store i64 r1 to r0\n  return\n}\n\
                function @f() {\nbb0:\n  call @set(@g, i64 3)\n  return\n}\n";
    let (base, effects) = call(text, &[]);
    assert_eq!(cells(base, &effects.unwrap()), [(0, 8, Form::Constant(3), true)]);
}

#[test]
fn a_store_through_an_unknown_pointer_has_no_bound() {
    let text = "function @f(ptr) {\nbb0(r0: ptr):\n  r1 = load ptr from r0\n  store i8 0 to r1\n  return\n}\n";
    let (_, effects) = call(text, &[None]);
    assert!(effects.is_none());
}
