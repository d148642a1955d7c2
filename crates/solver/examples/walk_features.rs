//! What each part of the walk that goes beyond the paper is worth. Systems with a planted solution are given to the walk alone, with a
//! small effort for each; a table says how many it solves with all parts and without one of them, and as the paper has it and with one of
//! them: `cargo run --release -p symcrete-solver --example walk_features [SYSTEMS]`.
#![allow(clippy::unwrap_used, dead_code)]

#[path = "../tests/planted/contradictions.rs"]
mod contradictions;
#[path = "../tests/planted/expressions.rs"]
mod expressions;
#[path = "../tests/planted/functions.rs"]
mod functions;
#[path = "../tests/planted/systems.rs"]
mod systems;

use std::time::{Duration, Instant};

use symcrete_solver::{Answer, Chain, Config, Limits, Solver, walk};

/// A part, the setting without it and the one with it.
const PARTS: [(&str, &str, &str); 8] = [
    ("distances in steps", "metric=difference", "metric=steps"),
    ("scales", "scales=off", "scales=on"),
    ("specials", "specials=off", "specials=on"),
    ("inversion", "inversion=off", "inversion=on"),
    ("intervals", "intervals=off", "intervals=on"),
    ("repair", "repair=off", "repair=on"),
    ("weights", "weights=off", "weights=on"),
    ("restarts", "restarts=off", "restarts=on"),
];

/// Some tens of milliseconds for each system.
const EFFORT: u64 = 20_000;
const TIME: Duration = Duration::from_millis(500);

/// How many systems are solved, and how long that takes.
fn solved(systems: u64, settings: &str) -> String {
    let walk: walk::Config = settings.parse().unwrap();
    let mut solved = 0;
    let mut time = Duration::ZERO;
    for seed in 0..systems {
        let mut system = systems::planted(seed);
        let all: Vec<usize> = (0..system.constraints.len()).collect();
        let constraints = system.only(&all);
        let limits = Limits { effort: EFFORT, time: TIME, ..Limits::default() };
        let mut chain = Chain::new(Config { solver: Solver::Walk, limits, walk: walk.clone(), ..Config::default() });
        let began = Instant::now();
        solved += u64::from(matches!(chain.solve(&mut system.arena, &constraints), Answer::Sat(_)));
        time += began.elapsed();
    }
    format!("{solved} in {:.1} s", time.as_secs_f64())
}

fn main() {
    let systems = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3000);
    println!("\n## What parts of the walk are worth: solved of {systems} planted systems\n");
    println!("| part | all parts but this | all but this and inversion | the paper's algorithm and this |");
    println!("| --- | --- | --- | --- |");
    let row = |part: &str, without: &str, only: &str| {
        let cells = [without.to_owned(), format!("{without},inversion=off"), format!("paper,{only}")];
        println!("| {part} | {} |", cells.map(|settings| solved(systems, &settings)).join(" | "));
    };
    row("(none)", "", "");
    for (part, without, only) in PARTS {
        row(part, without, only);
    }
}
