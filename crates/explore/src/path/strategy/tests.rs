//! How the work of a choice grows with the number of pending paths, counted in steps: 100,000 paths are few. What
//! strategies choose is tested from outside, in `tests/strategy`.

#![allow(clippy::unwrap_used)]

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, FuncId};

use super::*;

const MANY: usize = 100_000;

/// Metrics that are computed from the number of a path and the time, and counts of how often they were asked for.
#[derive(Default)]
struct Made {
    time: u64,
    asked: u64,
}

impl Made {
    fn number(&mut self, path: PathId) -> u64 {
        self.asked += 1;
        Random::new(path.index() as u64).bits() % 1000
    }
}

impl Metrics for Made {
    fn depth(&mut self, path: PathId) -> u32 {
        self.number(path) as u32
    }

    fn since_new(&mut self, path: PathId) -> Option<u64> {
        Some(self.number(path)).filter(|number| number % 2 == 0)
    }

    fn distance_to_uncovered(&mut self, path: PathId) -> Option<u32> {
        Some(self.number(path) as u32 + self.time as u32)
    }

    fn visits(&mut self, path: PathId) -> u64 {
        self.number(path) + self.time
    }

    fn gain(&mut self, _path: PathId) -> u64 {
        0
    }

    fn query_cost(&mut self, path: PathId) -> u64 {
        self.number(path)
    }
}

fn branch(site: u64, direction: u32) -> Branch {
    let site = Place { function: FuncId::new(0), block: Block::new(site as usize), instruction: 0 };
    Branch { site, direction }
}

/// Forks until there are many pending paths; each fork at one of `sites` places.
fn grow(strategy: &mut dyn Strategy, metrics: &mut Made, sites: u64, random: &mut Random) -> Vec<PathId> {
    let mut pending = vec![PathId::new(0)];
    strategy.add(pending[0], &[], metrics);
    while pending.len() < MANY {
        let parent = pending.swap_remove(random.below(pending.len() as u64) as usize);
        fork(strategy, metrics, parent, &mut pending, random.below(sites));
    }
    pending
}

fn fork(strategy: &mut dyn Strategy, metrics: &mut Made, parent: PathId, pending: &mut Vec<PathId>, site: u64) {
    let other = PathId::new(pending.len() + 1);
    strategy.fork(parent, &[(parent, branch(site, 0)), (other, branch(site, 1))], metrics);
    pending.extend([parent, other]);
}

/// Selects, then lets the selected path run on or fork and end one side, so that the number of pending paths stays.
/// Returns the steps and the questions that a round took, on average.
fn rounds(strategy: &mut dyn Strategy, metrics: &mut Made, sites: u64, random: &mut Random) -> (f64, f64) {
    const ROUNDS: u64 = 2000;
    (metrics.asked, _) = (0, effort::take_steps());
    for round in 0..ROUNDS {
        metrics.time = round / 500;
        let path = strategy.select(metrics).unwrap();
        strategy.chosen(path);
        if random.below(3) == 0 {
            strategy.update(path, metrics);
            continue;
        }
        let (site, other) = (random.below(sites), PathId::new(MANY + 1 + round as usize));
        strategy.fork(path, &[(path, branch(site, 0)), (other, branch(site, 1))], metrics);
        strategy.remove(if random.below(2) == 0 { path } else { other });
    }
    (effort::take_steps() as f64 / ROUNDS as f64, metrics.asked as f64 / ROUNDS as f64)
}

#[test]
fn a_choice_among_many_takes_few_steps() {
    let logarithm = (MANY as f64).log2();
    let names = STRATEGIES.iter().map(|row| row.usage().replace(":N", ":1").replace("[:latest]", ""));
    for name in names.chain(["subpath:8".into(), "subpath:1:latest".into(), "subpath:2,random-path,covnew".into()]) {
        // Few subpaths with many paths each, and many with few.
        let sites: &[u64] = if name.starts_with("subpath:1") { &[3, 10_000] } else { &[1000] };
        for &sites in sites {
            let mut random = Random::new(7);
            let (mut strategy, mut metrics) = (parse(&name, 1).unwrap(), Made::default());
            grow(&mut *strategy, &mut metrics, sites, &mut random);
            let (steps, asked) = rounds(&mut *strategy, &mut metrics, sites, &mut random);
            // Four subpath members each update groups and tiers; one path is told of at a time, never all.
            assert!(steps < 40.0 * logarithm, "{name}: {steps} steps");
            assert!(asked < 60.0, "{name}: {asked} questions");
        }
    }
}

#[test]
fn a_long_chain_of_forks_is_no_deeper_than_its_live_paths() {
    let (mut strategy, mut metrics) = (RandomPath::new(Random::new(1)), Made::default());
    strategy.add(PathId::new(0), &[], &mut metrics);
    // Every iteration of a loop leaves a path behind; all but each thousandth end at once.
    for iteration in 1..=MANY {
        let children = [(PathId::new(iteration), branch(0, 1)), (PathId::new(0), branch(0, 0))];
        strategy.fork(PathId::new(0), &children, &mut metrics);
        if iteration % 1000 != 0 {
            strategy.remove(PathId::new(iteration));
        }
    }
    let live = MANY / 1000 + 1;
    assert_eq!(strategy.ranking().len(), live);
    assert_eq!(strategy.nodes(), 2 * live);
    for iteration in (1000..=MANY).step_by(1000) {
        strategy.remove(PathId::new(iteration));
    }
    assert_eq!(strategy.nodes(), 2);
    assert_eq!(strategy.select(&mut metrics), Some(PathId::new(0)));
    strategy.remove(PathId::new(0));
    assert_eq!((strategy.nodes(), strategy.select(&mut metrics)), (1, None));
}

#[test]
fn a_deep_comb_is_walked_in_few_steps() {
    let (mut strategy, mut metrics) = (RandomPath::new(Random::new(1)), Made::default());
    strategy.add(PathId::new(0), &[], &mut metrics);
    for iteration in 1..=MANY {
        let children = [(PathId::new(iteration), branch(0, 1)), (PathId::new(0), branch(0, 0))];
        strategy.fork(PathId::new(0), &children, &mut metrics);
    }
    effort::take_steps();
    assert!((0..1000).all(|_| strategy.select(&mut metrics).is_some()));
    assert!(effort::take_steps() < 1000 * 5);
}
