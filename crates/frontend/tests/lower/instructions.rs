//! What single instructions, calls, intrinsics and terminators become.

use symcrete_ir::{Callee, Inst, Intrinsic, Terminator, Type};

use crate::tools::{Look, assert_lines, c, compile, extremes, ll, newest, try_load, unsupported, version};

#[test]
fn address_arithmetic_is_folded() {
    let program = ll("
        %s = type { i32, [10 x { i16, i64 }] }
        define ptr @field(ptr %p, i64 %i, i32 %j) {
          %a = getelementptr %s, ptr %p, i64 %i, i32 1, i32 %j, i32 1
          ret ptr %a
        }
        define ptr @same(ptr %p) { %a = getelementptr %s, ptr %p, i64 0, i32 0 ret ptr %a }
        define ptr @negative(ptr %p) { %a = getelementptr i32, ptr %p, i8 -3 ret ptr %a }
        define ptr @far(ptr %p) { %a = getelementptr i8, ptr %p, i64 5000000000 ret ptr %a }");
    assert_lines(
        &program,
        "field",
        &["bb0(r0: ptr, r1: i64, r2: i32):", "r3 = address r0 + 16 + 168 * i64 r1 + 16 * i32 r2", "return r3"],
    );
    assert_lines(&program, "same", &["bb0(r0: ptr):", "return r0"]);
    assert_lines(&program, "negative", &["bb0(r0: ptr):", "r1 = address r0 + -12", "return r1"]);
    assert_lines(&program, "far", &["bb0(r0: ptr):", "r1 = address r0 + 1 * i64 5000000000", "return r1"]);
}

#[test]
fn arguments_by_value_and_variable_arguments() {
    for clang in extremes() {
        let program = c(
            clang,
            "struct big { int x[20]; };
             int use(int a, struct big b) { return b.x[a]; }
             int sum(int n, ...);
             int call(struct big *p) { return use(1, *p) + sum(2, 3, 4L); }",
        );
        let params = &program.function("use").params;
        assert_eq!((params[0].by_value, params[1].by_value), (None, Some(80)));
        let calls: Vec<_> = program.body("call").calls.values().collect();
        let by_value = calls.iter().find(|call| !call.by_value.is_empty()).unwrap();
        assert_eq!(by_value.by_value, [(1, 80, 8)]);
        let is_variadic = |callee: &Callee| matches!(callee, Callee::Direct(id) if program.functions[*id].variadic);
        let variadic = calls.iter().find(|call| is_variadic(&call.callee)).unwrap();
        assert_eq!(variadic.fixed_args, 1);
        assert_eq!(variadic.arg_types, [Type::I32, Type::I32, Type::I64]);
        assert!(program.function("sum").variadic && program.function("sum").body.is_none());
    }
}

#[test]
fn switches_are_sorted() {
    let program = c(
        extremes()[0],
        "int f(int x) { switch (x) { case 5: return 1; case -3: case 1: return 2; default: return 3; } }",
    );
    let body = program.body("f");
    let table = body.switches.values().next().unwrap();
    assert_eq!(table.cases.iter().map(|case| case.0).collect::<Vec<_>>(), [1, 5, 0xffff_fffd]);
    // Two cases with one target are two edges: each is a side of the branch.
    assert_ne!(table.cases[0].1, table.cases[2].1);
}

#[test]
fn phis_become_edge_arguments() {
    let program = ll("
        define i32 @f(i32 %n) {
        entry:
          br label %loop
        loop:
          %a = phi i32 [ 0, %entry ], [ %b, %loop ]
          %b = phi i32 [ 1, %entry ], [ %a, %loop ]
          %i = phi i32 [ 0, %entry ], [ %j, %loop ]
          %j = add i32 %i, 1
          %c = icmp eq i32 %j, %n
          br i1 %c, label %done, label %loop
        done:
          ret i32 %a
        }");
    assert_lines(
        &program,
        "f",
        &[
            "bb0(r0: i32):",
            "jump bb1(i32 0, i32 1, i32 0)",
            "bb1(r1: i32, r2: i32, r3: i32):",
            "r4 = add i32 r3, i32 1",
            "r5 = icmp eq i32 r4, r0",
            "branch r5, bb2, bb1(r2, r1, r4)",
            "bb2:",
            "return r1",
        ],
    );
    let body = program.body("f");
    assert_eq!(body.edges.values().map(|edge| edge.overlaps).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn blocks_may_stand_before_those_that_dominate_them() {
    let program = ll("
        define i32 @f(i32 %x) {
        entry:
          br label %second
        first:
          ret i32 %y
        second:
          %y = add i32 %x, 1
          br label %first
        nowhere:
          %z = add i32 %z, %w
          br label %later
        later:
          %w = mul i32 %z, 2
          br label %nowhere
        }");
    assert!(program.text("f").contains("return r1"), "{}", program.text("f"));
}

#[test]
fn computed_jumps_know_their_blocks() {
    for clang in extremes() {
        let program =
            c(clang, "int f(int x) { static void *to[] = { &&a, &&b }; goto *to[x]; a: return 1; b: return 2; }");
        let body = program.body("f");
        let jump = body.blocks.values().find_map(|block| match &block.terminator {
            Terminator::IndirectJump { targets, .. } => Some(targets),
            _ => None,
        });
        assert_eq!(jump.unwrap().len(), 2);
        assert_eq!(program.global("f.to").initialiser.as_ref().unwrap().relocations.len(), 2);
    }
}

#[test]
fn calls_that_return_twice_are_noted() {
    for clang in extremes() {
        let program = c(
            clang,
            "#include <setjmp.h>
             jmp_buf buffer; int f(void) { return setjmp(buffer); } int g(void) { return f(); }",
        );
        assert!(program.body("f").calls_returns_twice);
        assert!(!program.body("g").calls_returns_twice);
    }
}

#[test]
fn atomics_are_plain_operations() {
    let program = ll("
        define {i32, i1} @exchange(ptr %p, i32 %a, i32 %b) {
          %r = cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst
          fence seq_cst
          ret {i32, i1} %r
        }
        define i32 @nand(ptr %p, i32 %x) { %r = atomicrmw nand ptr %p, i32 %x seq_cst ret i32 %r }
        define float @add(ptr %p, float %x) { %r = atomicrmw fadd ptr %p, float %x seq_cst ret float %r }");
    assert_lines(
        &program,
        "exchange",
        &[
            "bb0(r0: ptr, r1: i32, r2: i32):",
            "r3 = load i32 from r0",
            "r4 = icmp eq i32 r3, r1",
            "r5 = select i32 r4, r2, r3",
            "store i32 r5 to r0",
            "return r3, r4",
        ],
    );
    assert!(program.text("nand").contains("xor i32 r3, i32 -1"), "{}", program.text("nand"));
    assert!(program.text("add").contains("fadd float"), "{}", program.text("add"));
}

#[test]
fn atomic_counters_wrap() {
    if version(newest()) < 17 {
        eprintln!("skipped: `atomicrmw udec_wrap` needs clang 17 or newer");
        return;
    }
    let program = ll("define i32 @wrap(ptr %p, i32 %x) { %r = atomicrmw udec_wrap ptr %p, i32 %x seq_cst ret i32 %r }");
    assert!(program.text("wrap").contains("icmp ugt"), "{}", program.text("wrap"));
}

fn intrinsics(program: &symcrete_ir::Program, name: &str) -> Vec<(Intrinsic, Type)> {
    let calls = program.body(name).calls.values();
    calls
        .filter_map(|call| match call.callee {
            Callee::Intrinsic(intrinsic, ty) => Some((intrinsic, ty)),
            _ => None,
        })
        .collect()
}

#[test]
fn intrinsics_become_an_enum() {
    let program = ll("
        declare {<2 x i32>, <2 x i1>} @llvm.sadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)
        declare i64 @llvm.ctlz.i64(i64, i1)
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        declare double @llvm.fmuladd.f64(double, double, double)
        declare i32 @llvm.fptosi.sat.i32.f64(double)
        declare i32 @llvm.vector.reduce.smax.v3i32(<3 x i32>)
        declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
        define {<2 x i32>, <2 x i1>} @overflow(<2 x i32> %a) {
          %r = call {<2 x i32>, <2 x i1>} @llvm.sadd.with.overflow.v2i32(<2 x i32> %a, <2 x i32> %a)
          ret {<2 x i32>, <2 x i1>} %r
        }
        define i64 @zeros(i64 %x) { %r = call i64 @llvm.ctlz.i64(i64 %x, i1 false) ret i64 %r }
        define void @copy(ptr %a, ptr %b) { call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 8, i1 false) ret void }
        define void @observed(ptr %a, ptr %b) { call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 8, i1 true) ret void }
        define double @muladd(double %a) {
          %r = call double @llvm.fmuladd.f64(double %a, double %a, double 1.0) ret double %r
        }
        define i32 @saturate(double %a) { %r = call i32 @llvm.fptosi.sat.i32.f64(double %a) ret i32 %r }
        define i32 @largest(<3 x i32> %a) { %r = call i32 @llvm.vector.reduce.smax.v3i32(<3 x i32> %a) ret i32 %r }
        define i64 @size(ptr %p) {
          %r = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false) ret i64 %r
        }");
    assert_eq!(intrinsics(&program, "overflow"), [(Intrinsic::AddOverflowSigned, Type::I32); 2]);
    assert!(program.text("overflow").contains("return r2, r4, r3, r5"), "{}", program.text("overflow"));
    assert_eq!(intrinsics(&program, "zeros"), [(Intrinsic::LeadingZeros, Type::I64)]);
    assert_eq!(intrinsics(&program, "copy"), [(Intrinsic::MemoryCopy, Type::I64)]);
    let arguments = |name: &str| program.body(name).calls.values().next().unwrap().args.len();
    assert_eq!((arguments("copy"), arguments("observed")), (3, 4), "that it is volatile is the fourth");
    assert!(program.text("muladd").contains("r1 = fmul double r0, r0\nr2 = fadd double r1, double 1.0"));
    assert_eq!(intrinsics(&program, "saturate"), [(Intrinsic::FloatToSignedSaturating, Type::DOUBLE)]);
    assert_eq!(program.text("largest").matches("icmp sgt").count(), 2);
    assert!(program.text("size").contains("return i64 -1"));
}

#[test]
fn products_are_fused_only_where_the_processor_can() {
    let source = "double f(double a, double b, double c) { return a * b + c; }";
    for clang in extremes() {
        let intrinsics = |flags: &[&str]| {
            let program = try_load(&[("a.c", &compile(clang, "c", source, flags), false)]).unwrap();
            intrinsics(&program, "f")
        };
        assert_eq!(intrinsics(&["-O0", "-ffp-contract=on"]), []);
        let fused = intrinsics(&["-O0", "-ffp-contract=on", "-mfma"]);
        assert_eq!(fused, [(Intrinsic::FusedMultiplyAdd, Type::DOUBLE)]);
    }
}

#[test]
fn masked_accesses_with_a_known_mask_are_single_ones() {
    let program = ll("
        declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
        declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
        define void @known(ptr %p) {
          %v = call <4 x i32> @llvm.masked.load.v4i32.p0(
            ptr %p, i32 4, <4 x i1> <i1 1, i1 0, i1 0, i1 1>, <4 x i32> zeroinitializer)
          call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 0, i1 1, i1 0, i1 1>)
          ret void
        }
        define void @unknown(ptr %p, <4 x i32> %v, <4 x i1> %m) {
          call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> %m)
          ret void
        }");
    assert_lines(
        &program,
        "known",
        &[
            "bb0(r0: ptr):",
            "r1 = load i32 from r0",
            "r2 = address r0 + 12",
            "r3 = load i32 from r2",
            "r4 = address r0 + 4",
            "store i32 0 to r4",
            "r5 = address r0 + 12",
            "store i32 r3 to r5",
            "return",
        ],
    );
    assert_eq!(unsupported(program.body("unknown")), ["the intrinsic llvm.masked.store.v4i32.p0"]);
}

#[test]
fn libm_is_called_by_its_names() {
    let program = ll("
        declare <2 x float> @llvm.sin.v2f32(<2 x float>)
        declare x86_fp80 @llvm.pow.f80(x86_fp80, x86_fp80)
        declare {double, i32} @llvm.frexp.f64.i32(double)
        declare double @llvm.powi.f64.i32(double, i32)
        define <2 x float> @a(<2 x float> %x) { %r = call <2 x float> @llvm.sin.v2f32(<2 x float> %x) ret <2 x float> %r }
        define x86_fp80 @b(x86_fp80 %x) { %r = call x86_fp80 @llvm.pow.f80(x86_fp80 %x, x86_fp80 %x) ret x86_fp80 %r }
        define {double, i32} @c(double %x) {
          %r = call {double, i32} @llvm.frexp.f64.i32(double %x) ret {double, i32} %r
        }
        define double @cube(double %x) { %r = call double @llvm.powi.f64.i32(double %x, i32 -3) ret double %r }
        define double @power(double %x, i32 %n) { %r = call double @llvm.powi.f64.i32(double %x, i32 %n) ret double %r }");
    assert_eq!(program.text("a").matches("call @sinf(").count(), 2);
    assert!(program.text("b").contains("call @powl("));
    assert!(program.text("c").contains("call @frexp(double r0, ptr r1)"), "{}", program.text("c"));
    assert!(matches!(program.body("c").blocks[symcrete_ir::Block::ENTRY].insts[0], Inst::Alloca { .. }));
    let cube = program.text("cube");
    assert_eq!((cube.matches("fmul").count(), cube.matches("fdiv").count()), (3, 1), "{cube}");
    assert!(program.text("power").contains("call @__powidf2("));
}

#[test]
fn what_cannot_be_executed_ends_only_the_path() {
    let program = ll("
        declare i32 @llvm.x86.sse42.crc32.32.8(i32, i8)
        define i32 @intrinsic(i32 %a, i8 %b) { %r = call i32 @llvm.x86.sse42.crc32.32.8(i32 %a, i8 %b) ret i32 %r }
        define i32 @assembly() { %r = call i32 asm \"cpuid\", \"=r\"() ret i32 %r }
        define i32 @segment() { %r = load i32, ptr addrspace(257) null ret i32 %r }
        define void @wide(i128 %x) {
          switch i128 %x, label %a [ i128 1, label %b ]
        a: ret void
        b: ret void
        }");
    assert_eq!(unsupported(program.body("intrinsic")), ["the intrinsic llvm.x86.sse42.crc32.32.8"]);
    assert_eq!(unsupported(program.body("assembly")), ["inline assembly `cpuid`"]);
    assert_eq!(unsupported(program.body("segment")), ["memory addressed by the register fs"]);
    let wide = program.body("wide").blocks[symcrete_ir::Block::ENTRY].terminator.clone();
    assert!(matches!(wide, Terminator::Unsupported { successors, .. } if successors.len() == 2));
}

#[test]
fn empty_assembly_hides_values() {
    for clang in extremes() {
        let program = c(
            clang,
            "int f(int x) { __asm__ volatile(\"\" ::: \"memory\"); __asm__(\"\" : \"=r\"(x) : \"0\"(x)); return x; }",
        );
        assert!(program.body("f").calls.is_empty());
        assert!(!program.text("f").contains("undef"), "{}", program.text("f"));
    }
}

#[test]
fn exceptions_keep_their_edges() {
    let program = ll("
        declare i32 @may_throw()
        declare i32 @personality(...)
        declare void @llvm.donothing()
        define i32 @f() personality ptr @personality {
          %r = invoke i32 @may_throw() to label %ok unwind label %bad
        ok:
          invoke void @llvm.donothing() to label %fine unwind label %bad
        fine:
          ret i32 %r
        bad:
          %x = phi i32 [ 1, %0 ], [ 2, %ok ]
          %e = landingpad { ptr, i32 } cleanup
          resume { ptr, i32 } %e
        }");
    let text = program.text("f");
    assert!(text.contains("invoke @may_throw()"), "{text}");
    assert!(text.contains("bb1:\njump bb2"), "{text}");
    assert_eq!(unsupported(program.body("f")), ["the handling of an exception"]);
}
