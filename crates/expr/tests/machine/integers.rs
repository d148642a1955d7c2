//! Integer operations: of words, and of 128 bits.

use symcrete_expr::{Bits, word};

use crate::harness::{Case, Operands, check};
use crate::operands::{Random, integers, mask, pairs, singles, triples};

const WORD_WIDTHS: [u32; 9] = [7, 8, 16, 24, 31, 32, 40, 63, 64];
const WIDE_WIDTHS: [u32; 2] = [100, 128];

type Word = fn(u32, u64, u64) -> u64;
type Wide = fn(&Bits, &Bits) -> Bits;

/// Opcodes with both of our implementations. Division is apart.
const INSTRUCTIONS: [(&str, Word, Wide); 9] = [
    ("add", word::add, Bits::add),
    ("sub", word::sub, Bits::sub),
    ("mul", word::mul, Bits::mul),
    ("and", |_, a, b| a & b, Bits::and),
    ("or", |_, a, b| a | b, Bits::or),
    ("xor", |_, a, b| a ^ b, Bits::xor),
    ("shl", word::shl, Bits::machine_shl),
    ("lshr", word::lshr, Bits::machine_lshr),
    ("ashr", word::ashr, Bits::machine_ashr),
];

type WordDivision = fn(u32, u64, u64) -> Option<u64>;
type WideDivision = fn(&Bits, &Bits) -> Option<Bits>;

const DIVISIONS: [(&str, WordDivision, WideDivision); 4] = [
    ("udiv", word::udiv, Bits::udiv),
    ("urem", word::urem, Bits::urem),
    ("sdiv", word::sdiv, Bits::sdiv),
    ("srem", word::srem, Bits::srem),
];

const INTRINSICS: [(&str, Word, Wide); 8] = [
    ("smin", word::min_signed, Bits::min_signed),
    ("smax", word::max_signed, Bits::max_signed),
    ("umin", |_, a, b| word::min_unsigned(a, b), Bits::min_unsigned),
    ("umax", |_, a, b| word::max_unsigned(a, b), Bits::max_unsigned),
    ("sadd.sat", word::add_saturate_signed, Bits::add_saturate_signed),
    ("uadd.sat", word::add_saturate_unsigned, Bits::add_saturate_unsigned),
    ("ssub.sat", word::sub_saturate_signed, Bits::sub_saturate_signed),
    ("usub.sat", word::sub_saturate_unsigned, Bits::sub_saturate_unsigned),
];

type WordFlagged = fn(u32, u64, u64) -> (u64, bool);
type WideFlagged = fn(&Bits, &Bits) -> (Bits, bool);

const FLAGGED: [(&str, WordFlagged, WideFlagged); 6] = [
    ("sadd", word::add_overflow_signed, Bits::add_overflow_signed),
    ("uadd", word::add_overflow_unsigned, Bits::add_overflow_unsigned),
    ("ssub", word::sub_overflow_signed, Bits::sub_overflow_signed),
    ("usub", word::sub_overflow_unsigned, Bits::sub_overflow_unsigned),
    ("smul", word::mul_overflow_signed, Bits::mul_overflow_signed),
    ("umul", word::mul_overflow_unsigned, Bits::mul_overflow_unsigned),
];

const PREDICATES: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];

fn wide(width: u32, value: u128) -> Bits {
    Bits::from_u128(width, value)
}

/// Ours for the width: by words up to 64 bits, by `Bits` beyond.
fn by_width(width: u32, on_words: Word, on_bits: Wide) -> Box<dyn Fn(Operands) -> u128> {
    Box::new(move |[a, b, _]| match width {
        ..=64 => on_words(width, a as u64, b as u64).into(),
        _ => on_bits(&wide(width, a), &wide(width, b)).low_u128(),
    })
}

fn case(name: String, width: u32, body: String, operands: Vec<Operands>, ours: Box<dyn Fn(Operands) -> u128>) -> Case {
    let integer = format!("i{width}");
    Case { name, result: integer.clone(), arguments: vec![integer; 2], body, declarations: vec![], operands, ours }
}

fn instructions(width: u32, values: &[u128], random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for (opcode, on_words, on_bits) in INSTRUCTIONS {
        let mut operands = pairs(values, values, 2000, random);
        if ["shl", "lshr", "ashr"].contains(&opcode) {
            // Counts up to well past the width.
            let counts: Vec<u128> = (0..300).map(|count| count & mask(width)).collect();
            operands.extend(pairs(values, &counts, 2000, random));
        }
        let body = format!("%r = {opcode} i{width} %a, %b");
        cases.push(case(format!("{opcode} i{width}"), width, body, operands, by_width(width, on_words, on_bits)));
    }
    for (opcode, on_words, on_bits) in DIVISIONS {
        let mut operands = pairs(values, values, 2000, random);
        operands.retain(|&[a, b, _]| b != 0 && !wide(width, a).sdiv_overflows(&wide(width, b)));
        let ours = Box::new(move |[a, b, _]: Operands| match width {
            ..=64 => on_words(width, a as u64, b as u64).unwrap().into(),
            _ => on_bits(&wide(width, a), &wide(width, b)).unwrap().low_u128(),
        });
        let body = format!("%r = {opcode} i{width} %a, %b");
        cases.push(case(format!("{opcode} i{width}"), width, body, operands, ours));
    }
    cases
}

fn intrinsics(width: u32, values: &[u128], random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut push = |name: &str, operands: Vec<Operands>, ours: Box<dyn Fn(Operands) -> u128>| {
        let function = format!("@llvm.{name}.i{width}");
        let body = format!("%r = call i{width} {function}(i{width} %a, i{width} %b)");
        let mut case = case(format!("{name} i{width}"), width, body, operands, ours);
        case.declarations.push(format!("i{width} {function}(i{width}, i{width})"));
        cases.push(case);
    };
    for (name, on_words, on_bits) in INTRINSICS {
        push(name, pairs(values, values, 2000, random), by_width(width, on_words, on_bits));
    }
    let counts: Vec<u128> = (0..u128::from(width)).collect();
    let on_words: [(&str, Word, Wide); 2] = [
        ("sshl.sat", word::shl_saturate_signed, |a, b| a.shl_saturate_signed(b.low_u64())),
        ("ushl.sat", word::shl_saturate_unsigned, |a, b| a.shl_saturate_unsigned(b.low_u64())),
    ];
    for (name, on_words, on_bits) in on_words {
        push(name, pairs(values, &counts, 2000, random), by_width(width, on_words, on_bits));
    }
    cases
}

fn flagged(width: u32, values: &[u128], random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, on_words, on_bits) in FLAGGED {
        for flag in [false, true] {
            let function = format!("@llvm.{name}.with.overflow.i{width}");
            let pair = format!("{{ i{width}, i1 }}");
            let (result, index) = if flag { ("i1".to_string(), 1) } else { (format!("i{width}"), 0) };
            cases.push(Case {
                name: format!("{name}.with.overflow i{width} {index}"),
                result,
                arguments: vec![format!("i{width}"); 2],
                body: format!(
                    "%p = call {pair} {function}(i{width} %a, i{width} %b)\n%r = extractvalue {pair} %p, {index}"
                ),
                declarations: vec![format!("{pair} {function}(i{width}, i{width})")],
                operands: pairs(values, values, 2000, random),
                ours: Box::new(move |[a, b, _]| {
                    let (value, overflow) = match width {
                        ..=64 => {
                            let (value, overflow) = on_words(width, a as u64, b as u64);
                            (value.into(), overflow)
                        }
                        _ => {
                            let (value, overflow) = on_bits(&wide(width, a), &wide(width, b));
                            (value.low_u128(), overflow)
                        }
                    };
                    if flag { overflow.into() } else { value }
                }),
            });
        }
    }
    cases
}

fn compare(width: u32, predicate: usize, a: u128, b: u128) -> bool {
    let (unsigned, signed) = if width <= 64 {
        (word::compare_unsigned(a as u64, b as u64), word::compare_signed(width, a as u64, b as u64))
    } else {
        let (a, b) = (wide(width, a), wide(width, b));
        (a.compare_unsigned(&b), a.compare_signed(&b))
    };
    match predicate {
        0 => unsigned.is_eq(),
        1 => unsigned.is_ne(),
        2 => unsigned.is_gt(),
        3 => unsigned.is_ge(),
        4 => unsigned.is_lt(),
        5 => unsigned.is_le(),
        6 => signed.is_gt(),
        7 => signed.is_ge(),
        8 => signed.is_lt(),
        _ => signed.is_le(),
    }
}

fn comparisons(width: u32, values: &[u128], random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    for (predicate, name) in PREDICATES.iter().enumerate() {
        let body = format!("%r = icmp {name} i{width} %a, %b");
        let ours = Box::new(move |[a, b, _]: Operands| compare(width, predicate, a, b).into());
        let mut case = case(format!("icmp {name} i{width}"), width, body, pairs(values, values, 2000, random), ours);
        case.result = "i1".to_string();
        cases.push(case);
    }
    cases
}

/// Counting and permuting bits, and funnel shifts.
fn bit_functions(width: u32, values: &[u128], random: &mut Random) -> Vec<Case> {
    type WordUnary = fn(u32, u64) -> u64;
    type WideUnary = fn(&Bits) -> Bits;
    let mut unary: Vec<(&str, &str, WordUnary, WideUnary)> = vec![
        ("ctpop", "", |_, a| word::count_ones(a), |a| wide(a.width(), a.count_ones().into())),
        ("ctlz", ", i1 false", word::leading_zeros, |a| wide(a.width(), a.leading_zeros().into())),
        ("cttz", ", i1 false", word::trailing_zeros, |a| wide(a.width(), a.trailing_zeros().into())),
        ("abs", ", i1 false", word::abs, Bits::abs),
        ("bitreverse", "", word::reverse_bits, Bits::reverse_bits),
    ];
    if width.is_multiple_of(16) {
        unary.push(("bswap", "", word::swap_bytes, Bits::swap_bytes));
    }
    let mut cases = Vec::new();
    for (name, extra, on_words, on_bits) in unary {
        let function = format!("@llvm.{name}.i{width}");
        let body = format!("%r = call i{width} {function}(i{width} %a{extra})");
        let ours = Box::new(move |[a, ..]: Operands| match width {
            ..=64 => on_words(width, a as u64).into(),
            _ => on_bits(&wide(width, a)).low_u128(),
        });
        let mut case = case(format!("{name} i{width}"), width, body, singles(values), ours);
        case.arguments.truncate(1);
        let extra_type = if extra.is_empty() { "" } else { ", i1 immarg" };
        case.declarations.push(format!("i{width} {function}(i{width}{extra_type})"));
        cases.push(case);
    }
    for left in [true, false] {
        let name = if left { "fshl" } else { "fshr" };
        let function = format!("@llvm.{name}.i{width}");
        let body = format!("%r = call i{width} {function}(i{width} %a, i{width} %b, i{width} %c)");
        let ours = Box::new(move |[a, b, c]: Operands| match (width, left) {
            (..=64, true) => word::funnel_shift_left(width, a as u64, b as u64, c as u64).into(),
            (..=64, false) => word::funnel_shift_right(width, a as u64, b as u64, c as u64).into(),
            (_, true) => wide(width, a).funnel_shift_left(&wide(width, b), &wide(width, c)).low_u128(),
            (_, false) => wide(width, a).funnel_shift_right(&wide(width, b), &wide(width, c)).low_u128(),
        });
        let mut case = case(format!("{name} i{width}"), width, body, triples(values, 2000, random), ours);
        case.arguments = vec![format!("i{width}"); 3];
        case.declarations.push(format!("i{width} {function}(i{width}, i{width}, i{width})"));
        cases.push(case);
    }
    cases
}

fn all(widths: &[u32]) -> Vec<Case> {
    let mut random = Random::new(4);
    let mut cases = Vec::new();
    for &width in widths {
        let values = integers(width, &mut random);
        cases.extend(instructions(width, &values, &mut random));
        cases.extend(intrinsics(width, &values, &mut random));
        cases.extend(flagged(width, &values, &mut random));
        cases.extend(comparisons(width, &values, &mut random));
        cases.extend(bit_functions(width, &values, &mut random));
    }
    cases
}

#[test]
fn words() {
    check("words", all(&WORD_WIDTHS));
}

#[test]
fn wide_integers() {
    check("wide-integers", all(&WIDE_WIDTHS));
}
