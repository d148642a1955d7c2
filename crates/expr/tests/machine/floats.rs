//! Arithmetic, comparison, rounding and choice of floats.

use symcrete_expr::FloatKind;
use symcrete_expr::float::{self, convert};

use crate::harness::{Case, Operands, check};
use crate::operands::{Random, contradictory_x87, floats, pairs, singles, triples};

pub fn llvm_type(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "bfloat",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
        FloatKind::X87 => "x86_fp80",
        FloatKind::Quad => "fp128",
    }
}

/// How intrinsics spell the type.
pub fn suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "f16",
        FloatKind::BFloat => "bf16",
        FloatKind::Single => "f32",
        FloatKind::Double => "f64",
        FloatKind::X87 => "f80",
        FloatKind::Quad => "f128",
    }
}

type Unary = fn(FloatKind, u128) -> u128;
type Binary = fn(FloatKind, u128, u128) -> u128;

fn values(kind: FloatKind) -> Vec<u128> {
    floats(kind, &mut Random::new(11))
}

/// For what the processor does; the C library is not careful with contradictory patterns.
fn all_values(kind: FloatKind) -> Vec<u128> {
    let mut values = values(kind);
    if kind == FloatKind::X87 {
        values.extend(contradictory_x87());
    }
    values
}

fn instruction(kind: FloatKind, opcode: &str, operation: Binary, operands: Vec<Operands>) -> Case {
    let name = llvm_type(kind);
    Case {
        name: format!("{opcode} {name}"),
        result: name.to_string(),
        arguments: vec![name.to_string(); 2],
        body: format!("%r = {opcode} {name} %a, %b"),
        declarations: vec![],
        operands,
        ours: Box::new(move |[a, b, _]| operation(kind, a, b)),
    }
}

fn intrinsic(
    kind: FloatKind,
    name: &str,
    arity: usize,
    operands: Vec<Operands>,
    ours: Box<dyn Fn(Operands) -> u128>,
) -> Case {
    let kind_name = llvm_type(kind);
    let function = format!("@llvm.{name}.{}", suffix(kind));
    let actual: Vec<String> = ["%a", "%b", "%c"][..arity].iter().map(|value| format!("{kind_name} {value}")).collect();
    Case {
        name: format!("{name} {kind_name}"),
        result: kind_name.to_string(),
        arguments: vec![kind_name.to_string(); arity],
        body: format!("%r = call {kind_name} {function}({})", actual.join(", ")),
        declarations: vec![format!("{kind_name} {function}({})", vec![kind_name; arity].join(", "))],
        operands,
        ours,
    }
}

fn arithmetic(kind: FloatKind, limit: usize) -> Vec<Case> {
    let mut random = Random::new(1);
    let values = all_values(kind);
    let operations: [(&str, Binary); 5] =
        [("fadd", float::add), ("fsub", float::sub), ("fmul", float::mul), ("fdiv", float::div), ("frem", float::rem)];
    let mut cases: Vec<Case> = operations
        .into_iter()
        .map(|(opcode, operation)| instruction(kind, opcode, operation, pairs(&values, &values, limit, &mut random)))
        .collect();
    let name = llvm_type(kind);
    cases.push(Case {
        name: format!("fneg {name}"),
        result: name.to_string(),
        arguments: vec![name.to_string()],
        body: format!("%r = fneg {name} %a"),
        declarations: vec![],
        operands: singles(&values),
        ours: Box::new(move |[a, ..]| float::neg(kind, a)),
    });
    cases
}

fn comparisons(kind: FloatKind, limit: usize) -> Vec<Case> {
    const PREDICATES: [&str; 16] = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
        "true",
    ];
    let values = all_values(kind);
    let name = llvm_type(kind);
    (0u8..16)
        .map(|predicate| Case {
            name: format!("fcmp {} {name}", PREDICATES[usize::from(predicate)]),
            result: "i1".to_string(),
            arguments: vec![name.to_string(); 2],
            body: format!("%r = fcmp {} {name} %a, %b", PREDICATES[usize::from(predicate)]),
            declarations: vec![],
            operands: pairs(&values, &values, limit, &mut Random::new(u64::from(predicate))),
            ours: Box::new(move |[a, b, _]| float::compare(kind, predicate, a, b).into()),
        })
        .collect()
}

fn functions(kind: FloatKind, limit: usize) -> Vec<Case> {
    let mut random = Random::new(2);
    let values = values(kind);
    let unary: [(&str, Unary); 8] = [
        ("sqrt", float::sqrt),
        ("floor", float::floor),
        ("ceil", float::ceil),
        ("trunc", float::trunc),
        ("round", float::round),
        ("rint", float::roundeven),
        ("nearbyint", float::roundeven),
        ("fabs", float::abs),
    ];
    let mut cases = Vec::new();
    for (name, operation) in unary {
        cases.push(intrinsic(kind, name, 1, singles(&values), Box::new(move |[a, ..]| operation(kind, a))));
    }
    let binary: [(&str, Binary); 3] =
        [("copysign", float::copysign), ("minnum", float::minnum), ("maxnum", float::maxnum)];
    for (name, operation) in binary {
        let operands = pairs(&values, &values, limit, &mut random);
        cases.push(intrinsic(kind, name, 2, operands, Box::new(move |[a, b, _]| operation(kind, a, b))));
    }
    let mut operands = triples(&values, limit, &mut random);
    if !is_x86_feature_detected!("fma") {
        // Without the instruction the library computes in steps, and these choose another NaN.
        operands.retain(|&[a, b, c]| !kind.is_nan(float::fma(kind, a, b, c)));
    }
    if kind == FloatKind::Half {
        // Compilers round through single or through double precision, by their version.
        let by_single = |operand| convert::convert(FloatKind::Half, FloatKind::Single, operand);
        operands.retain(|&[a, b, c]| {
            let single = float::fma(FloatKind::Single, by_single(a), by_single(b), by_single(c));
            convert::convert(FloatKind::Single, FloatKind::Half, single) == float::fma(kind, a, b, c)
        });
    }
    cases.push(intrinsic(kind, "fma", 3, operands, Box::new(move |[a, b, c]| float::fma(kind, a, b, c))));
    cases
}

fn all(kind: FloatKind) -> Vec<Case> {
    let mut cases = arithmetic(kind, 8000);
    cases.extend(comparisons(kind, 1500));
    cases.extend(functions(kind, 8000));
    if kind == FloatKind::Half {
        // Some compilers compute even the sign in single precision, which makes signalling NaNs quiet.
        for case in cases.iter_mut().filter(|case| ["fneg half", "fabs half"].contains(&case.name.as_str())) {
            case.operands.retain(|&[a, ..]| kind.class(a) != float::Class::SignallingNan);
        }
    }
    cases
}

#[test]
fn single() {
    check("single", all(FloatKind::Single));
}

#[test]
fn double() {
    check("double", all(FloatKind::Double));
}

#[test]
fn x87() {
    check("x87", all(FloatKind::X87));
}

#[test]
fn quad() {
    let mut cases = arithmetic(FloatKind::Quad, 5000);
    // Libraries of this age have no remainder for quads under the name that the compiler uses.
    cases.retain(|case| !case.name.starts_with("frem"));
    cases.extend(comparisons(FloatKind::Quad, 1500));
    check("quad", cases);
}

/// Functions of the C library that are called by name.
fn library(kind: FloatKind, ending: &str) -> Vec<Case> {
    let mut random = Random::new(12);
    let values = values(kind);
    let name = llvm_type(kind);
    let case = |function: String, second: &str, operands: Vec<Operands>, ours: Box<dyn Fn(Operands) -> u128>| Case {
        name: function.clone(),
        result: name.to_string(),
        arguments: vec![name.to_string(), second.to_string()],
        body: format!("%r = call {name} @{function}({name} %a, {second} %b)"),
        declarations: vec![format!("{name} @{function}({name}, {second})")],
        operands,
        ours,
    };
    let exponents: Vec<u128> = [0, 1, 5, 24, 60, 130, 1000, 1074, 2000, 16000, 40000, i32::MAX, i32::MIN]
        .iter()
        .flat_map(|&exponent: &i32| [exponent, exponent.wrapping_neg()])
        .map(|exponent| (exponent as u32).into())
        .collect();
    let scale = Box::new(move |[a, b, _]: Operands| convert::ldexp(kind, a, b as u32 as i32));
    let mut cases = vec![case(format!("ldexp{ending}"), "i32", pairs(&values, &exponents, 4000, &mut random), scale)];
    if kind.is_word() {
        let least = Box::new(move |[a, b, _]: Operands| float::word::fmin(kind, a as u64, b as u64).into());
        cases.push(case(format!("fmin{ending}"), name, pairs(&values, &values, 8000, &mut random), least));
        let greatest = Box::new(move |[a, b, _]: Operands| float::word::fmax(kind, a as u64, b as u64).into());
        cases.push(case(format!("fmax{ending}"), name, pairs(&values, &values, 8000, &mut random), greatest));
    }
    cases
}

#[test]
fn called_by_name() {
    let mut cases = library(FloatKind::Single, "f");
    cases.extend(library(FloatKind::Double, ""));
    cases.extend(library(FloatKind::X87, "l"));
    check("called-by-name", cases);
}

/// What older compilers do not know.
fn recent_functions(kind: FloatKind) -> Vec<Case> {
    let mut random = Random::new(3);
    let values = values(kind);
    let mut cases = Vec::new();
    let binary: [(&str, Binary); 2] = [("minimum", float::minimum), ("maximum", float::maximum)];
    for (name, operation) in binary {
        let operands = pairs(&values, &values, 8000, &mut random);
        cases.push(intrinsic(kind, name, 2, operands, Box::new(move |[a, b, _]| operation(kind, a, b))));
    }
    let ours = Box::new(move |[a, ..]: Operands| float::roundeven(kind, a));
    cases.push(intrinsic(kind, "roundeven", 1, singles(&values), ours));
    cases
}

fn classes(kind: FloatKind) -> Vec<Case> {
    let name = llvm_type(kind);
    let function = format!("@llvm.is.fpclass.{}", suffix(kind));
    (0..10)
        .map(|bit| 1u32 << bit)
        .chain([3, 0x204, 0x108, 0x90, 0x60, 0x3fc])
        .map(|mask| Case {
            name: format!("is.fpclass {mask:#x} {name}"),
            result: "i1".to_string(),
            arguments: vec![name.to_string()],
            body: format!("%r = call i1 {function}({name} %a, i32 {mask})"),
            declarations: vec![format!("i1 {function}({name}, i32 immarg)")],
            operands: singles(&values(kind)),
            ours: Box::new(move |[a, ..]| kind.is_class(a, mask).into()),
        })
        .collect()
}

#[test]
fn recent() {
    for kind in [FloatKind::Single, FloatKind::Double, FloatKind::Half] {
        check(&format!("recent-{kind:?}"), recent_functions(kind));
        check(&format!("classes-{kind:?}"), classes(kind));
    }
    check("classes-X87", classes(FloatKind::X87));
}

#[test]
fn half() {
    check("half", all(FloatKind::Half));
}
