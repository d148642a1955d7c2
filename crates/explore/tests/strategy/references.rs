//! Random sequences of events, told to a strategy and to a reference that stores everything in plain lists and
//! searches them from end to end. A reference says which paths may be chosen.

use symcrete_explore::strategy::{Branch, PathId, Random, STRATEGIES, Strategy, parse};

use crate::support::{Known, Table, branch, path};

/// The pending paths, oldest first, with all their branches.
#[derive(Clone, Default)]
struct Lists {
    paths: Vec<(PathId, Vec<Branch>)>,
    /// Everything that was chosen.
    chosen: Vec<Vec<Branch>>,
}

impl Lists {
    fn take(&mut self, path: PathId) -> Vec<Branch> {
        let at = self.paths.iter().position(|entry| entry.0 == path).unwrap();
        self.paths.remove(at).1
    }

    fn all(&self) -> Vec<PathId> {
        let mut all: Vec<PathId> = self.paths.iter().map(|entry| entry.0).collect();
        all.sort();
        all
    }

    /// Algorithm 2: all paths whose subpath has the lowest frequency, oldest first.
    fn least_travelled(&self, length: usize) -> Vec<PathId> {
        let subpath = |branches: &[Branch]| branches[branches.len().saturating_sub(length)..].to_vec();
        let frequency = |branches: &[Branch]| {
            let subpath_here = subpath(branches);
            self.chosen.iter().filter(|chosen| subpath(chosen) == subpath_here).count()
        };
        let lowest = self.paths.iter().map(|entry| frequency(&entry.1)).min();
        self.paths.iter().filter(|entry| Some(frequency(&entry.1)) == lowest).map(|entry| entry.0).collect()
    }

    /// The paths that a strategy may choose now.
    fn candidates(&self, strategy: &str) -> Vec<PathId> {
        let latest_of = |paths: Vec<PathId>| paths.last().copied().into_iter().collect();
        let in_order: Vec<PathId> = self.paths.iter().map(|entry| entry.0).collect();
        match strategy.split(':').collect::<Vec<_>>()[..] {
            ["dfs"] => latest_of(in_order),
            ["bfs"] => in_order.first().copied().into_iter().collect(),
            ["subpath", length] => self.least_travelled(length.parse().unwrap()),
            ["subpath", length, "latest"] => latest_of(self.least_travelled(length.parse().unwrap())),
            _ => in_order,
        }
    }
}

/// What happens to paths, at random.
struct Events {
    random: Random,
    lists: Lists,
    table: Table,
    made: usize,
    /// About how many paths to keep pending.
    crowd: u64,
}

impl Events {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let crowd = 1 + random.below(60);
        Events { random, lists: Lists::default(), table: Table::default(), made: 0, crowd }
    }

    fn any(&mut self) -> PathId {
        self.lists.paths[self.random.below(self.lists.paths.len() as u64) as usize].0
    }

    fn fresh(&mut self) -> PathId {
        self.made += 1;
        self.learn(path(self.made));
        path(self.made)
    }

    /// Gives a path other metrics.
    fn learn(&mut self, path: PathId) {
        let random = &mut self.random;
        let known = Known {
            depth: random.below(5000) as u32,
            since_new: Some(random.below(3000)).filter(|since| since % 3 > 0),
            distance: Some(random.below(100) as u32).filter(|distance| *distance > 20),
            visits: random.below(1000),
            query_cost: random.below(100),
        };
        self.table.0.insert(path, known);
    }

    fn branch(&mut self) -> Branch {
        branch(self.random.below(4) as usize, self.random.below(2) as u32)
    }

    fn add(&mut self, strategy: &mut dyn Strategy) {
        let path = self.fresh();
        let history: Vec<Branch> = (0..self.random.below(6)).map(|_| self.branch()).collect();
        strategy.add(path, &history, &mut self.table);
        self.lists.paths.push((path, history));
    }

    fn fork(&mut self, strategy: &mut dyn Strategy, parent: PathId) {
        let history = self.lists.take(parent);
        let (count, keeps_number) = (self.random.below(4), self.random.below(2) == 0);
        let mut children = Vec::new();
        for number in 0..count {
            let child = if number == 0 && keeps_number { parent } else { self.fresh() };
            children.push((child, self.branch()));
        }
        strategy.fork(parent, &children, &mut self.table);
        for (child, branch) in children {
            self.lists.paths.push((child, [&history[..], &[branch]].concat()));
        }
    }

    /// Tells of one event.
    fn happen(&mut self, strategy: &mut dyn Strategy) {
        let crowded = self.random.below(2 * self.crowd) < self.lists.paths.len() as u64;
        match self.random.below(8) {
            _ if self.lists.paths.is_empty() => self.add(strategy),
            0 if !crowded => self.add(strategy),
            1..5 if !crowded => {
                let parent = self.any();
                self.fork(strategy, parent);
            }
            5 => {
                let path = self.any();
                self.learn(path);
                strategy.update(path, &mut self.table);
            }
            _ if crowded => {
                let path = self.any();
                strategy.remove(path);
                self.lists.take(path);
            }
            _ => {}
        }
    }

    fn check_choice(&mut self, strategy: &mut dyn Strategy, name: &str) {
        let candidates = self.lists.candidates(name);
        let choice = strategy.select(&mut self.table);
        match choice {
            Some(path) => {
                assert!(candidates.contains(&path), "{name} chose {path} instead of one of {candidates:?}");
                strategy.chosen(path);
                let history = self.lists.paths.iter().find(|entry| entry.0 == path).unwrap().1.clone();
                self.lists.chosen.push(history);
                if self.random.below(2) == 0 {
                    self.fork(strategy, path);
                }
            }
            None => assert!(candidates.is_empty(), "{name} chose nothing"),
        }
    }
}

fn run(name: &str, members: &[&str], rounds: usize) {
    for seed in 0..15 {
        let mut events = Events::new(seed);
        let mut strategy = parse(name, seed).unwrap();
        for round in 0..rounds {
            for _ in 0..events.random.below(4) {
                events.happen(&mut *strategy);
            }
            events.check_choice(&mut *strategy, members[round % members.len()]);
            if round % 16 == 0 {
                let mut ranking = strategy.ranking();
                ranking.sort();
                assert_eq!(ranking, events.lists.all(), "{name}");
            }
        }
    }
}

#[test]
fn each_strategy_agrees_with_its_reference() {
    for row in STRATEGIES {
        match row.name {
            "combined" => run("combined", &["subpath:1", "subpath:2", "subpath:4", "subpath:8"], 200),
            "subpath" => {
                for name in ["subpath:1", "subpath:2", "subpath:3:latest", "subpath:1:latest", "subpath:16"] {
                    run(name, &[name], 200);
                }
            }
            name => run(name, &[name], 200),
        }
    }
}

#[test]
fn members_of_a_list_choose_in_turns_and_see_everything() {
    run("subpath:2, random-path", &["subpath:2", "random-path"], 200);
    run("dfs,bfs,subpath:1:latest", &["dfs", "bfs", "subpath:1:latest"], 200);
}

#[test]
fn the_same_seed_chooses_the_same_paths() {
    let choices = |name: &str, seed: u64| {
        let (mut events, mut strategy) = (Events::new(5), parse(name, seed).unwrap());
        let mut choices = Vec::new();
        for _ in 0..300 {
            events.happen(&mut *strategy);
            choices.extend(strategy.select(&mut events.table));
        }
        choices
    };
    for row in STRATEGIES {
        let name = row.usage().replace(":N", ":2").replace("[:latest]", "");
        assert_eq!(choices(&name, 1), choices(&name, 1), "{name}");
        let random = !["dfs", "bfs", "generational"].contains(&row.name);
        assert_eq!(choices(&name, 1) != choices(&name, 2), random, "{name}");
    }
}

/// The last paths of the ranking are those that the strategy would choose first.
#[test]
fn the_ranking_ends_with_what_is_chosen_next() {
    for name in ["dfs", "bfs", "subpath:2:latest"] {
        let (mut events, mut strategy) = (Events::new(8), parse(name, 0).unwrap());
        for _ in 0..300 {
            events.happen(&mut *strategy);
            let choice = strategy.select(&mut events.table);
            assert_eq!(strategy.ranking().last().copied(), choice, "{name}");
            choice.into_iter().for_each(|path| strategy.chosen(path));
        }
    }
}
