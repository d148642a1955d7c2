//! Random expressions: what the evaluator makes of the form without rules and of the simplified one, against direct computation.

use std::collections::BTreeMap;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_expr::Bits;
use symcrete_expr::dag::{Arena, ArrayModel, Evaluator, Expr, Model, Op, Variable, post_order, substitute};

use crate::random::Random;
use crate::shape::{Generator, Shape};

/// What a variable is in a run, whatever its width.
fn input(seed: u64, number: u32, width: u32) -> Bits {
    Random::new(seed ^ u64::from(number) << 32 ^ u64::from(width) << 40).bits(width)
}

/// Element of an array variable: the low bits of an index choose among a few.
fn element(seed: u64, number: u32, width: u32, index: &Bits) -> Bits {
    Random::new(seed ^ index.low_u64() << 8 ^ u64::from(number) << 3 ^ u64::from(width) << 50).bits(width)
}

/// The same for every variable of an arena.
fn model(arena: &Arena, seed: u64) -> Rc<Model> {
    let mut model = Model::default();
    for (id, variable) in arena.variables().iter() {
        let Variable { input: number, width, index_width, .. } = *variable;
        if index_width == 0 {
            model.set(id, input(seed, number, width));
        } else {
            let entry = |index: u64| {
                let index = Bits::from_u64(index_width, index);
                let value = element(seed, number, width, &index);
                (index, value)
            };
            let entries: BTreeMap<Bits, Bits> = (0..1 << index_width).map(entry).collect();
            model.set_array(id, ArrayModel { default: Bits::zero(width), entries });
        }
    }
    Rc::new(model)
}

/// Every part of an expression has a value that its facts allow.
fn check_facts(arena: &Arena, evaluator: &mut Evaluator, expr: Expr) {
    for part in post_order(arena, [expr], &mut EntitySet::new()) {
        if arena.width(part) <= 64 && !arena.is_array(part) {
            let value = evaluator.word(arena, part);
            let facts = arena.facts(part);
            assert!(facts.contains(arena.width(part), value), "{facts:?} {value:#x}: {}", arena.display(part));
        }
    }
}

fn check(shape: &Shape, seeds: std::ops::Range<u64>) {
    let mut with_rules = Arena::new();
    let mut without_rules = Arena::without_rules();
    let simple = shape.build(&mut with_rules);
    let plain = shape.build(&mut without_rules);
    assert_eq!(with_rules.width(simple), without_rules.width(plain));
    for seed in seeds {
        let inputs = |number, width| input(seed, number, width);
        let elements = |number, width, index: &Bits| element(seed, number, width, index);
        let expected = shape.value(&inputs, &elements);
        let mut evaluator = Evaluator::new(model(&without_rules, seed));
        assert_eq!(evaluator.value(&without_rules, plain), expected, "{}", without_rules.display(plain));
        check_facts(&without_rules, &mut evaluator, plain);
        let mut evaluator = Evaluator::new(model(&with_rules, seed));
        assert_eq!(
            evaluator.value(&with_rules, simple),
            expected,
            "seed {seed}\n{}\nbecame\n{}",
            without_rules.display(plain),
            with_rules.display(simple)
        );
        check_facts(&with_rules, &mut evaluator, simple);
    }
}

fn run(floats: bool, arrays: bool, count: u64, widths: &[u32]) {
    let mut generator = Generator { random: Random::new(count + u64::from(floats)), floats, arrays };
    for round in 0..count {
        let width = match generator.random.one_in(3) {
            true => 1 + generator.random.below(128) as u32,
            false => generator.random.choose(widths),
        };
        let depth = 2 + (round % 4) as u32;
        check(&generator.shape(width, depth), round..round + 6);
    }
}

#[test]
fn integers() {
    run(false, false, 30_000, &[1, 1, 1, 3, 8, 8, 16, 32, 32, 64, 128]);
}

#[test]
fn small_widths() {
    let mut generator = Generator { random: Random::new(77), floats: false, arrays: false };
    for round in 0..30_000 {
        let width = 1 + (round % 4) as u32;
        check(&generator.shape(width, 3 + (round % 2) as u32), round..round + 8);
    }
}

#[test]
fn arrays() {
    run(false, true, 10_000, &[1, 8, 8, 32, 64]);
}

#[test]
fn floats() {
    run(true, false, 10_000, &[1, 1, 16, 32, 64, 80, 128]);
}

/// Replacing variables by constants gives what the evaluator says.
#[test]
fn substitution() {
    let mut generator = Generator { random: Random::new(5), floats: true, arrays: true };
    for seed in 0..3_000 {
        let width = generator.random.choose(&[1, 8, 32, 64, 128]);
        let mut shape = generator.shape(width, 4);
        // Array variables have no constant.
        let mut variables = Vec::new();
        shape.variables(&mut variables);
        if seed % 2 == 0 {
            shape = Shape::Not(shape.into());
        }
        let mut arena = Arena::new();
        let expr = shape.build(&mut arena);
        let mut map = rustc_hash::FxHashMap::default();
        for (number, width) in variables {
            let from = crate::shape::variable(&mut arena, number, width);
            let to = arena.constant(&input(seed, number, width));
            map.insert(from, to);
        }
        let replaced = substitute(&mut arena, expr, &map);
        let model = model(&arena, seed);
        let expected = Evaluator::new(Rc::clone(&model)).value(&arena, expr);
        assert_eq!(Evaluator::new(model).value(&arena, replaced), expected, "{}", arena.display(expr));
        let has_arrays = post_order(&arena, [replaced], &mut EntitySet::new())
            .into_iter()
            .any(|part| arena.node(part).op == Op::ArrayVariable);
        assert!(has_arrays || arena.as_constant(replaced).is_some(), "{}", arena.display(replaced));
    }
}

/// Chains that would overflow a stack.
#[test]
fn deep_chains() {
    let mut arena = Arena::new();
    let x = crate::shape::variable(&mut arena, 0, 32);
    let y = crate::shape::variable(&mut arena, 1, 32);
    let mut chain = x;
    for step in 0..1_000_000u64 {
        chain = match step % 3 {
            0 => arena.binary(Op::Mul, chain, y),
            1 => arena.binary(Op::Xor, chain, x),
            _ => arena.binary(Op::Sub, y, chain),
        };
    }
    let mut model = Model::default();
    model.set(arena.variable_of(x).unwrap(), Bits::from_u64(32, 3));
    model.set(arena.variable_of(y).unwrap(), Bits::from_u64(32, 5));
    let mut expected = 3u32;
    for step in 0..1_000_000 {
        expected = match step % 3 {
            0 => expected.wrapping_mul(5),
            1 => expected ^ 3,
            _ => 5u32.wrapping_sub(expected),
        };
    }
    let mut evaluator = Evaluator::new(Rc::new(model));
    assert_eq!(evaluator.word(&arena, chain), u64::from(expected));
    let text = arena.display(chain).to_string();
    assert!(text.len() > 1_000_000);
    let map = [(x, y)].into_iter().collect();
    substitute(&mut arena, chain, &map);
}
