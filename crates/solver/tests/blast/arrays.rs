//! Reads of tables, written arrays, chosen arrays and array variables.

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, Op, Variable};
use symcrete_expr::{Bits, Expr};

use crate::harness::Bench;

fn table(bench: &mut Bench, index_width: u32, length: usize, variables: usize) -> Expr {
    let mut elements: Vec<Expr> = (0..length).map(|_| bench.constant(8)).collect();
    for _ in 0..variables {
        let at = bench.random.below(length);
        elements[at] = bench.variable(8);
    }
    bench.arena.table(index_width, 8, &elements)
}

#[test]
fn tables_of_any_length() {
    for (seed, (index_width, length)) in
        [(3, 8), (3, 11), (4, 5), (8, 200), (32, 17), (64, 1), (64, 33)].into_iter().enumerate()
    {
        let mut bench = Bench::new(700 + seed as u64);
        let table = table(&mut bench, index_width, length, 3);
        let index = bench.variable(index_width);
        let select = bench.arena.select(table, index);
        for round in 0..12 {
            bench.plant_anew();
            if round % 3 != 0 {
                let place = bench.random.below(length + 2) as u64;
                bench.plant(index, Bits::from_u64(index_width, place));
            }
            bench.assert_exact(select);
        }
    }
}

#[test]
fn scaled_indices() {
    let mut bench = Bench::new(800);
    let table = table(&mut bench, 32, 64, 0);
    let byte = bench.variable(4);
    let wide = bench.arena.zero_extend(byte, 32);
    let (four, one) = (bench.arena.word(32, 4), bench.arena.word(32, 1));
    let scaled = bench.arena.binary(Op::Mul, wide, four);
    let index = bench.arena.binary(Op::Or, scaled, one);
    let select = bench.arena.select(table, index);
    for value in 0..16 {
        bench.plant(byte, Bits::from_u64(4, value));
        bench.assert_exact(select);
    }
}

#[test]
fn written_and_chosen_arrays() {
    for seed in 0..6 {
        let mut bench = Bench::new(900 + seed);
        let mut array = table(&mut bench, 4, 10, 2);
        let condition = bench.variable(1);
        for _ in 0..4 {
            let (place, element) = (bench.variable(4), bench.variable(8));
            let constant = bench.constant(4);
            let stored = bench.arena.store(array, place, element);
            let other = bench.arena.store(array, constant, element);
            array = bench.arena.ite(condition, stored, other);
        }
        let index = bench.variable(4);
        let constant = bench.constant(4);
        let selects = [bench.arena.select(array, index), bench.arena.select(array, constant)];
        for _ in 0..8 {
            bench.plant_anew();
            for select in selects {
                bench.assert_exact(select);
            }
        }
    }
}

#[test]
fn equal_indices_have_equal_elements() {
    let mut bench = Bench::new(1000);
    let array = bench.arena.variable(Variable { input: 1, offset: 0, width: 8, index_width: 32 });
    let indices: Vec<Expr> = (0..4).map(|_| bench.variable(32)).collect();
    let elements: Vec<Expr> = indices.iter().map(|&index| bench.arena.select(array, index)).collect();
    let different = |bench: &mut Bench, a, b| {
        let equal = bench.arena.compare(Op::Equal, a, b);
        bench.arena.not(equal)
    };
    let same_01 = bench.arena.compare(Op::Equal, indices[0], indices[1]);
    let same_12 = bench.arena.compare(Op::Equal, indices[1], indices[2]);
    let other_02 = different(&mut bench, elements[0], elements[2]);
    let other_03 = different(&mut bench, elements[0], elements[3]);
    bench.assert_sat(&[other_03]);
    bench.assert_unsat(&[same_01, same_12, other_02]);
    bench.assert_sat(&[same_01, other_02]);
    bench.assert_sat(&[same_01, same_12, other_03]);
    // A write over a variable.
    let value = bench.arena.word(8, 77);
    let stored = bench.arena.store(array, indices[0], value);
    let read = bench.arena.select(stored, indices[3]);
    let is_77 = bench.arena.compare(Op::Equal, read, value);
    let not_77 = bench.arena.not(is_77);
    let same_03 = bench.arena.compare(Op::Equal, indices[0], indices[3]);
    bench.assert_unsat(&[same_03, not_77]);
    let model = bench.assert_sat(&[is_77, other_03]);
    assert!(Evaluator::new(Rc::new(model)).holds(&bench.arena, is_77));
}

#[test]
fn long_chains_of_writes() {
    let mut bench = Bench::new(1100);
    let mut array = table(&mut bench, 32, 4, 0);
    let value = bench.variable(8);
    for place in 0..3000 {
        let place = bench.arena.word(32, place * 2);
        array = bench.arena.store(array, place, value);
    }
    let index = bench.variable(32);
    let (even, odd) = (bench.arena.word(32, 2468), bench.arena.word(32, 2469));
    for place in [even, odd] {
        let select = bench.arena.select(array, place);
        bench.assert_exact(select);
    }
    let select = bench.arena.select(array, index);
    bench.plant(index, Bits::from_u64(32, 1234));
    bench.assert_exact(select);
}
