//! Tests of promotion: on text, and on random programs against an interpreter.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use super::*;
use crate::parse::parse;
use crate::promote::interpreter::run;
use crate::testing::{Random, random_program};
use crate::verify::verify;
use crate::{Block, FuncId, Inst, LocId, Printer, Terminator};

fn first() -> FuncId {
    FuncId::from_u32(0)
}

fn body(program: &Program) -> &Body {
    program.functions[first()].body.as_ref().unwrap()
}

/// The first function of a text after promotion.
fn promoted(text: &str) -> String {
    let mut program = parse(text).unwrap();
    verify(&program).unwrap();
    promote(&mut program);
    verify(&program).unwrap();
    Printer::new(&program).function(first()).to_string()
}

/// Compares ignoring indentation.
fn assert_promotes(before: &str, after: &str) {
    let trimmed =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&promoted(before)), trimmed(after));
}

#[test]
fn a_loop_gets_parameters() {
    assert_promotes(
        "function @sum(i32) -> i32 {
           local r1 \"n\"
           local r2 \"total\"
         bb0(r0: i32):
           r1 = alloca i64 1 x 4 align 4
           r2 = alloca i64 1 x 4 align 4
           store i32 r0 to r1
           store i32 0 to r2 ; sum.c:2:7
           jump bb1
         bb1:
           r3 = load i32 from r1 ; sum.c:3:10
           r4 = icmp ne i32 r3, i32 0 ; sum.c:3:12
           branch r4, bb2, bb3 ; sum.c:3:3
         bb2:
           r5 = load i32 from r2 ; sum.c:4:8
           r6 = load i32 from r1 ; sum.c:4:12
           r7 = add nsw i32 r5, r6 ; sum.c:4:8
           store i32 r7 to r2 ; sum.c:4:8
           r8 = load i32 from r1 ; sum.c:5:5
           r9 = add nsw i32 r8, i32 -1 ; sum.c:5:5
           store i32 r9 to r1 ; sum.c:5:5
           jump bb1 ; sum.c:3:3
         bb3:
           r10 = load i32 from r2 ; sum.c:6:10
           return r10 ; sum.c:6:3
         }",
        "function @sum(i32) -> i32 {
           promoted \"n\"
           promoted \"total\"
         bb0(r0: i32):
           marker  ; sum.c:2:7
           jump bb1(r0, i32 0)
         bb1(r1: i32, r2: i32):
           marker  ; sum.c:3:10
           r3 = icmp ne i32 r1, i32 0  ; sum.c:3:12
           branch r3, bb2, bb3  ; sum.c:3:3
         bb2:
           marker  ; sum.c:4:12
           r4 = add nsw i32 r2, r1  ; sum.c:4:8
           r5 = add nsw i32 r1, i32 -1  ; sum.c:5:5
           jump bb1(r5, r4)  ; sum.c:3:3
         bb3:
           marker  ; sum.c:6:10
           return r2  ; sum.c:6:3
         }",
    );
}

#[test]
fn what_was_never_written_is_undefined() {
    assert_promotes(
        "function @f(i1) -> i32 {
           local r1 \"x\"
         bb0(r0: i1):
           r1 = alloca i64 1 x 4 align 4
           r2 = alloca i64 1 x 8 align 8
           r6 = load i64 from r2
           branch r0, bb1, bb2
         bb1:
           store i32 5 to r1
           jump bb2
         bb2:
           r3 = load i32 from r1
           r4 = trunc i64 r6 to i32
           r5 = add nsw i32 r3, r4
           return r5
         }",
        "function @f(i1) -> i32 {
           promoted \"x\"
         bb0(r0: i1):
           branch r0, bb1, bb2(undef i32 \"x\")
         bb1:
           jump bb2(i32 5)
         bb2(r1: i32):
           r2 = trunc undef i64 to i32
           r3 = add nsw i32 r1, r2
           return r3
         }",
    );
}

#[test]
fn puns_become_casts() {
    assert_promotes(
        "function @bits(float, ptr) -> (i32, i64) {
         bb0(r0: float, r1: ptr):
           r2 = alloca i64 1 x 4 align 4
           r3 = alloca i64 1 x 8 align 8
           store float r0 to r2
           r4 = load i32 from r2 ; a.c:1:1
           store ptr r1 to r3
           r5 = load i64 from r3
           store i64 r5 to r3
           r6 = load i64 from r3
           return r4, r6
         }",
        "function @bits(float, ptr) -> (i32, i64) {
         bb0(r0: float, r1: ptr):
           r2 = bitcast float r0 to i32  ; a.c:1:1
           r3 = ptrtoint ptr r1 to i64
           r4 = inttoptr i64 r3 to ptr
           r5 = ptrtoint ptr r4 to i64
           return r2, r5
         }",
    );
}

#[test]
fn what_must_stay_in_memory_stays() {
    let unchanged = |accesses: &str| {
        let text = format!(
            "function @f(i32) {{
               local r1 \"x\"
             bb0(r0: i32):
               r1 = alloca i64 1 x 4 align 4
               {accesses}
               return
             }}
             function @g(ptr)"
        );
        let result = promoted(&text);
        assert!(result.contains("alloca") && result.contains("local r1"), "{result}");
    };
    unchanged("store volatile i32 r0 to r1");
    unchanged("store i64 7 to r1");
    unchanged("call @g(ptr r1)");
    unchanged("store ptr r1 to @g");
    unchanged("r2 = address r1 + 2\nstore i8 1 to r2");
    unchanged("store i32 r0 to r1\nr2 = load i8 from r1");
    unchanged("store i1 1 to r1\nr2 = load i8 from r1");
}

#[test]
fn functions_that_return_twice_are_left_alone() {
    let text = "function @f(i32) -> i32 {
  returns_twice
bb0(r0: i32):
  r1 = alloca i64 1 x 4 align 4
  store i32 r0 to r1
  r2 = load i32 from r1
  return r2
}
";
    assert_eq!(promoted(text), text);
}

#[test]
fn dead_code_goes_but_findings_stay() {
    assert_promotes(
        "function @f(i32, ptr) {
         bb0(r0: i32, r1: ptr):
           r2 = alloca i64 1 x 8 align 8
           r3 = sext i32 r0 to i64 ; a.c:1:1
           r4 = address r1 + 4 * i64 r3 ; a.c:2:1
           store ptr r4 to r2 ; a.c:2:1
           r5 = add nsw i32 r0, i32 1 ; a.c:3:1
           r6 = sdiv i32 r0, r5 ; a.c:4:1
           r7 = load i32 from r1 ; a.c:5:1
           r8 = copy i32 r7 ; a.c:5:1
           r9 = xor i32 r8, r7
           return ; a.c:1:1
         }",
        "function @f(i32, ptr) {
         bb0(r0: i32, r1: ptr):
           marker  ; a.c:2:1
           r2 = add nsw i32 r0, i32 1  ; a.c:3:1
           r3 = sdiv i32 r0, r2  ; a.c:4:1
           r4 = load i32 from r1  ; a.c:5:1
           return  ; a.c:1:1
         }",
    );
}

#[test]
fn unreachable_code_is_harmless() {
    assert_promotes(
        "function @f() -> i32 {
         bb0:
           r0 = alloca i64 1 x 4 align 4
           store i32 1 to r0
           jump bb1
         bb1:
           r1 = load i32 from r0
           r2 = add i32 r1, i32 1
           store i32 r2 to r0
           jump bb1
         bb2:
           r3 = add i32 r3, r4 ; a.c:7:1
           r4 = copy i32 r5
           r5 = copy i32 r4
           r6 = load i32 from r0
           store i32 r6 to r0
           jump bb1
         }",
        "function @f() -> i32 {
         bb0:
           jump bb1(i32 1)
         bb1(r0: i32):
           r1 = add i32 r0, i32 1
           jump bb1(r1)
         bb2:
           r2 = add i32 r2, r3  ; a.c:7:1
           r3 = copy i32 r4
           r4 = copy i32 r3
           jump bb1(undef i32)
         }",
    );
}

#[test]
fn swaps_on_an_edge_overlap() {
    let mut program = parse(
        "function @f(i1) -> i32 {
         bb0(r0: i1):
           r1 = alloca i64 1 x 4 align 4
           r2 = alloca i64 1 x 4 align 4
           store i32 1 to r1
           store i32 2 to r2
           jump bb1
         bb1:
           r3 = load i32 from r1
           r4 = load i32 from r2
           store i32 r4 to r1
           store i32 r3 to r2
           branch r0, bb1, bb2
         bb2:
           return r3
         }",
    )
    .unwrap();
    promote(&mut program);
    verify(&program).unwrap();
    assert_eq!(body(&program).edges.values().map(|edge| edge.overlaps).collect::<Vec<_>>(), [false, true, false]);
}

type Place = (u32, u32);

/// The lines of a block, its terminator's included.
fn lines(program: &Program, block: Block) -> BTreeSet<Place> {
    let data = &body(program).blocks[block];
    data.locs.iter().chain([&data.terminator_loc]).filter_map(|loc| place(program, *loc)).collect()
}

fn place(program: &Program, loc: LocId) -> Option<Place> {
    let loc = &program.debug.locs[loc];
    (loc.line != 0).then_some((loc.line, loc.column))
}

/// Every marker stands for a line that nothing else in its block has.
fn check_markers(program: &Program, block: Block) {
    let data = &body(program).blocks[block];
    for (at, inst) in data.insts.iter().enumerate() {
        if *inst == Inst::Marker {
            let marked = place(program, data.locs[at]).unwrap();
            let others = data.locs.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, loc)| loc);
            assert!(others.chain([&data.terminator_loc]).all(|loc| place(program, *loc) != Some(marked)));
        }
    }
}

/// The shape of a terminator, without what it reads.
fn shape(terminator: &Terminator) -> String {
    match terminator {
        Terminator::Branch { if_true, if_false, .. } => format!("branch {if_true} {if_false}"),
        Terminator::Switch { table, .. } => format!("switch {table}"),
        Terminator::Return(values) => format!("return {}", values.len()),
        other => format!("{other:?}"),
    }
}

/// Blocks, edges and lines are as before.
fn check_shape(before: &Program, after: &Program) {
    assert_eq!(body(before).blocks.len(), body(after).blocks.len());
    assert_eq!(body(before).edges.len(), body(after).edges.len());
    for (old, new) in body(before).edges.values().zip(body(after).edges.values()) {
        assert_eq!((old.source, old.target), (new.source, new.target));
    }
    for block in body(before).blocks.keys() {
        assert_eq!(lines(before, block), lines(after, block));
        check_markers(after, block);
        let terminator = |program: &Program| shape(&body(program).blocks[block].terminator);
        assert_eq!(terminator(before), terminator(after));
    }
}

fn check_behaviour(before: &Program, after: &Program, seed: u64) {
    for round in 0..6 {
        let decisions = || Random::new(seed * 100 + round);
        let (expected, found) = (run(before, &mut decisions()), run(after, &mut decisions()));
        let both = || format!("{}\n{}", Printer::new(before).program(), Printer::new(after).program());
        assert!(expected == found, "{}\n{expected:#?}\n{found:#?}", both());
    }
}

fn count_allocas(program: &Program) -> usize {
    let insts = body(program).blocks.values().flat_map(|data| &data.insts);
    insts.filter(|inst| matches!(inst, Inst::Alloca { .. })).count()
}

#[test]
fn random_programs_behave_as_before() {
    let mut random = Random::new(42);
    let (mut allocas_before, mut allocas_after) = (0, 0);
    for seed in 0..2000 {
        let before = random_program(&mut random);
        verify(&before).unwrap();
        let mut after = before.clone();
        // The second time, variables follow whose address was only used by what the first time removed.
        for _ in 0..2 {
            promote(&mut after);
            if let Err(error) = verify(&after) {
                panic!("{error}\n{}\n{}", Printer::new(&before).program(), Printer::new(&after).program());
            }
            check_shape(&before, &after);
            check_behaviour(&before, &after, seed);
        }
        allocas_before += count_allocas(&before);
        allocas_after += count_allocas(&after);
    }
    assert!(allocas_after * 2 < allocas_before, "{allocas_after} of {allocas_before} stay in memory");
}

#[test]
fn hostile_functions_stay_in_proportion() {
    // Many variables, all live through a chain of many joins: pruned SSA form would need a parameter for each pair.
    let (variables, blocks) = (3000, 3000);
    let mut text = String::from("function @f(i1) -> i32 {\nbb0(r0: i1):\n");
    for variable in 1..=variables {
        text += &format!("  r{variable} = alloca i64 1 x 4 align 4\n");
    }
    text += "  jump bb1\n";
    for block in 0..blocks {
        let first = 1 + 2 * block;
        text += &format!("bb{first}:\n  branch r0, bb{}, bb{}\n", first + 1, first + 2);
        text +=
            &format!("bb{}:\n  store i32 {block} to r{}\n  jump bb{}\n", first + 1, 1 + block % variables, first + 2);
    }
    let last = 1 + 2 * blocks;
    text += &format!("bb{last}:\n");
    for variable in 1..=variables {
        text += &format!("  r{} = load i32 from r{variable}\n", variables + variable);
    }
    text += "  return i32 0\n}";
    let mut program = parse(&text).unwrap();
    promote(&mut program);
    verify(&program).unwrap();
    let args: usize = body(&program).edges.values().map(|edge| edge.args.len()).sum();
    assert!(args < 10_000_000);
}
