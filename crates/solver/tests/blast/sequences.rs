//! Many queries on one instance: the same answers as fresh ones give, the same models every time.

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::blast::Blaster;
use symcrete_solver::{Answer, Limits};

use crate::harness::Bench;

/// Random expressions over some variables of one width, and comparisons of them.
fn constraints(bench: &mut Bench, width: u32, count: usize) -> Vec<Expr> {
    let mut values: Vec<Expr> = (0..4).map(|_| bench.variable(width)).collect();
    for _ in 0..2 {
        values.push(bench.constant(width));
    }
    let operations = [Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor, Op::Mul, Op::URem, Op::LShr];
    let comparisons = [Op::Equal, Op::UnsignedLess, Op::SignedLess, Op::SignedLessEqual];
    let mut constraints = Vec::new();
    while constraints.len() < count {
        let (a, b) = (values[bench.random.below(values.len())], values[bench.random.below(values.len())]);
        if bench.random.below(2) == 0 {
            let op = operations[bench.random.below(operations.len())];
            values.push(bench.arena.binary(op, a, b));
            continue;
        }
        let op = comparisons[bench.random.below(comparisons.len())];
        let constraint = bench.arena.compare(op, a, b);
        constraints.push(constraint);
        constraints.push(bench.arena.not(constraint));
    }
    constraints
}

fn fresh(arena: &mut Arena, query: &[Expr]) -> Answer {
    Blaster::new().check(arena, query, &Limits::default())
}

#[test]
fn one_instance_answers_as_fresh_ones_do() {
    for seed in 0..6 {
        let mut bench = Bench::new(1200 + seed);
        let constraints = constraints(&mut bench, 6, 40);
        for _ in 0..120 {
            let length = 1 + bench.random.below(6);
            let query: Vec<Expr> = (0..length).map(|_| constraints[bench.random.below(constraints.len())]).collect();
            match fresh(&mut bench.arena, &query) {
                Answer::Sat(_) => {
                    bench.assert_sat(&query);
                }
                Answer::Unsat => {
                    bench.assert_unsat(&query);
                    let core = bench.blaster.core().to_vec();
                    assert!(matches!(fresh(&mut bench.arena, &core), Answer::Unsat), "{core:?} of {query:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn the_same_queries_get_the_same_models() {
    let run = || {
        let mut bench = Bench::new(1300);
        let constraints = constraints(&mut bench, 8, 60);
        let mut models = Vec::new();
        for _ in 0..150 {
            let query: Vec<Expr> = (0..3).map(|_| constraints[bench.random.below(constraints.len())]).collect();
            models.push(match bench.check(&query) {
                Answer::Sat(model) => Some(model),
                _ => None,
            });
        }
        models
    };
    assert_eq!(run(), run());
}

/// What was asked before must go without a trace when it is of no concern any more.
#[test]
fn fresh_starts_change_no_answer() {
    let mut bench = Bench::new(1400);
    let variables: Vec<Expr> = (0..120).map(|_| bench.variable(32)).collect();
    for pair in variables.windows(3).cycle().take(600) {
        let sum = bench.arena.binary(Op::Add, pair[0], pair[1]);
        let less = bench.arena.compare(Op::UnsignedLess, sum, pair[2]);
        let equal = bench.arena.compare(Op::Equal, sum, pair[2]);
        bench.assert_sat(&[less]);
        bench.assert_sat(&[equal]);
        bench.assert_unsat(&[less, equal]);
        assert_eq!(bench.blaster.core().len(), 2);
    }
    assert!(bench.blaster.statistics().fresh_starts > 0);
}

#[test]
fn a_model_names_the_variables_of_its_query_only() {
    let mut bench = Bench::new(1500);
    let (a, b) = (bench.variable(8), bench.variable(8));
    let less = bench.arena.compare(Op::UnsignedLess, a, b);
    bench.assert_sat(&[less]);
    let five = bench.arena.word(8, 5);
    let is_five = bench.arena.compare(Op::Equal, b, five);
    let model = bench.assert_sat(&[is_five]);
    assert_eq!(model.get(bench.arena.variable_of(a).unwrap()), None);
    assert_eq!(model.get(bench.arena.variable_of(b).unwrap()).unwrap().low_u64(), 5);
}

#[test]
fn the_core_leaves_out_what_is_not_needed() {
    let mut bench = Bench::new(1600);
    let all: Vec<Expr> = (0..6).map(|_| bench.variable(32)).collect();
    let less: Vec<Expr> = all.windows(2).map(|pair| bench.arena.compare(Op::SignedLess, pair[0], pair[1])).collect();
    let back = bench.arena.compare(Op::SignedLess, all[3], all[1]);
    let query: Vec<Expr> = less.iter().copied().chain([back]).collect();
    bench.assert_unsat(&query);
    assert_eq!(bench.blaster.core(), [less[1], less[2], back]);
    assert_eq!(Backend::core(&bench.blaster), Some(vec![less[1], less[2], back]));
    bench.assert_sat(&less);
    assert!(bench.blaster.core().is_empty());
}

/// After a collection the number of an expression stands for another one.
#[test]
fn numbers_that_are_used_anew_are_encoded_anew() {
    let mut bench = Bench::new(1700);
    let (a, b) = (bench.variable(16), bench.variable(16));
    let sum = bench.arena.binary(Op::Add, a, b);
    let less = bench.arena.compare(Op::UnsignedLess, sum, a);
    bench.assert_sat(&[less]);
    assert!(bench.arena.collect([a, b]) >= 2);
    let product = bench.arena.binary(Op::Mul, a, b);
    let equal = bench.arena.compare(Op::Equal, product, a);
    assert!([product, equal].iter().any(|expr| [sum, less].contains(expr)), "no number was used anew");
    bench.assert_sat(&[equal]);
    bench.assert_exact(product);
}
