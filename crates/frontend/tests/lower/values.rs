//! Vectors and aggregates as lists of scalars; constants and initial values.

use symcrete_ir::{Constant, Type};

use crate::tools::{Look, assert_lines, c, extremes, ll};

#[test]
fn a_structure_returned_in_registers_is_two_results() {
    for clang in extremes() {
        let program = c(
            clang,
            "struct pair { long a, b; };
             struct pair make(long a, long b) { struct pair p = {a, b}; return p; }
             long use(void) { return make(1, 2).b; }",
        );
        assert_eq!(program.function("make").results, [Type::I64, Type::I64]);
        let call = program.body("use").calls.values().next().unwrap();
        assert_eq!(call.result_types, [Type::I64, Type::I64]);
    }
}

#[test]
fn parts_of_values_are_renamed() {
    let program = ll("
        define {i32, {i64, i8}} @f({i32, {i64, i8}} %s, i64 %x) {
          %a = insertvalue {i32, {i64, i8}} %s, i64 %x, 1, 0
          %b = extractvalue {i32, {i64, i8}} %a, 1
          %c = insertvalue {i32, {i64, i8}} poison, {i64, i8} %b, 1
          %d = insertvalue {i32, {i64, i8}} %c, i32 7, 0
          ret {i32, {i64, i8}} %d
        }");
    assert_lines(&program, "f", &["bb0(r0: i32, r1: i64, r2: i8, r3: i64):", "return i32 7, r3, r2"]);
}

#[test]
fn vectors_are_lanes() {
    let program = ll("
        define <2 x i32> @arithmetic(<2 x i32> %a, <2 x i32> %b) {
          %c = add nsw <2 x i32> %a, %b
          %d = shufflevector <2 x i32> %c, <2 x i32> <i32 9, i32 8>, <2 x i32> <i32 1, i32 2>
          ret <2 x i32> %d
        }
        define i16 @pick(<2 x i16> %a, i32 %i, i16 %x) {
          %b = insertelement <2 x i16> %a, i16 %x, i32 %i
          %c = extractelement <2 x i16> %b, i32 %i
          ret i16 %c
        }");
    assert_lines(
        &program,
        "arithmetic",
        &[
            "bb0(r0: i32, r1: i32, r2: i32, r3: i32):",
            "r4 = add nsw i32 r0, r2",
            "r5 = add nsw i32 r1, r3",
            "return r5, i32 9",
        ],
    );
    assert_lines(
        &program,
        "pick",
        &[
            "bb0(r0: i16, r1: i16, r2: i32, r3: i16):",
            "r4 = icmp eq i32 r2, i32 0",
            "r5 = select i16 r4, r3, r0",
            "r6 = icmp eq i32 r2, i32 1",
            "r7 = select i16 r6, r3, r1",
            "r8 = icmp eq i32 r2, i32 1",
            "r9 = select i16 r8, r7, r5",
            "return r9",
        ],
    );
}

#[test]
fn bitcasts_regroup_bits() {
    let program = ll("
        define i32 @join(<2 x i16> %v) { %r = bitcast <2 x i16> %v to i32 ret i32 %r }
        define <2 x float> @split(i64 %v) { %r = bitcast i64 %v to <2 x float> ret <2 x float> %r }
        define <3 x i16> @uneven(<2 x i24> %v) { %r = bitcast <2 x i24> %v to <3 x i16> ret <3 x i16> %r }
        define i8 @known() { %r = bitcast <4 x i2> <i2 1, i2 2, i2 3, i2 0> to i8 ret i8 %r }");
    assert_lines(
        &program,
        "join",
        &[
            "bb0(r0: i16, r1: i16):",
            "r2 = zext i16 r0 to i32",
            "r3 = zext i16 r1 to i32",
            "r4 = shl i32 r3, i32 16",
            "r5 = or i32 r2, r4",
            "return r5",
        ],
    );
    assert_lines(
        &program,
        "split",
        &[
            "bb0(r0: i64):",
            "r1 = trunc i64 r0 to i32",
            "r2 = bitcast i32 r1 to float",
            "r3 = lshr i64 r0, i64 32",
            "r4 = trunc i64 r3 to i32",
            "r5 = bitcast i32 r4 to float",
            "return r2, r5",
        ],
    );
    assert!(program.text("uneven").contains("shl i48"), "{}", program.text("uneven"));
    assert_lines(&program, "known", &["bb0:", "return i8 57"]);
}

#[test]
fn lanes_that_share_bytes_travel_in_one_integer() {
    let program = ll("
        define void @copy(ptr %to, ptr %from) {
          %v = load <4 x i1>, ptr %from
          store <4 x i1> %v, ptr %to
          ret void
        }");
    let text = program.text("copy");
    assert!(text.contains("r2 = load i4 from r1"), "{text}");
    assert!(text.contains("store i4"), "{text}");
    assert_eq!(text.matches("trunc i4").count(), 4, "{text}");
}

#[test]
fn aggregates_in_memory_go_scalar_by_scalar() {
    let program = ll("
        define void @copy(ptr %to, ptr %from) {
          %v = load {i8, <2 x double>, [2 x i16]}, ptr %from
          store {i8, <2 x double>, [2 x i16]} %v, ptr %to
          ret void
        }");
    let text = program.text("copy");
    for line in ["load i8 from r1", "address r1 + 16", "address r1 + 24", "address r1 + 32", "address r1 + 34"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(text.matches("store ").count(), 5, "{text}");
}

#[test]
fn initial_values_are_bytes_and_addresses() {
    for clang in extremes() {
        let program = c(
            clang,
            "struct s { char c; int *p; double d; } s = { 'x', 0, 1.5 };
             int table[4] = {1, 2};
             int *in_table = &table[3];
             int (*function)(void);
             int f(void) { return 0; }
             int (*pf)(void) = f;
             static char zeros[1 << 20];
             char *use = zeros;
             struct { unsigned a : 3, b : 7; } bits = { 5, 100 };
             __int128 wide = ((__int128)7 << 70) + 1;
             long double ld = 1.0L;",
        );
        let bytes = |name: &str| program.global(name).initialiser.as_ref().unwrap().bytes.clone();
        let mut expected = vec![b'x'];
        expected.resize(16, 0);
        expected.extend(1.5f64.to_le_bytes());
        assert_eq!(bytes("s"), expected);
        assert_eq!(program.global("s").size, 24);
        assert_eq!(bytes("table"), [1, 0, 0, 0, 2]);
        assert_eq!(program.global("table").size, 16);
        assert_eq!(program.global("zeros").size, 1 << 20);
        assert!(bytes("zeros").is_empty());
        assert_eq!(bytes("bits"), [0x25, 0x03]);
        assert_eq!(bytes("wide"), [1, 0, 0, 0, 0, 0, 0, 0, 0xC0, 1]);
        assert_eq!(bytes("ld"), [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]);
        let relocation = &program.global("in_table").initialiser.as_ref().unwrap().relocations[0];
        assert!(matches!(program.constants[relocation.constant], Constant::Global { offset: 12, .. }));
        let relocation = &program.global("pf").initialiser.as_ref().unwrap().relocations[0];
        assert!(matches!(program.constants[relocation.constant], Constant::Function(_)));
    }
}

#[test]
fn constant_expressions_are_folded_as_far_as_addresses_allow() {
    let program = ll("
        @a = global [4 x i32] zeroinitializer
        @b = global i32 0
        @distance = global i64 sub (i64 ptrtoint (ptr @b to i64), i64 ptrtoint (ptr @a to i64))
        define ptr @f() { ret ptr getelementptr ({i32, [4 x i32]}, ptr @a, i64 1, i32 1, i64 2) }
        define ptr @null_plus() { ret ptr getelementptr (i32, ptr null, i64 3) }
        define i64 @back() { ret i64 ptrtoint (ptr inttoptr (i64 77 to ptr) to i64) }");
    assert!(program.text("f").contains("return @a+32"), "{}", program.text("f"));
    assert!(program.text("null_plus").contains("return ptr 12"), "{}", program.text("null_plus"));
    assert!(program.text("back").contains("return i64 77"), "{}", program.text("back"));
    let relocation = &program.global("distance").initialiser.as_ref().unwrap().relocations[0];
    assert!(matches!(program.constants[relocation.constant], Constant::Expression(_)));
}
