//! Climbing to what the solver cannot decide: a state that several inputs build up, each of which only counts if it is near what the
//! ones before it made. The solver is one that knows no floats, so that concrete runs have to find the way.
#![allow(clippy::unwrap_used)]

#[path = "../support/program.rs"]
mod program;

use symcrete_exec::coverage::Mark;
use symcrete_explore::climb;
use symcrete_explore::workers::{Options, Summary};
use symcrete_ir::EdgeId;
use symcrete_ir::parse::parse;

/// Follows a reading by at most 2 a step, and believes none that is farther away. After four readings the sum of squares that it
/// followed is above 15 for few of them.
const FOLLOW: &str = "target \"x86_64-pc-linux-gnu\" pointers 64

function @main() -> i32 {
bb0:
  jump bb1(i32 0, double 0.0, double 0.0)
bb1(r0: i32, r1: double, r2: double):
  r3: double = call @__VERIFIER_nondet_double()
  r4 = fsub double r3, r1
  r5 = fmul double r4, r4
  r6 = fcmp ole double r5, double 4.0
  branch r6, bb2, bb3(r1, r2)
bb2:
  r7 = fadd double r2, r5
  jump bb3(r3, r7)
bb3(r8: double, r9: double):
  r10 = add i32 r0, i32 1
  r11 = icmp slt i32 r10, i32 4
  branch r11, bb1(r10, r8, r9), bb4
bb4:
  r12 = fcmp ogt double r9, double 15.0
  branch r12, bb5, bb6
bb5:
  return i32 1
bb6:
  return i32 0
}

function @__VERIFIER_nondet_double() -> double
";

fn run(seed: u64, climb: Option<climb::Config>) -> Summary {
    let solver = symcrete_solver::Config { solver: symcrete_solver::Solver::Blast, ..Default::default() };
    program::run(FOLLOW, &Options { solver, climb, ..program::options(seed) })
}

/// Whether a test takes the side of the last branch that is hard to take.
fn reaches(summary: &Summary) -> bool {
    let program = parse(FOLLOW).unwrap();
    let main = program.function_named("main").unwrap();
    let body = program.functions[main].body.as_ref().unwrap();
    let leads_there = |edge: &EdgeId| body.edges[*edge].target.as_u32() == 5;
    body.edges.keys().filter(leads_there).any(|edge| summary.suite.contains(&Mark::Taken(main, edge)))
}

#[test]
fn what_nobody_decides_is_reached_step_by_step() {
    assert!(!reaches(&run(0, None)));
    for seed in 0..8 {
        let summary = run(seed, Some(climb::Config::default()));
        assert!(reaches(&summary), "seed {seed}: {:?}", summary.progress);
        assert!(summary.progress.climbed > 0);
    }
}

#[test]
fn the_same_seed_climbs_the_same_way() {
    let runs = [1, 1].map(|seed| run(seed, Some(climb::Config::default())).progress.concrete_runs);
    assert!(runs[0] > 0 && runs[0] == runs[1], "{runs:?}");
}
