//! Listing few values: it decides what trying everything decides, and leaves what has many values to others.

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::listing::Listing;
use symcrete_solver::{Answer, Limits, Reason};

use crate::support::formulas::Formulas;
use crate::support::{BruteForce, Random, satisfies, variable, variables};

#[test]
fn it_agrees_with_trying_everything_and_knows_what_contradicts() {
    let mut seen = [0; 2];
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut arena = Arena::new();
        let width = [1, 3, 5][seed as usize % 3];
        let variables = variables(&mut arena, 3, width);
        let mut formulas = Formulas { random: &mut random, variables, division: true };
        let mut constraints: Vec<Expr> = (0..6).map(|_| formulas.condition(&mut arena, 3)).collect();
        constraints.retain(|constraint| arena.as_word(*constraint).is_none());
        if constraints.is_empty() {
            continue;
        }
        let mut listing = Listing::default();
        let everything = |arena: &mut Arena, constraints: &[Expr]| {
            matches!(BruteForce::default().check(arena, constraints, &Limits::default()), Answer::Sat(_))
        };
        match listing.check(&mut arena, &constraints, &Limits::default()) {
            Answer::Sat(model) => assert!(satisfies(&arena, &model, constraints.iter().copied()), "seed {seed}"),
            Answer::Unsat => {
                let core = listing.core().unwrap();
                assert!(core.iter().all(|constraint| constraints.contains(constraint)), "seed {seed}");
                assert!(!everything(&mut arena, &constraints), "seed {seed}: there is a solution");
                assert!(!everything(&mut arena, &core), "seed {seed}: the core has a solution");
                seen[0] += 1;
                continue;
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
        }
        seen[1] += 1;
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
}

#[test]
fn many_values_are_left_to_others() {
    let mut arena = Arena::new();
    let bytes = variables(&mut arena, 4, 8);
    let sum = bytes[1..].iter().fold(bytes[0], |sum, byte| arena.binary(Op::Add, sum, *byte));
    let seven = arena.word(8, 7);
    let is_seven = arena.compare(Op::Equal, sum, seven);
    let reason = |arena: &mut Arena, constraints: &[Expr]| match Listing::default().check(
        arena,
        constraints,
        &Limits::default(),
    ) {
        Answer::Unknown(reason) => Some(reason),
        _ => None,
    };
    assert_eq!(reason(&mut arena, &[is_seven]), Some(Reason::Inexpressible));
    // With a few values each, they are not many.
    let ten = arena.word(8, 10);
    let few: Vec<Expr> = bytes.iter().map(|byte| arena.compare(Op::UnsignedLess, *byte, ten)).collect();
    assert_eq!(reason(&mut arena, &[few, vec![is_seven]].concat()), None);
    let wide = variable(&mut arena, 9, 32);
    let zero = arena.word(32, 0);
    let is_zero = arena.compare(Op::Equal, wide, zero);
    assert_eq!(reason(&mut arena, &[is_zero]), Some(Reason::Inexpressible));
}
