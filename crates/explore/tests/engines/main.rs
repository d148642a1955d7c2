//! Engines of the table, each alone on a small program.
#![allow(clippy::unwrap_used)]

#[path = "../support/program.rs"]
mod program;

use symcrete_exec::coverage::Mark;
use symcrete_explore::forward::Mode;
use symcrete_explore::workers::{Options, Summary};
use symcrete_explore::{burst, forward, random};
use symcrete_ir::parse::parse;

/// Three sides that random bytes take, and one that they do not.
const BRANCHES: &str = "target \"x86_64-pc-linux-gnu\" pointers 64

function @main() -> i32 {
bb0:
  r0: i32 = call @__VERIFIER_nondet_int()
  r1 = icmp slt i32 r0, i32 0
  branch r1, bb1, bb2
bb1:
  return i32 1
bb2:
  r2 = icmp eq i32 r0, i32 123456789
  branch r2, bb3, bb4
bb3:
  return i32 2
bb4:
  return i32 3
}

function @__VERIFIER_nondet_int() -> i32
";

/// The blocks to which tests take an edge.
fn covered(summary: &Summary) -> Vec<u32> {
    let program = parse(BRANCHES).unwrap();
    let main = program.function_named("main").unwrap();
    let body = program.functions[main].body.as_ref().unwrap();
    let taken = body.edges.keys().filter(|edge| summary.suite.contains(&Mark::Taken(main, *edge)));
    let mut blocks: Vec<u32> = taken.map(|edge| body.edges[edge].target.as_u32()).collect();
    blocks.sort_unstable();
    blocks
}

fn run(options: &Options) -> Summary {
    let summary = program::run(BRANCHES, options);
    assert!(summary.failures.is_empty(), "{:?}", summary.failures);
    summary
}

fn at_random(seed: u64) -> Options {
    let random = Some(random::Config { runs: 100, ..random::Config::default() });
    Options { random, ..program::options(seed) }
}

#[test]
fn random_runs_cover_what_is_likely() {
    let summary = run(&at_random(7));
    assert_eq!(summary.progress.concrete_runs, 100);
    assert_eq!(covered(&summary), [1, 2, 4]);
    assert!(!summary.exhausted, "runs prove nothing");
}

#[test]
fn the_same_seed_makes_the_same_runs() {
    let [first, second] = [1, 1].map(|seed| run(&at_random(seed)));
    assert_eq!(first.progress.run_instructions, second.progress.run_instructions);
    assert_eq!(first.suite, second.suite);
}

#[test]
fn searches_cover_everything() {
    for mode in [Mode::Forward, Mode::Concolic] {
        let forward = forward::Config { mode, ..forward::Config::default() };
        let summary = run(&Options { forward, ..program::options(0) });
        assert_eq!(covered(&summary), [1, 2, 3, 4], "{mode:?}");
        assert!(summary.exhausted, "{mode:?}");
    }
}

#[test]
fn the_burst_runs_beside_a_search() {
    let burst = Some(burst::Config::default());
    let summary = run(&Options { burst, ..program::options(0) });
    assert!(summary.progress.concrete_runs >= 48);
    assert_eq!(covered(&summary), [1, 2, 3, 4]);
}
