//! Random systems that have a solution by the way they were made are never refuted; of those without, some are.

use std::time::Duration;

use symcrete_expr::{Arena, Expr};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::intervals::Intervals;
use symcrete_solver::{Answer, Chain, Config, Limits, smtlib};

use crate::systems;

/// Twenty times as many systems with SYMCRETE_FULL=1.
fn count(few: u64) -> u64 {
    if std::env::var_os("SYMCRETE_FULL").is_some() { 20 * few } else { few }
}

pub fn is_refuted(arena: &mut Arena, constraints: &[Expr], effort: u64) -> bool {
    let limits = Limits { effort, ..Limits::default() };
    matches!(Intervals::new().check(arena, constraints, &limits), Answer::Unsat)
}

#[test]
fn a_planted_solution_is_never_denied() {
    for seed in 0..count(20_000) {
        let mut system = systems::planted(seed);
        let constraints = system.constraints.clone();
        let plain = is_refuted(&mut system.plain, &constraints, 500);
        let simplified = system.simplified.clone();
        let simplified = is_refuted(&mut system.arena, &simplified, 500);
        if plain || simplified {
            let text = smtlib::print(&system.plain, &constraints);
            panic!("seed {seed} has a solution: {:?}\n{text}", system.solution);
        }
    }
}

#[test]
fn contradictions_are_seen() {
    let (mut refuted, mut all) = (0, 0);
    for seed in 0..2_000 {
        let (mut system, why) = systems::contradictory(seed);
        let about_floats = [
            "a square, a root or a magnitude below zero",
            "one more is less",
            "a short above all shorts",
            "a sine above one",
            "an exponential below zero",
        ];
        let constraints = system.simplified.clone();
        let folded = constraints.iter().any(|constraint| system.arena.as_word(*constraint).is_some());
        if about_floats.contains(&why) && !folded {
            let seen = is_refuted(&mut system.arena, &constraints, 500);
            refuted += u32::from(seen);
            all += 1;
            assert!(seen, "seed {seed}: {why}\n{}", smtlib::print(&system.plain, &system.constraints));
        }
    }
    assert!(refuted == all && all > 100, "{refuted} of {all}");
}

/// What is refuted has no solution that anybody finds.
#[test]
fn nobody_solves_what_is_refuted() {
    let mut refuted = 0;
    for seed in 0..count(4_000) {
        let mut system = systems::arbitrary(seed);
        let constraints = system.simplified.clone();
        if is_refuted(&mut system.arena, &constraints, 500) {
            refuted += 1;
            let limits = Limits { effort: 4_000, time: Duration::from_millis(40), ..Limits::default() };
            let mut chain = Chain::new(Config { limits, ..Config::default() });
            let answer = chain.solve(&mut system.arena, &constraints);
            assert!(!matches!(answer, Answer::Sat(_)), "seed {seed}: {answer:?}");
        }
    }
    assert!(refuted > 100, "{refuted}");
}
