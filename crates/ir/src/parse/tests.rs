//! Tests of the text form: what is printed reads back to the same text.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::print::Printer;
use crate::testing::{Random, random_program};

const EVERYTHING: &str = r#"target "x86_64-pc-linux-gnu" pointers 64
global @counter size 4 align 4 = "05000000"
global @table internal readonly size 24 align 8 = "" [0 @counter+2, 8 @helper, 16 (ptrtoint @counter-1 to i64)]
global @"odd name; \u{a}" thread_local runtime size 1 align 1
constructors @helper
destructors @main, @helper

function @main(i32, ptr byval 24, ...) -> i32 {  ; src/main.c:10 (main)
  local r2 "x"  ; src/main.c:11
  promoted "y"
bb0(r0: i32, r1: ptr):
  r2 = alloca i64 1 x 4 align 4
  store i32 r0 to r2  ; src/main.c:11:7
  store volatile double 1.5 to @counter+2  ; src/main.c:12:7 (inlined) < src/main.c:13:1
  r3 = load i32 from r2  ; "odd file.c":1:2
  r4 = load volatile i32 from ptr 16  ; lib/c-5.4+1/x.c:7:0
  r5 = add nuw nsw i32 r3, i32 -5
  r6 = udiv exact i32 r5, r4
  r7 = fadd double double -0.0, double 0x7ff8000000000000
  r8 = fneg double r7
  r9 = icmp slt i32 r5, r6
  r10 = fcmp uno double r7, r8
  r11 = sext i32 r5 to i64
  r12 = select i64 r9, r11, i64 -9223372036854775808
  r13 = address @table + -8 + 4 * i64 r12 + -1 * i8 3
  r14 = freeze i128 0x123456789abcdef0fedcba9876543210
  r15 = copy i1 1
  r16: i32, r17: i1 = call intrinsic AddOverflowSigned i32(i32 r5, i32 7)
  r18: i32 = call @main(i32 1, ptr r1 byval 24 align 8, ..., double r7)
  musttail call *r13()
  call unsupported "inline assembly: \"cli\""()
  marker  ; src/main.c:20:1
  switch i32 r18 [1 | 3 => bb1(r5, r6), 2 => bb2] default bb3
bb1(r19: i32, r20: i32):
  branch r9, bb1(r20, r19), bb2
bb2:
  r21: ptr = invoke @helper(undef i32 "x") normal bb4(r21) unwind bb3
bb3:
  jump *label @main bb5 [bb5, bb6]
bb4(r22: ptr):
  resume r22, undef i32
bb5:
  return (select i32 (icmp eq ptr @counter, @table+4), i32 1, (trunc (sub i64 (ptrtoint @main to i64), i64 3) to i32))
bb6:
  unsupported "catchswitch" [bb7]
bb7:
  unreachable
}

function @helper(i32) -> ptr internal runtime {
  returns_twice
bb0(r0: i32):
  return ptr 0
}

function @external(...) -> (i32, half)

function @helper#1(x87, quad)
"#;

fn assert_reads_back(text: &str) {
    let printed = Printer::new(&parse(text).unwrap()).program().to_string();
    assert!(printed == text, "{}", first_difference(&printed, text));
}

fn first_difference(printed: &str, text: &str) -> String {
    let differ = printed.lines().zip(text.lines()).find(|(printed, text)| printed != text);
    format!("printed and expected differ: {differ:#?}")
}

#[test]
fn everything_reads_back() {
    assert_reads_back(EVERYTHING);
}

#[test]
fn random_programs_read_back() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let program = random_program(&mut random);
        assert_reads_back(&Printer::new(&program).program().to_string());
    }
}

/// Whatever is typed, reading, checking and printing it end without a panic, and what is valid stays so under promotion.
#[test]
fn damaged_text_is_no_danger() {
    let mut random = Random::new(9);
    let originals = [EVERYTHING.to_string(), Printer::new(&random_program(&mut random)).program().to_string()];
    let mut valid = 0;
    for round in 0..6000 {
        let mut lines: Vec<Vec<u8>> = originals[round % 2].lines().map(|line| line.as_bytes().to_vec()).collect();
        for _ in 0..1 + random.below(2) {
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(4) {
                0 => drop(lines.remove(from)),
                1 => lines.swap(from, to),
                2 => lines[to] = lines[from].clone(),
                _ if lines[to].is_empty() => {}
                _ => {
                    let at = random.below(lines[to].len());
                    lines[to][at] = random.pick(b"0123456789rb ,()[]{}=:;@\"+-*|.ix#");
                }
            }
        }
        let text = String::from_utf8_lossy(&lines.join(&b'\n')).into_owned();
        let Ok(mut program) = parse(&text) else { continue };
        let _ = Printer::new(&program).program().to_string();
        if crate::verify::verify(&program).is_ok() {
            valid += 1;
            crate::promote::promote(&mut program);
            crate::verify::verify(&program).unwrap();
        }
    }
    assert!(valid > 100, "{valid}");
}

#[test]
fn numbers_must_fit() {
    let constant = |text: &str| parse(&format!("global @g size 64 align 1 = \"\" [0 {text}]"));
    for good in
        ["i8 -128", "i8 255", "i1 1", "i64 18446744073709551615", "i65 0x1ffffffffffffffff", "i128 7", "half 0x1"]
    {
        assert!(constant(good).is_ok(), "{good}");
    }
    for bad in ["i8 -129", "i8 256", "i65 0x3ffffffffffffffff", "half 1.5", "ptr 1.5", "i128 -1", "float x"] {
        assert!(constant(bad).is_err(), "{bad}");
    }
}

#[test]
fn errors_name_their_line() {
    let problem = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        problem("\nfunktion @f()"),
        "line 2: expected `target`, `global`, `constructors`, `destructors` or `function`, found `funktion`"
    );
    assert_eq!(problem("function @f() {\nbb0:\n  jump bb3\n}"), "line 3: there is no bb3");
    assert_eq!(problem("function @f() {\nbb0:\n}"), "line 3: the block before has no terminator");
    assert_eq!(problem("function @f() {\nbb0:\n  return\n"), "line 3: the function does not end");
    assert_eq!(problem("function @f() {\nbb1:\n"), "line 2: expected block bb0, found bb1: blocks stand in order");
    assert_eq!(problem("function @f() {\nbb0:\n call @g()\n"), "line 3: nothing is named @g");
    assert_eq!(problem("function @f()\nfunction @f()"), "line 2: @f is defined twice");
    assert_eq!(
        problem("function @f() {\nbb0:\n  r99999999 = copy i1 1\n"),
        "line 3: register number 99999999 is too large"
    );
    assert_eq!(problem("function @f() {\n return"), "line 2: an instruction outside of a block");
}

#[test]
fn locations_are_read() {
    let program = parse("function @f() {\nbb0:\n  marker ; a.c:3:5 (g) < a.c:9:1\n  return ; just a note\n}").unwrap();
    let block = &program.functions[FuncId::from_u32(0)].body.as_ref().unwrap().blocks[crate::Block::ENTRY];
    let loc = &program.debug.locs[block.locs[0]];
    assert_eq!((loc.line, loc.column, &*loc.function), (3, 5, "g"));
    let outer = &program.debug.locs[loc.inlined_at.unwrap()];
    assert_eq!((outer.line, &*outer.function), (9, "f"));
    assert_eq!(block.terminator_loc, LocId::NOWHERE);
}
