//! How far runs are from sides of branches, shown on programs in the text form of the `ir`, and that the two ways through an
//! instruction measure the same.
#![allow(clippy::unwrap_used)]

use std::fs::File;

use symcrete_exec::distance::Side;
use symcrete_exec::posix::RealHost;
use symcrete_exec::{Config, Executor, Image, Outcome, Posix, State};
use symcrete_expr::Value;
use symcrete_ir::parse::parse;
use symcrete_ir::{Block, EdgeId, Terminator};

/// An executor, and a state at the entry of `@main` with these arguments.
fn start(text: &str, args: &[u64], short_forms: bool) -> (Executor, State) {
    let program = parse(&format!("target \"x86_64-pc-linux-gnu\" pointers 64\n\n{text}")).unwrap();
    symcrete_ir::verify::verify(&program).unwrap();
    let main = program.function_named("main").unwrap();
    let config = Config { short_forms, ..Config::default() };
    let image = Image::new(program, &config).unwrap();
    let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
    let host = RealHost::new(null(), null(), null(), b"/".to_vec());
    let mut executor = Executor::new(image, config, Box::new(host));
    let posix = Posix::new(&mut *executor.host, 0);
    let args = args.iter().map(|arg| Value::Word(*arg)).collect();
    let state = State::new(&executor.image, posix, main, args);
    (executor, state)
}

/// The ways out of a block of `@main`.
fn sides(executor: &Executor, block: u32) -> Vec<Side> {
    let function = executor.image.program.function_named("main").unwrap();
    let block = Block::from_u32(block);
    let body = executor.image.body(function);
    let edges: Vec<EdgeId> = match &body.blocks[block].terminator {
        Terminator::Branch { if_true, if_false, .. } => vec![*if_true, *if_false],
        Terminator::Switch { table, .. } => {
            let table = &body.switches[*table];
            table.cases.iter().map(|case| case.1).chain([table.default]).collect()
        }
        other => panic!("{other:?}"),
    };
    edges.into_iter().map(|edge| Side { function, block, edge }).collect()
}

/// How far a run with these arguments is from each way out of a block.
fn distances(text: &str, block: u32, args: &[u64]) -> Vec<f64> {
    let measured = [true, false].map(|short_forms| {
        let (mut executor, mut state) = start(text, args, short_forms);
        let sides = sides(&executor, block);
        executor.watch(&sides);
        assert!(matches!(executor.run(&mut state, u64::MAX), Outcome::Return(_)));
        executor.take_distances().collect::<Vec<f64>>()
    });
    assert_eq!(measured[0], measured[1]);
    measured[0].clone()
}

fn compares(ty: &str, comparison: &str) -> String {
    format!(
        "function @main({ty}, {ty}) -> i32 {{
bb0(r0: {ty}, r1: {ty}):
  r2 = {comparison} {ty} r0, r1
  branch r2, bb1, bb2
bb1:
  return i32 1
bb2:
  return i32 0
}}
"
    )
}

#[test]
fn integers_are_as_far_as_their_difference() {
    assert_eq!(distances(&compares("i32", "icmp slt"), 0, &[5, 3]), [3.0, 0.0]);
    assert_eq!(distances(&compares("i32", "icmp slt"), 0, &[3, 5]), [0.0, 2.0]);
    assert_eq!(distances(&compares("i32", "icmp slt"), 0, &[3, u64::from(u32::MAX)]), [5.0, 0.0]);
    assert_eq!(distances(&compares("i32", "icmp ule"), 0, &[9, 4]), [5.0, 0.0]);
    assert_eq!(distances(&compares("i32", "icmp eq"), 0, &[1, u64::from(u32::MAX)]), [2.0, 0.0]);
    assert_eq!(distances(&compares("i32", "icmp eq"), 0, &[7, 7]), [0.0, 1.0]);
}

#[test]
fn floats_are_as_far_as_their_difference_and_what_is_none_is_far() {
    let bits = |value: f64| value.to_bits();
    assert_eq!(distances(&compares("double", "fcmp ogt"), 0, &[bits(1.5), bits(4.0)]), [2.5, 0.0]);
    assert_eq!(distances(&compares("double", "fcmp ogt"), 0, &[bits(4.0), bits(1.5)]), [0.0, 2.5]);
    let with_nan = distances(&compares("double", "fcmp ogt"), 0, &[bits(f64::NAN), bits(1.5)]);
    assert!(with_nan[0] > 1e299 && with_nan[0].is_finite() && with_nan[1] == 0.0, "{with_nan:?}");
    let equal = distances(&compares("double", "fcmp olt"), 0, &[bits(2.0), bits(2.0)]);
    assert!(equal[0] > 0.0 && equal[0] < 1e-300, "{equal:?}");
}

/// Whether the first is in (second, 10), as compilers keep conditions in variables.
const JOINED: &str = "function @main(i32, i32) -> i32 {
bb0(r0: i32, r1: i32):
  r2 = icmp sgt i32 r0, r1
  r3 = icmp slt i32 r0, i32 10
  r4 = and i1 r2, r3
  r5 = zext i1 r4 to i8
  jump bb1
bb1:
  r6 = zext i8 r5 to i32
  r7 = icmp ne i32 r6, i32 0
  r8 = xor i1 r7, i1 1
  branch r8, bb2, bb3
bb2:
  return i32 1
bb3:
  return i32 0
}
";

#[test]
fn joined_conditions_are_looked_through() {
    assert_eq!(distances(JOINED, 1, &[4, 6]), [0.0, 3.0]);
    assert_eq!(distances(JOINED, 1, &[13, 6]), [0.0, 4.0]);
    assert_eq!(distances(JOINED, 1, &[11, 12]), [0.0, 4.0]);
    assert_eq!(distances(JOINED, 1, &[8, 6]), [2.0, 0.0]);
}

#[test]
fn a_switch_is_as_far_as_the_nearest_case() {
    let text = "function @main(i32) -> i32 {
bb0(r0: i32):
  switch i32 r0 [1 | 30 => bb1, 20 => bb2] default bb3
bb1:
  return i32 1
bb2:
  return i32 2
bb3:
  return i32 3
}
";
    // The cases in order, and the default.
    assert_eq!(distances(text, 0, &[26]), [4.0, 6.0, 4.0, 0.0]);
    assert_eq!(distances(text, 0, &[20]), [10.0, 0.0, 10.0, 1.0]);
}

/// Counts down from the argument by threes.
const LOOP: &str = "function @main(i32) -> i32 {
bb0(r0: i32):
  jump bb1(r0)
bb1(r1: i32):
  r2 = icmp eq i32 r1, i32 7
  branch r2, bb4, bb2
bb2:
  r3 = sub i32 r1, i32 3
  r4 = icmp sgt i32 r3, i32 0
  branch r4, bb1(r3), bb3
bb3:
  return i32 0
bb4:
  return i32 1
}
";

#[test]
fn the_nearest_time_counts_and_never_is_infinite() {
    assert_eq!(distances(LOOP, 1, &[21]), [1.0, 0.0]);
    assert_eq!(distances(LOOP, 2, &[7]), [f64::INFINITY, f64::INFINITY]);
}

#[test]
fn nothing_is_measured_that_is_not_watched_any_more() {
    let (mut executor, state) = start(LOOP, &[21], true);
    let sides = sides(&executor, 1);
    executor.watch(&sides);
    executor.watch(&[]);
    assert!(matches!(executor.run(&mut state.clone(), u64::MAX), Outcome::Return(_)));
    assert_eq!(executor.take_distances().count(), 0);
}
