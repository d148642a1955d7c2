//! The chain on random systems of constraints. What has a solution by the way it was made is never `unsat`, what cannot
//! have one is never `sat`, and every model satisfies the constraints as they were before anything was simplified.
//!
//! 500 systems with a solution, 250 of unknown state and 250 without; 20 times as many with SYMCRETE_FULL=1. How many
//! each solver decides is printed (`--nocapture` shows it); SYMCRETE_SEED=N looks at the systems of this number alone.
#![allow(clippy::unwrap_used)]

mod contradictions;
mod expressions;
mod functions;
mod systems;

use std::fmt::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

use symcrete_expr::dag::evaluate;
use symcrete_solver::{Answer, Chain, Config, Limits, Solver, smtlib};
use systems::System;

/// Little enough for thousands of systems, and enough for most of them.
const EFFORT: u64 = 4_000;
/// What effort cannot tell; whether a system was solved should not depend on the machine.
const TIME: Duration = Duration::from_millis(40);

/// The numbers of the systems to look at.
fn seeds(count: u64) -> std::ops::Range<u64> {
    if let Some(seed) = std::env::var("SYMCRETE_SEED").ok().and_then(|text| text.parse().ok()) {
        return seed..seed + 1;
    }
    0..if std::env::var_os("SYMCRETE_FULL").is_some() { 20 * count } else { count }
}

/// What a solver said of the constraints with these numbers: `sat`, `unsat`, `unknown`, or what is wrong.
fn said(system: &mut System, kept: &[usize], solver: Solver) -> Result<&'static str, String> {
    let limits = Limits { effort: EFFORT, time: TIME, ..Limits::default() };
    let mut chain = Chain::new(Config { solver, limits, ..Config::default() });
    let constraints = system.only(kept);
    let answer = chain.solve(&mut system.arena, &constraints);
    if let Some(error) = chain.take_errors().first() {
        return Err(format!("{} gave a wrong model", error.backend));
    }
    match answer {
        Answer::Sat(model) => {
            let model = Rc::new(model);
            for at in kept {
                if evaluate(&system.plain, &model, system.constraints[*at]).is_zero() {
                    return Err(format!("constraint {at} does not hold under the model {model:?}"));
                }
            }
            Ok("sat")
        }
        Answer::Unsat if system.solution.is_some() => Err("there is a solution, and it says unsat".to_owned()),
        Answer::Unsat => Ok("unsat"),
        Answer::Unknown(_) => Ok("unknown"),
    }
}

/// Fails, with as few constraints as still go wrong.
fn fail(system: &mut System, seed: u64, solver: Solver, problem: &str) -> ! {
    let mut kept: Vec<usize> = (0..system.constraints.len()).collect();
    for at in 0..system.constraints.len() {
        let fewer: Vec<usize> = kept.iter().copied().filter(|other| *other != at).collect();
        if said(system, &fewer, solver).is_err() {
            kept = fewer;
        }
    }
    let constraints: Vec<_> = kept.iter().map(|at| system.constraints[*at]).collect();
    let mut text = format!("{problem}\nseed {seed}, solver {}, constraints {kept:?}\n", solver.name());
    if let Some(solution) = &system.solution {
        let _ = writeln!(text, "a solution: {solution:?}");
    }
    panic!("{text}as it was made:\n{}", smtlib::print(&system.plain, &constraints));
}

/// What the solvers said of many systems, and how long each of them took.
#[derive(Default)]
struct Tally {
    verdicts: Vec<Vec<&'static str>>,
    times: [Duration; Solver::ALL.len()],
}

impl Tally {
    /// What every solver says of a system.
    fn ask(&mut self, system: &mut System, seed: u64) -> Vec<&'static str> {
        let all: Vec<usize> = (0..system.constraints.len()).collect();
        let mut verdicts = Vec::new();
        for (solver, time) in Solver::ALL.into_iter().zip(&mut self.times) {
            let began = Instant::now();
            match said(system, &all, solver) {
                Ok(verdict) => verdicts.push(verdict),
                Err(problem) => fail(system, seed, solver, &problem),
            }
            *time += began.elapsed();
        }
        self.verdicts.push(verdicts.clone());
        verdicts
    }

    fn print(&self, what: &str) {
        println!("{} {what}", self.verdicts.len());
        for (at, solver) in Solver::ALL.iter().enumerate() {
            let count = |word: &str| self.verdicts.iter().filter(|verdicts| verdicts[at] == word).count();
            let (sat, unsat, unknown) = (count("sat"), count("unsat"), count("unknown"));
            let seconds = self.times[at].as_secs_f64();
            println!("  {:<10} {sat:>6} sat {unsat:>6} unsat {unknown:>6} unknown {seconds:>8.2} s", solver.name());
        }
    }
}

#[test]
fn a_planted_solution_is_never_denied() {
    let mut tally = Tally::default();
    for seed in seeds(500) {
        let mut system = systems::planted(seed);
        let solution = system.solution.clone().unwrap();
        for (plain, simplified) in system.constraints.iter().zip(&system.simplified) {
            let text = || smtlib::print(&system.plain, &[*plain]);
            assert!(!evaluate(&system.plain, &solution, *plain).is_zero(), "seed {seed}: {}", text());
            let holds = !evaluate(&system.arena, &solution, *simplified).is_zero();
            assert!(holds, "seed {seed}: simplified wrongly under {solution:?}:\n{}", text());
        }
        tally.ask(&mut system, seed);
    }
    tally.print("systems with a solution");
}

/// Bitwuzla's normalisation did not come to an end here, whatever the limits.
#[test]
fn limits_hold_while_queries_are_prepared() {
    let began = Instant::now();
    let mut system = systems::planted(1085);
    let all: Vec<usize> = (0..system.constraints.len()).collect();
    said(&mut system, &all, Solver::Bitwuzla).unwrap();
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn solvers_do_not_contradict_each_other() {
    let mut tally = Tally::default();
    for seed in seeds(250) {
        let mut system = systems::arbitrary(seed);
        let verdicts = tally.ask(&mut system, seed);
        if verdicts.contains(&"sat")
            && let Some(at) = verdicts.iter().position(|verdict| *verdict == "unsat")
        {
            fail(&mut system, seed, Solver::ALL[at], "another solver has a model, and it says unsat");
        }
    }
    tally.print("systems of any kind");
}

#[test]
fn what_cannot_hold_is_never_sat() {
    let mut tally = Tally::default();
    for seed in seeds(250) {
        let (mut system, why) = systems::contradictory(seed);
        let verdicts = tally.ask(&mut system, seed);
        if let Some(at) = verdicts.iter().position(|verdict| *verdict == "sat") {
            let text = smtlib::print(&system.plain, &system.constraints);
            panic!("seed {seed}, solver {}: there is no solution ({why}):\n{text}", Solver::ALL[at].name());
        }
    }
    tally.print("systems without a solution");
}
