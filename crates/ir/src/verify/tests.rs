//! Tests of the verifier: for each promise a program that breaks it.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::ids::SwitchId;
use crate::parse::parse;
use crate::testing::{Random, random_program};
use crate::{Block, Body, Const, Constant, EdgeId, Inst, LocId, Operand, Reg, Terminator, Type};

const GOOD: &str = "
global @g size 8 align 8 = \"00\" [0 (ptrtoint @g to i64)]
function @f(i32) -> i32 {
  local r1 \"x\"
bb0(r0: i32):
  r1 = alloca i64 1 x 4 align 4
  store i32 r0 to r1
  r2 = icmp sgt i32 r0, i32 5
  branch r2, bb1(i32 7, r0), bb3
bb1(r3: i32, r4: i32):
  r5 = add i32 r3, r4
  r6 = address @g + 4 * i32 r5
  switch i32 r5 [1 => bb2, 2 => bb1(r4, r3)] default bb2
bb2:
  r7: i32 = invoke @f(i32 r5) normal bb4(r7) unwind bb3
bb3:
  return i32 0
bb4(r8: i32):
  r9 = add i32 r8, r7
  return r9
}";

#[test]
fn a_good_program_passes() {
    verify(&parse(GOOD).unwrap()).unwrap();
}

#[test]
fn random_programs_pass() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        verify(&random_program(&mut random)).unwrap();
    }
}

/// What is wrong with the good program after a change.
fn after(change: impl FnOnce(&mut Program)) -> (Site, Violation) {
    let mut program = parse(GOOD).unwrap();
    change(&mut program);
    match verify(&program) {
        Err(Error::Invalid { place, violation }) => (place.site, violation),
        other => panic!("{other:?}"),
    }
}

fn after_body(change: impl FnOnce(&mut Body)) -> (Site, Violation) {
    after(|program| change(program.functions[FuncId::from_u32(0)].body.as_mut().unwrap()))
}

/// What is wrong with the good program with a piece of its text replaced.
fn with(piece: &str, replacement: &str) -> Violation {
    assert!(GOOD.contains(piece));
    match verify(&parse(&GOOD.replacen(piece, replacement, 1)).unwrap()) {
        Err(Error::Invalid { violation, .. }) => violation,
        other => panic!("{other:?}"),
    }
}

fn reg(number: u32) -> Reg {
    Reg::from_u32(number)
}

const BB1: u32 = 1;

#[test]
fn numbers_must_be_in_range() {
    let entry = Block::ENTRY;
    let missing = Operand::from(reg(99));
    assert_eq!(
        after_body(|body| body.blocks[entry].insts[1] =
            Inst::Store { ty: Type::I32, address: missing, value: missing, volatile: false }),
        (Site::Inst(entry, 1), Violation::NoSuchRegister(reg(99)))
    );
    let constant = Const::from_u32(99);
    let returned = |body: &mut Body| {
        body.blocks[Block::from_u32(3)].terminator = Terminator::Return(vec![constant.into()]);
    };
    assert_eq!(after_body(returned).1, Violation::NoSuchConstant(constant));
    let jump = |body: &mut Body| body.blocks[entry].terminator = Terminator::Jump(EdgeId::from_u32(99));
    assert_eq!(after_body(jump).1, Violation::NoSuchEdge(EdgeId::from_u32(99)));
    let edge = |body: &mut Body| body.edges[EdgeId::from_u32(1)].target = Block::from_u32(99);
    assert_eq!(after_body(edge).1, Violation::NoSuchBlock(Block::from_u32(99)));
    let loc = |body: &mut Body| body.blocks[entry].locs[0] = LocId::from_u32(99);
    assert_eq!(after_body(loc), (Site::Inst(entry, 0), Violation::NoSuchLoc(LocId::from_u32(99))));
    let terms = |body: &mut Body| body.address_terms.clear();
    assert_eq!(after_body(terms).1, Violation::NoSuchTerms { first: 0, count: 1 });
    let calls = |body: &mut Body| body.calls.clear();
    assert!(matches!(after_body(calls).1, Violation::NoSuchCall(_)));
    let switches = |body: &mut Body| body.switches.clear();
    assert_eq!(after_body(switches).1, Violation::NoSuchSwitch(SwitchId::from_u32(0)));
    assert_eq!(
        after(|program| program.constructors.push(FuncId::from_u32(9))).1,
        Violation::NoSuchFunction(FuncId::from_u32(9))
    );
}

#[test]
fn constants_must_fit() {
    let push = |constant: Constant| {
        after(|program| {
            program.constants.push(constant);
        })
        .1
    };
    assert!(matches!(push(Constant::Word { ty: Type::I8, bits: 256 }), Violation::OutOfRange { .. }));
    assert!(matches!(push(Constant::Word { ty: Type::int(65), bits: 0 }), Violation::WrongKind { .. }));
    let wide = |limbs: [u64; 2]| Constant::Wide { ty: Type::int(65), limbs: limbs.into() };
    assert!(matches!(push(wide([0, 2])), Violation::OutOfRange { .. }));
    assert!(matches!(
        push(Constant::Wide { ty: Type::int(129), limbs: [0, 0].into() }),
        Violation::WrongCount { found: 2, expected: 3, .. }
    ));
    let itself = Const::from_u32(100);
    let cast = crate::ConstantExpression::Cast {
        op: crate::CastOp::PointerToInt,
        from: Type::POINTER,
        to: Type::I64,
        src: itself,
    };
    assert_eq!(push(Constant::Expression(cast)), Violation::ForwardConstant(itself));
    assert_eq!(
        push(Constant::BlockAddress(FuncId::from_u32(0), Block::from_u32(50))),
        Violation::NoSuchBlock(Block::from_u32(50))
    );
}

#[test]
fn globals_must_hold_their_contents() {
    assert!(matches!(with("size 8 align 8", "size 7 align 8"), Violation::OutOfRange { what: "relocation", .. }));
    assert_eq!(with("size 8 align 8", "size 8 align 3"), Violation::BadAlignment(3));
}

#[test]
fn registers_are_assigned_once_and_before_use() {
    assert_eq!(
        with("r5 = add i32 r3, r4", "r5 = add i32 r3, r4\n  r3 = copy i32 r5"),
        Violation::AssignedTwice(reg(3))
    );
    assert_eq!(
        with("r5 = add i32 r3, r4", "r5 = add i32 r3, r10"),
        Violation::WrongType { what: "the second operand", found: Type::BOOL, expected: Type::I32 }
    );
    assert_eq!(
        with("local r1", "local r1 \"x\"\n  local r10").to_string(),
        "a local variable's address is i1 where ptr is needed"
    );
    assert_eq!(with("r5 = add i32 r3, r4", "r5 = add i32 r3, r5"), Violation::NotDominated(reg(5)));
    assert_eq!(with("bb3:\n  return i32 0", "bb3:\n  return r5"), Violation::NotDominated(reg(5)));
    assert_eq!(with("bb3:\n  return i32 0", "bb3:\n  return r7"), Violation::NotDominated(reg(7)));
    let extra = |body: &mut Body| {
        body.registers.push(Type::I32);
    };
    assert_eq!(after_body(extra), (Site::Whole, Violation::NeverAssigned(reg(10))));
}

#[test]
fn results_of_an_invoke_need_its_normal_edge() {
    let text = "
function @f() -> i32 {
bb0:
  r0: i32 = invoke @f() normal bb1 unwind bb1
bb1:
  return r0
}";
    let error = verify(&parse(text).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "function f (fn0), bb1, terminator: r0 is used where its assignment does not come before on every path"
    );
}

#[test]
fn unreachable_blocks_may_use_anything() {
    let text = "
function @f() -> i32 {
bb0:
  return i32 0
bb1:
  r0 = add i32 r0, r1
  r1 = copy i32 r0
  return r1
}";
    verify(&parse(text).unwrap()).unwrap();
}

#[test]
fn types_must_agree() {
    let wrong_type = |piece: &str, replacement: &str| {
        let violation = with(piece, replacement);
        assert!(matches!(violation, Violation::WrongType { .. }), "{replacement}: {violation}");
    };
    wrong_type("store i32 r0 to r1", "store i64 r0 to r1");
    wrong_type("store i32 r0 to r1", "store i32 r0 to r0");
    wrong_type("r2 = icmp sgt i32 r0, i32 5", "r2 = icmp sgt i32 r0, i64 5");
    wrong_type("r6 = address @g + 4 * i32 r5", "r6 = address r5 + 4 * i32 r5");
    wrong_type("r6 = address @g + 4 * i32 r5", "r6 = address @g + 4 * i64 r5");
    wrong_type("branch r2", "branch r0");
    wrong_type("return r9", "return r1");
    wrong_type("bb1(i32 7, r0)", "bb1(i64 7, r0)");
    wrong_type("@f(i32 r5)", "@f(i64 r5)");
    wrong_type("switch i32 r5", "switch i64 r5");
    wrong_type("bb0(r0: i32)", "bb0(r0: i64)");
    let wrong_kind = |piece: &str, replacement: &str| {
        let violation = with(piece, replacement);
        assert!(matches!(violation, Violation::WrongKind { .. }), "{replacement}: {violation}");
    };
    wrong_kind("r5 = add i32 r3, r4", "r5 = add ptr @g, @g");
    wrong_kind("r2 = icmp sgt i32 r0, i32 5", "r2 = icmp sgt double double 0.5, double 0.5");
    wrong_kind("r6 = address @g + 4 * i32 r5", "r6 = address @g + 4 * ptr r1");
    wrong_kind("r1 = alloca i64 1", "r1 = alloca double 0.5");
    wrong_kind("r5 = add i32 r3, r4", "r5 = fadd i32 r3, r4");
    wrong_kind("r5 = add i32 r3, r4", "r5 = fneg i32 r3");
}

#[test]
fn casts_must_be_sensible() {
    let cast = |text: &str| {
        let text = format!(
            "function @f(i32, ptr, double) {{\nbb0(r0: i32, r1: ptr, r2: double):\n  r3 = {text}\n  return\n}}"
        );
        verify(&parse(&text).unwrap())
    };
    for good in [
        "trunc i32 r0 to i8",
        "zext i32 r0 to i64",
        "sext i32 r0 to i33",
        "ptrtoint ptr r1 to i8",
        "inttoptr i32 r0 to ptr",
        "bitcast double r2 to i64",
        "bitcast ptr r1 to ptr",
        "fptosi double r2 to i128",
        "uitofp i32 r0 to half",
        "fptrunc double r2 to float",
        "fpext double r2 to x87",
    ] {
        cast(good).unwrap();
    }
    for bad in [
        "trunc i32 r0 to i32",
        "trunc i32 r0 to i64",
        "zext i32 r0 to i8",
        "sext i32 r0 to double",
        "ptrtoint i32 r0 to i8",
        "inttoptr ptr r1 to ptr",
        "bitcast double r2 to i32",
        "fptosi i32 r0 to i32",
        "fptrunc double r2 to x87",
    ] {
        assert!(matches!(cast(bad), Err(Error::Invalid { violation: Violation::BadCast { .. }, .. })), "{bad}");
    }
}

#[test]
fn edges_must_fit() {
    assert!(matches!(with("bb1(i32 7, r0)", "bb1(r0)"), Violation::WrongCount { found: 1, expected: 2, .. }));
    assert_eq!(with("default bb2", "default bb0(r3)"), Violation::EdgeToEntry(EdgeId::from_u32(4)));
    let source = |body: &mut Body| body.edges[EdgeId::from_u32(0)].source = Block::from_u32(BB1);
    assert_eq!(after_body(source).1, Violation::WrongSource { says: Block::from_u32(BB1), found: Block::ENTRY });
    let jump = |body: &mut Body| body.blocks[Block::ENTRY].terminator = Terminator::Unreachable;
    assert_eq!(after_body(jump), (Site::Edge(EdgeId::from_u32(0)), Violation::UnusedEdge));
    let overlap = |body: &mut Body| body.edges.values_mut().for_each(|edge| edge.overlaps = false);
    assert_eq!(after_body(overlap), (Site::Edge(EdgeId::from_u32(3)), Violation::MissedOverlap));
    let cases = |body: &mut Body| body.switches[SwitchId::from_u32(0)].cases.reverse();
    assert_eq!(after_body(cases).1, Violation::UnsortedCases(SwitchId::from_u32(0)));
    assert!(matches!(with("[1 =>", "[8589934592 =>"), Violation::OutOfRange { what: "a case", .. }));
}

#[test]
fn counts_must_agree() {
    assert!(matches!(with("return r9", "return r9, r9"), Violation::WrongCount { .. }));
    assert!(matches!(with("function @f(i32)", "function @f()"), Violation::WrongCount { .. }));
    let locs = |body: &mut Body| {
        body.blocks[Block::ENTRY].locs.pop();
    };
    assert_eq!(after_body(locs).1, Violation::WrongCount { what: "locations", found: 2, expected: 3 });
    let call = crate::Call::from_u32(0);
    assert!(matches!(after_body(|body| body.calls[call].arg_types.clear()).1, Violation::WrongCount { .. }));
    assert!(matches!(after_body(|body| body.calls[call].result_types.clear()).1, Violation::WrongCount { .. }));
    assert!(matches!(after_body(|body| body.calls[call].fixed_args = 2).1, Violation::WrongCount { .. }));
    assert!(matches!(after_body(|body| body.calls[call].by_value.push((0, 8, 8))).1, Violation::WrongType { .. }));
    assert!(matches!(after_body(|body| body.calls[call].by_value.push((1, 8, 8))).1, Violation::OutOfRange { .. }));
}
