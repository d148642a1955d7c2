//! How often random strategies choose what. Seeds are fixed, so that nothing here is left to chance.

use std::collections::HashMap;

use symcrete_explore::strategy::{PathId, Random, Strategy, parse};

use crate::support::{Known, Table, branch, path};

/// Compares counts with the chances they should show (Pearson's chi-squared statistic against the value that is
/// exceeded once in ten thousand times, by the approximation of Wilson and Hilferty).
fn assert_chances(counts: &HashMap<PathId, u64>, chances: &[(PathId, f64)], what: &str) {
    let draws: u64 = counts.values().sum();
    let total: f64 = chances.iter().map(|chance| chance.1).sum();
    assert!(counts.keys().all(|path| chances.iter().any(|chance| chance.0 == *path)), "{what}: an impossible choice");
    let statistic: f64 = chances
        .iter()
        .map(|(path, chance)| {
            let expected = draws as f64 * chance / total;
            let seen = counts.get(path).copied().unwrap_or(0) as f64;
            (seen - expected).powi(2) / expected
        })
        .sum();
    let freedom = (chances.len() - 1) as f64;
    let limit = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.72 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
    assert!(statistic < limit, "{what}: {statistic} of {limit}; {counts:?}, {chances:?}");
}

fn draw(strategy: &mut dyn Strategy, table: &mut Table, draws: usize) -> HashMap<PathId, u64> {
    let mut counts = HashMap::new();
    for _ in 0..draws {
        *counts.entry(strategy.select(table).unwrap()).or_default() += 1;
    }
    counts
}

/// Paths that differ in every metric.
fn assorted() -> Table {
    let mut table = Table::default();
    for number in 0..9u32 {
        let known = Known {
            depth: 3000 + number % 5,
            since_new: [None, Some(5), Some(1004)][number as usize % 3],
            distance: [None, Some(1), Some(2), Some(3)][number as usize % 4],
            visits: u64::from(number),
            query_cost: u64::from(number * 2),
        };
        table.0.insert(path(number as usize), known);
    }
    table
}

fn weight(name: &str, known: Known) -> f64 {
    let square = |value: u64| 1.0 / (value.max(1) as f64).powi(2);
    let near = square(known.distance.map_or(10_000, u64::from));
    match name {
        "random-state" => 1.0,
        "depth" => 2f64.powi(3000 - known.depth as i32),
        "icnt" => square(known.visits),
        "query-cost" => 1.0 / known.query_cost.max(1) as f64,
        "md2u" => near,
        "covnew" => near + known.since_new.map_or(0.0, |since| square(since.saturating_sub(1000))),
        _ => unreachable!("{name} has no weights"),
    }
}

const WEIGHTED: [&str; 6] = ["random-state", "depth", "icnt", "query-cost", "md2u", "covnew"];

#[test]
fn weighted_strategies_choose_by_weight() {
    for name in WEIGHTED {
        let (mut strategy, mut table) = (parse(name, 11).unwrap(), assorted());
        (0..9).for_each(|number| strategy.add(path(number), &[], &mut table));
        strategy.remove(path(4));
        let counts = draw(&mut *strategy, &mut table, 60_000);
        let chances: Vec<_> = table
            .0
            .iter()
            .filter(|entry| *entry.0 != path(4))
            .map(|(path, known)| (*path, weight(name, *known)))
            .collect();
        assert_chances(&counts, &chances, name);
    }
}

/// Weights that fell while paths were pending count as they are now, in the first choice already.
#[test]
fn stale_weights_do_not_show() {
    for name in ["icnt", "md2u", "covnew"] {
        let later = |number: usize, known: Known| Known {
            visits: known.visits * (1 + number as u64 % 3),
            distance: known.distance.map(|distance| distance * (1 + number as u32 % 2)),
            ..known
        };
        let before = assorted();
        let mut after = Table::default();
        for number in 0..9 {
            after.0.insert(path(number), later(number, before.0[&path(number)]));
        }
        let mut counts = HashMap::new();
        for seed in 0..12_000 {
            let mut strategy = parse(name, seed).unwrap();
            (0..9).for_each(|number| strategy.add(path(number), &[], &mut before.clone()));
            *counts.entry(strategy.select(&mut after).unwrap()).or_default() += 1;
        }
        let chances: Vec<_> = after.0.iter().map(|(path, known)| (*path, weight(name, *known))).collect();
        assert_chances(&counts, &chances, name);
    }
}

#[test]
fn updates_change_weights() {
    let (mut strategy, mut table) = (parse("icnt", 3).unwrap(), assorted());
    (0..9).for_each(|number| strategy.add(path(number), &[], &mut table));
    for number in 0..9 {
        table.0.get_mut(&path(number)).unwrap().visits = 10 - number as u64;
        strategy.update(path(number), &mut table);
    }
    let counts = draw(&mut *strategy, &mut table, 100_000);
    let chances: Vec<_> = table.0.iter().map(|(path, known)| (*path, weight("icnt", *known))).collect();
    assert_chances(&counts, &chances, "icnt");
}

/// The whole execution tree, dead parts included.
enum Tree {
    Pending(PathId),
    Fork(Vec<Tree>),
}

impl Tree {
    fn lives(&self, live: &[PathId]) -> bool {
        match self {
            Tree::Pending(path) => live.contains(path),
            Tree::Fork(children) => children.iter().any(|child| child.lives(live)),
        }
    }

    /// At each fork, the live ways are equally likely.
    fn chances(&self, chance: f64, live: &[PathId], found: &mut Vec<(PathId, f64)>) {
        match self {
            Tree::Pending(path) => found.push((*path, chance)),
            Tree::Fork(children) => {
                let children: Vec<&Tree> = children.iter().filter(|child| child.lives(live)).collect();
                children.iter().for_each(|child| child.chances(chance / children.len() as f64, live, found));
            }
        }
    }

    fn fork(&mut self, parent: PathId, into: &[PathId]) {
        match self {
            Tree::Pending(path) if *path == parent => {
                *self = Tree::Fork(into.iter().map(|path| Tree::Pending(*path)).collect())
            }
            Tree::Pending(_) => {}
            Tree::Fork(children) => children.iter_mut().for_each(|child| child.fork(parent, into)),
        }
    }
}

#[test]
fn random_path_walks_the_execution_tree() {
    for seed in 0..12 {
        let (mut random, mut table) = (Random::new(seed), Table::default());
        let mut strategy = parse("random-path", seed).unwrap();
        let (mut tree, mut live, mut made) = (Tree::Fork(Vec::new()), Vec::new(), 0);
        for _ in 0..60 {
            let any = |random: &mut Random, live: &mut Vec<PathId>| {
                live.swap_remove(random.below(live.len() as u64) as usize)
            };
            match random.below(20) {
                0 | 1 => {
                    strategy.add(path(made), &[], &mut table);
                    live.push(path(made));
                    if let Tree::Fork(roots) = &mut tree {
                        roots.push(Tree::Pending(path(made)));
                    }
                    made += 1;
                }
                2..12 if !live.is_empty() => {
                    let parent = any(&mut random, &mut live);
                    let children: Vec<PathId> =
                        (0..2 + random.below(2)).map(|number| path(made + number as usize)).collect();
                    made += children.len();
                    let told: Vec<_> =
                        (0..).zip(&children).map(|(direction, path)| (*path, branch(0, direction))).collect();
                    strategy.fork(parent, &told, &mut table);
                    tree.fork(parent, &children);
                    live.extend(children);
                }
                _ if live.len() > 1 => {
                    let path = any(&mut random, &mut live);
                    strategy.remove(path);
                }
                _ => {}
            }
        }
        let mut chances = Vec::new();
        tree.chances(1.0, &live, &mut chances);
        if chances.len() > 1 {
            let counts = draw(&mut *strategy, &mut table, 20_000);
            assert_chances(&counts, &chances, "random-path");
        }
    }
}

/// Ties are broken among paths, not among subpaths: one that many paths end in is as much more likely.
#[test]
fn ties_are_broken_evenly_among_paths() {
    for name in ["subpath:1", "subpath:2"] {
        let (mut strategy, mut table) = (parse(name, 4).unwrap(), Table::default());
        strategy.add(path(0), &[], &mut table);
        let children: Vec<_> = (1..12).map(|number| (path(number), branch(0, [0, 0, 0, 1, 2][number % 5]))).collect();
        strategy.fork(path(0), &children, &mut table);
        // This makes its subpath travelled, and takes three others out of the tie.
        strategy.chosen(path(4));
        let tied = children.iter().filter(|child| child.1.direction != children[3].1.direction);
        let chances: Vec<_> = tied.map(|child| (child.0, 1.0)).collect();
        assert_eq!(chances.len(), 11 - children.iter().filter(|child| child.1 == children[3].1).count());
        let counts = draw(&mut *strategy, &mut table, 50_000);
        assert_chances(&counts, &chances, name);
    }
}
