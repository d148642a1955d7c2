//! Compares every function, over special values, bit by bit with a program that the host's C compiler makes from calls to it.
#![allow(clippy::unwrap_used)]

use symcrete_expr::dag::Native;

use super::{Function, Kind, Parameter, function, functions};
use std::fmt::Write as _;
use std::process::Command;

const SINGLES: [u128; 22] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xc020_0000, // -2.5
    0x4060_0000, // 3.5
    0x4048_f5c3, // 3.14
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7fc1_2345, // a quiet NaN with a payload
    0xffa1_2345, // a signalling NaN with a sign and a payload
    0x4b00_0001, // 2^23 + 1
    0x5f00_0000, // 2^63
];

const DOUBLES: [u128; 24] = [
    0,
    0x8000_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0xc004_0000_0000_0000, // -2.5
    0x400c_0000_0000_0000, // 3.5
    0x4009_21fb_5444_2d18, // pi
    0x0000_0000_0000_0001,
    0x8000_0000_0000_0001,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0000,
    0x7ff8_1234_5678_9abc, // a quiet NaN with a payload
    0xfff4_1234_5678_9abc, // a signalling NaN with a sign and a payload
    0x4330_0000_0000_0001, // 2^52 + 1
    0x43e0_0000_0000_0000, // 2^63
    0xc08f_4000_0000_0000, // -1000
    0xc065_4000_0000_0000, // -170
];

const X87S: [u128; 23] = [
    0,
    0x8000_0000_0000_0000_0000,
    0x3fff_8000_0000_0000_0000,
    0xbfff_8000_0000_0000_0000,
    0x3ffe_8000_0000_0000_0000,
    0xc000_a000_0000_0000_0000, // -2.5
    0x4000_e000_0000_0000_0000, // 3.5
    0x4000_c90f_daa2_2168_c235, // pi
    0x0000_0000_0000_0000_0001,
    0x8000_0000_0000_0000_0001,
    0x0000_7fff_ffff_ffff_ffff,
    0x0001_8000_0000_0000_0000,
    0x7ffe_ffff_ffff_ffff_ffff,
    0xfffe_ffff_ffff_ffff_ffff,
    0x7fff_8000_0000_0000_0000,
    0xffff_8000_0000_0000_0000,
    0x7fff_c000_0000_0000_0000,
    0xffff_c000_0000_0000_0000,
    0x7fff_c123_4567_89ab_cdef, // a quiet NaN with a payload
    0xffff_a123_4567_89ab_cdef, // a signalling NaN with a sign and a payload
    0x403e_8000_0000_0000_0001, // 2^63 + 1
    0xc00c_fa00_0000_0000_0000, // -16000
    0x0000_8000_0000_0000_0001, // a pseudo-denormal
];

const INTS: [i32; 9] = [0, 1, -1, 3, 64, -1075, 1024, i32::MAX, i32::MIN];
/// Bessel functions take time in proportion to their order.
const ORDERS: [i32; 5] = [0, 1, -1, 3, 40];
const LONGS: [i64; 6] = [0, 1, -1, -20000, i64::MAX, i64::MIN];

fn values(function: &Function, kind: Kind) -> Vec<u128> {
    // Four numbers at once: fewer of each.
    let step = if function.name().starts_with("__symcrete_cpow") { 3 } else { 1 };
    all_values(function, kind).into_iter().step_by(step).collect()
}

fn all_values(function: &Function, kind: Kind) -> Vec<u128> {
    match kind {
        Kind::Single => SINGLES.to_vec(),
        Kind::Double => DOUBLES.to_vec(),
        Kind::X87 => X87S.to_vec(),
        Kind::Int if function.name().starts_with(['j', 'y']) => ORDERS.map(|value| value as u32 as u128).to_vec(),
        Kind::Int => INTS.map(|value| value as u32 as u128).to_vec(),
        Kind::Long | Kind::LongLong => LONGS.map(|value| value as u64 as u128).to_vec(),
    }
}

fn c_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Single => "float",
        Kind::Double => "double",
        Kind::X87 => "long double",
        Kind::Int => "int",
        Kind::Long => "long",
        Kind::LongLong => "long long",
    }
}

/// All combinations of arguments, the last parameter changing fastest; zero where a parameter is an output.
fn argument_lists(function: &Function) -> Vec<Vec<u128>> {
    let mut lists = vec![Vec::new()];
    for parameter in &function.signature().parameters {
        let choices = match *parameter {
            Parameter::Value(kind) | Parameter::Input(kind) => values(function, kind),
            Parameter::Output(_) | Parameter::Text => vec![0],
        };
        let extended = lists.iter().flat_map(|list| choices.iter().map(|&value| [list.as_slice(), &[value]].concat()));
        lists = extended.collect();
    }
    lists
}

/// A C function that calls `function` on all its argument lists and prints a line of results for each.
fn c_test(function: &Function, number: usize) -> String {
    let (name, signature) = (function.name(), function.signature());
    let (mut loops, mut loads, mut passed, mut prints) = (String::new(), String::new(), Vec::new(), String::new());
    for (index, parameter) in signature.parameters.iter().enumerate() {
        let (Parameter::Value(kind) | Parameter::Input(kind) | Parameter::Output(kind)) = *parameter else {
            panic!("{name} takes a string");
        };
        let (c_type, size) = (c_type(kind), kind.bits() / 8);
        writeln!(loads, "{c_type} p{index} = 0;").unwrap();
        if let Parameter::Output(_) = parameter {
            writeln!(prints, "show(&p{index}, {size});").unwrap();
        } else {
            let numbers = values(function, kind);
            let list: Vec<String> = numbers.iter().map(|v| format!("{{{:#x}, {:#x}}}", *v as u64, v >> 64)).collect();
            writeln!(loops, "static const unsigned long v{index}[][2] = {{{}}};", list.join(", ")).unwrap();
            writeln!(loops, "for (int i{index} = 0; i{index} < {}; i{index}++)", numbers.len()).unwrap();
            writeln!(loads, "memcpy(&p{index}, v{index}[i{index}], {size});").unwrap();
        }
        passed.push(format!("{}p{index}", if let Parameter::Value(_) = parameter { "" } else { "&" }));
    }
    // Declarations of arrays may not stand between nested loops without braces, so they come first.
    let (arrays, loops): (Vec<&str>, Vec<&str>) = loops.lines().partition(|line| line.starts_with("static"));
    let call = format!("{name}({})", passed.join(", "));
    let call = match signature.result {
        None => format!("errno = 0; {call}; int e = errno;"),
        Some(kind) => format!("errno = 0; {} r = {call}; int e = errno; show(&r, {});", c_type(kind), kind.bits() / 8),
    };
    let signgam = if signature.sets_signgam { "show(&signgam, 4);" } else { "" };
    format!(
        "static void test{number}(void) {{\n{}\n{} {{\n{loads}{call}\n{prints}{signgam} show(&e, 4); putchar('\\n');\n}}\n}}\n",
        arrays.join("\n"),
        loops.join("\n"),
    )
}

/// The C function that a complex function is listed as: on parts instead of complex numbers.
fn c_function_on_parts(function: &Function) -> Option<String> {
    let listed = function.name();
    let name = listed.strip_prefix("__symcrete_")?;
    let parameters = &function.signature().parameters;
    let Some(&Parameter::Value(kind)) = parameters.first() else { panic!("{listed} takes no number") };
    let t = c_type(kind);
    let numbers = parameters.iter().filter(|parameter| matches!(parameter, Parameter::Value(_))).count() / 2;
    let mut taken: Vec<String> = (0..numbers).map(|number| format!("{t} r{number}, {t} i{number}")).collect();
    let joined: String = (0..numbers)
        .map(|number| {
            format!("{t} _Complex z{number}; __real__ z{number} = r{number}; __imag__ z{number} = i{number};")
        })
        .collect();
    let passed: Vec<String> = (0..numbers).map(|number| format!("z{number}")).collect();
    let call = format!("{name}({})", passed.join(", "));
    let (result, give) = match function.signature().result {
        Some(_) => (t, format!("return {call};")),
        None => {
            taken.push(format!("{t} *real, {t} *imaginary"));
            ("void", format!("{t} _Complex z = {call}; *real = __real__ z; *imaginary = __imag__ z;"))
        }
    };
    Some(format!("static {result} {listed}({}) {{ {joined} {give} }}\n", taken.join(", ")))
}

fn hexadecimal(value: u128, bits: u32) -> String {
    format!("{value:0width$x}_", width = bits as usize / 4)
}

fn our_line(function: &Function, arguments: &[u128]) -> String {
    let outcome = function.call(arguments);
    let mut line = String::new();
    if let Some(kind) = function.signature().result {
        line += &hexadecimal(outcome.result, kind.bits());
    }
    let outputs = function.signature().parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Output(kind) => Some(kind),
        _ => None,
    });
    for (kind, value) in outputs.zip(outcome.outputs) {
        line += &hexadecimal(value, kind.bits());
    }
    if let Some(sign) = outcome.signgam {
        line += &hexadecimal(sign as u32 as u128, 32);
    }
    line + &hexadecimal(outcome.errno as u32 as u128, 32)
}

fn native_output(source: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let (source_path, program) = (directory.path().join("test.c"), directory.path().join("test"));
    std::fs::write(&source_path, source).unwrap();
    let compile = |compiler: &str| {
        let mut command = Command::new(compiler);
        command.args(["-O0", "-fno-builtin", "-w", "-o"]).arg(&program).arg(&source_path).arg("-lm").status()
    };
    let status = compile("clang").or_else(|_| compile("cc")).unwrap();
    assert!(status.success(), "the generated program does not compile");
    String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap()
}

#[test]
fn every_function_has_the_bits_of_a_native_program() {
    let tested: Vec<&Function> =
        functions().filter(|function| !function.signature().parameters.contains(&Parameter::Text)).collect();
    assert!(tested.len() > 200, "only {} functions", tested.len());
    let mut source = String::from(
        "#define _GNU_SOURCE\n#define __STDC_WANT_IEC_60559_BFP_EXT_C2X__ 1\n\
         #include <complex.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\
         static void show(const void *value, int size) {\n\
             const unsigned char *bytes = value;\n\
             while (size--) printf(\"%02x\", bytes[size]);\n\
             putchar('_');\n}\n",
    );
    for (number, function) in tested.iter().enumerate() {
        source += &c_function_on_parts(function).unwrap_or_default();
        source += &c_test(function, number);
    }
    source += "int main(void) {\n";
    for number in 0..tested.len() {
        writeln!(source, "test{number}();").unwrap();
    }
    source += "}\n";
    let output = native_output(&source);
    let mut lines = output.lines();
    let mut differences = Vec::new();
    for function in tested {
        for arguments in argument_lists(function) {
            let (native, ours) = (lines.next().unwrap(), our_line(function, &arguments));
            if native != ours {
                differences.push(format!("{}({arguments:x?}): native {native}, ours {ours}", function.name()));
            }
        }
    }
    assert_eq!(lines.next(), None);
    differences.truncate(40);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn nan_reads_its_text() {
    let nan = function("nan").unwrap();
    assert_eq!(nan.signature().parameters, [Parameter::Text]);
    assert_eq!(nan.call_with_text(b"").result, 0x7ff8_0000_0000_0000);
    assert_eq!(nan.call_with_text(b"0x1234").result, 0x7ff8_0000_0000_1234);
    assert_eq!(nan.call_with_text(b"0x12\x0034").result, 0x7ff8_0000_0000_0012);
    assert_eq!(function("nanf").unwrap().call_with_text(b"5").result, 0x7fc0_0005);
    // Without its text, the function sees the empty string, and never the number as an address.
    assert_eq!(nan.call(&[0xdead_beef]).result, 0x7ff8_0000_0000_0000);
}

#[test]
fn errno_and_signgam_are_reported() {
    let log = function("log").unwrap();
    assert_eq!(log.call(&[0xbff0_0000_0000_0000]).errno, libc::EDOM);
    assert_eq!(log.call(&[0]).errno, libc::ERANGE);
    assert_eq!(log.call(&[0x3ff0_0000_0000_0000]).errno, 0);
    let minus_half = 0xbfe0_0000_0000_0000;
    assert_eq!(function("lgamma").unwrap().call(&[minus_half]).signgam, Some(-1));
    assert_eq!(function("sin").unwrap().call(&[minus_half]).signgam, None);
    assert_eq!(function("lgamma_r").unwrap().call(&[minus_half, 0]).outputs[0], u32::MAX as u128);
}

#[test]
fn aliases_mean_the_function_they_stand_for() {
    let pairs = [
        ("__exp_finite", "exp"),
        ("__lgammaf_r_finite", "lgammaf_r"),
        ("pow10f", "exp10f"),
        ("sinf64", "sin"),
        ("sinf32", "sinf"),
        ("cosf64x", "cosl"),
        ("lgammaf64_r", "lgamma_r"),
    ];
    for (alias, name) in pairs {
        assert_eq!(function(alias).map(Function::name), Some(name), "{alias}");
    }
    for unknown in ["", "f32", "printf", "__finite", "pow10x"] {
        assert!(function(unknown).is_none(), "{unknown}");
    }
}

/// A Rust binary has functions of its own under the names of some; they do not always round as the library's do.
#[test]
fn functions_without_their_shims_are_the_same() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut checked = 0;
    for function in functions() {
        let Some(native) = function.direct() else { continue };
        let singles: Vec<u32> =
            SINGLES.iter().map(|bits| *bits as u32).chain((0..200).map(|_| random() as u32)).collect();
        let doubles: Vec<u64> = DOUBLES.iter().map(|bits| *bits as u64).chain((0..200).map(|_| random())).collect();
        // Numbers of ordinary size, where functions are not just infinite or 0.
        let singles = singles.iter().copied().chain((0..200).map(|at| (at as f32 * 0.37 - 30.0).to_bits()));
        let doubles = doubles.iter().copied().chain((0..200).map(|at| (f64::from(at) * 0.37 - 30.0).to_bits()));
        let (singles, doubles): (Vec<u32>, Vec<u64>) = (singles.collect(), doubles.collect());
        let same = |given: &[u128], bits: u128| {
            assert_eq!(function.call(given).result, bits, "{} of {given:x?}", function.name());
        };
        for (at, (single, double)) in singles.iter().zip(&doubles).enumerate() {
            let (other_single, other_double) = (singles[at * 7 % singles.len()], doubles[at * 7 % doubles.len()]);
            let (x, y) = (f32::from_bits(*single), f32::from_bits(other_single));
            let (v, w) = (f64::from_bits(*double), f64::from_bits(other_double));
            let (single, double) = (u128::from(*single), u128::from(*double));
            match native {
                Native::Double1(call) => same(&[double], u128::from(call(v).to_bits())),
                Native::Double2(call) => same(&[double, u128::from(other_double)], u128::from(call(v, w).to_bits())),
                Native::Single1(call) => same(&[single], u128::from(call(x).to_bits())),
                Native::Single2(call) => same(&[single, u128::from(other_single)], u128::from(call(x, y).to_bits())),
            }
            checked += 1;
        }
    }
    assert!(checked > 20_000, "{checked}");
}
