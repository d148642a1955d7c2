//! Bit-vectors and arrays: random expressions with a planted value.

use std::ops::Range;
use std::rc::Rc;

use symcrete_expr::dag::{ArrayModel, Evaluator, Op, Variable};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::backend::bitwuzla::{Bitwuzla, Mode};

use crate::random::{Grower, Random};
use crate::{MODES, differs, equals, expect_sat, expect_unsat, variable};

/// Variables with values, and what grew from them.
struct Planted {
    arena: Arena,
    fixed: Vec<Expr>,
    evaluator: Evaluator,
    grower: Grower,
}

fn plant(seed: u64, widths: &[u32], with_arrays: bool, steps: usize) -> Planted {
    let mut random = Random::new(seed);
    let mut arena = Arena::without_rules();
    let mut model = Model::default();
    let (mut fixed, mut vectors, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
    for (input, width) in (0..).zip(widths) {
        let expr = variable(&mut arena, input, *width);
        let value = random.bits(*width);
        fixed.push(equals(&mut arena, expr, &value));
        model.set(arena.variable_of(expr).unwrap(), value);
        vectors.push(expr);
    }
    if with_arrays {
        let array = arena.variable(Variable { input: 100, offset: 0, width: 8, index_width: 4 });
        let mut contents = ArrayModel { default: Bits::zero(8), entries: Default::default() };
        for index in 0..16 {
            let (index, element) = (Bits::from_u64(4, index), random.bits(8));
            let place = arena.constant(&index);
            let selected = arena.select(array, place);
            fixed.push(equals(&mut arena, selected, &element));
            contents.entries.insert(index, element);
        }
        model.set_array(arena.variable_of(array).unwrap(), contents);
        arrays.push(array);
        let elements: Vec<Expr> = (0..11).map(|_| arena.constant(&random.bits(8))).collect();
        arrays.push(arena.table(4, 8, &elements));
    }
    let mut grower = Grower { random, vectors, arrays };
    for _ in 0..steps {
        grower.grow(&mut arena, widths);
    }
    Planted { arena, fixed, evaluator: Evaluator::new(Rc::new(model)), grower }
}

fn planted_answers(seeds: Range<u64>, widths: &[u32], with_arrays: bool) {
    for seed in seeds {
        let mut planted = plant(seed, widths, with_arrays, 14);
        let arena = &mut planted.arena;
        let mut backends = MODES.map(Bitwuzla::new);
        let last: Vec<Expr> = planted.grower.vectors.iter().rev().take(3).copied().collect();
        for expr in last {
            let value = planted.evaluator.value(arena, expr);
            let (same, other) = (equals(arena, expr, &value), differs(arena, expr, &value));
            let mut refuted = planted.fixed.clone();
            refuted.push(other);
            for (backend, mode) in backends.iter_mut().zip(MODES) {
                let what = format!("{widths:?} seed {seed} {mode:?} {expr}");
                expect_sat(backend, arena, &[same], &what);
                expect_unsat(backend, arena, &refuted, &what);
            }
        }
    }
}

#[test]
fn small_vectors() {
    planted_answers(0..60, &[1, 3, 8, 8, 4], false);
}

#[test]
fn words() {
    planted_answers(100..130, &[1, 8, 16, 16], false);
}

#[test]
fn arrays() {
    planted_answers(200..240, &[1, 4, 8, 8], true);
}

/// More than a machine word, where constants and values are wide; linear operations only.
#[test]
fn wide_vectors() {
    let mut random = Random::new(7);
    for width in [65, 100, 128, 200] {
        let mut arena = Arena::without_rules();
        let (x, y) = (variable(&mut arena, 0, width), variable(&mut arena, 1, width));
        let sum = arena.binary(Op::Add, x, y);
        let mixed = arena.binary(Op::Xor, sum, y);
        let (a, b) = (random.bits(width), random.bits(width));
        let value = a.add(&b).xor(&b);
        let fixed = [equals(&mut arena, x, &a), equals(&mut arena, y, &b)];
        let (same, other) = (equals(&mut arena, mixed, &value), differs(&mut arena, mixed, &value));
        for mode in MODES {
            let mut backend = Bitwuzla::new(mode);
            expect_sat(&mut backend, &mut arena, &[same, fixed[1]], "wide");
            expect_unsat(&mut backend, &mut arena, &[fixed[0], fixed[1], other], "wide");
        }
    }
}

/// Far deeper than a call stack could follow.
#[test]
fn a_deep_expression() {
    let mut arena = Arena::without_rules();
    let (x, y) = (variable(&mut arena, 0, 8), variable(&mut arena, 1, 8));
    let mut sum = x;
    for step in 0..20_000 {
        let next = if step % 2 == 0 { y } else { x };
        sum = arena.binary(Op::Xor, sum, next);
    }
    let wanted = equals(&mut arena, sum, &Bits::from_u64(8, 0xa5));
    expect_sat(&mut Bitwuzla::new(Mode::Incremental), &mut arena, &[wanted], "deep");
}

/// Constraints that come and go on the stack of the incremental solver: bounds of bytes, whose meaning is easy to follow.
#[test]
fn queries_with_common_prefixes() {
    let mut random = Random::new(11);
    let mut arena = Arena::without_rules();
    let bytes: Vec<Expr> = (0..4).map(|input| variable(&mut arena, input, 8)).collect();
    let mut backends = MODES.map(Bitwuzla::new);
    // Each with the byte that it is about, and the values that it allows.
    let mut path: Vec<(Expr, usize, Range<usize>)> = Vec::new();
    for _ in 0..200 {
        path.truncate(random.below(path.len() + 1));
        for _ in 0..random.below(4) {
            let (place, limit) = (random.below(4), random.below(256));
            let constant = arena.word(8, limit as u64);
            let less = arena.compare(Op::UnsignedLess, bytes[place], constant);
            path.push(match random.below(2) {
                0 => (less, place, 0..limit),
                _ => (arena.not(less), place, limit..256),
            });
        }
        let is_possible = (0..4).all(|place| {
            let bounds = || path.iter().filter(|(_, at, _)| *at == place).map(|(_, _, range)| range);
            let least = bounds().map(|range| range.start).max().unwrap_or(0);
            least < bounds().map(|range| range.end).min().unwrap_or(256)
        });
        let constraints: Vec<Expr> = path.iter().map(|(expr, ..)| *expr).collect();
        for backend in &mut backends {
            match is_possible {
                true => expect_sat(backend, &mut arena, &constraints, "prefix"),
                false => expect_unsat(backend, &mut arena, &constraints, "prefix"),
            }
        }
    }
}
