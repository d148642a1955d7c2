//! The examples of "Steering Symbolic Execution to Less Traveled Paths": the program of figure 1 by its branches,
//! tables 1 and 2 step by step (without their misprints: table 1 picks path 1 in step 8 and prints s5t for s5f from
//! there on, table 2 picks path 1 in step 10), and the fork bomb of section 2.3.

use cranelift_entity::EntityRef;
use symcrete_explore::strategy::{Branch, Frontier, PathId, Random, Strategy, Subpath, SubpathCount, Ties, parse};

use crate::support::{Table, branch};

/// Where a side of a branch leads.
#[derive(Copy, Clone)]
enum To {
    Branch(usize),
    /// The path ends at this statement.
    End(usize),
}
use To::{Branch as At, End};

/// For each branch: the true side, then the false side.
type Program = fn(usize) -> [To; 2];

const TRUE: u32 = 0;

fn figure_1(site: usize) -> [To; 2] {
    match site {
        0 => [At(5), At(8)],
        5 => [End(6), At(8)],
        8 => [At(9), End(4)],
        9 => [End(10), End(4)],
        _ => unreachable!("s{site} is no branch"),
    }
}

fn name(branch: &Branch) -> String {
    format!("s{}{}", branch.site.block.index(), if branch.direction == TRUE { 't' } else { 'f' })
}

fn names(branches: &[Branch]) -> String {
    branches.iter().map(name).collect()
}

/// A pending path: what it did, and what comes next.
struct Pending {
    id: PathId,
    taken: Vec<Branch>,
    next: To,
}

/// Runs a program with a strategy: the executor of these tests.
struct Run<S: ?Sized> {
    program: Program,
    strategy: Box<S>,
    pending: Vec<Pending>,
    made: usize,
}

impl<S: Strategy + ?Sized> Run<S> {
    /// The path is at the first branch, chosen, and about to fork.
    fn new(program: Program, mut strategy: Box<S>) -> Self {
        let first = Pending { id: PathId::new(0), taken: Vec::new(), next: At(0) };
        strategy.add(first.id, &[], &mut Table::default());
        Run { program, strategy, pending: vec![first], made: 1 }
    }

    /// One round of algorithm 1. Returns the number of the picked path among the pending ones, from 1, and the path
    /// that ended.
    fn step(&mut self) -> Option<(usize, Option<String>)> {
        let metrics = &mut Table::default();
        let picked = self.strategy.select(metrics)?;
        self.strategy.chosen(picked);
        let at = self.pending.iter().position(|pending| pending.id == picked).unwrap();
        let Pending { taken, next, .. } = self.pending.remove(at);
        let ended = match next {
            End(statement) => {
                self.strategy.remove(picked);
                Some(format!("{}s{statement}", names(&taken)))
            }
            At(site) => {
                let sides = (0..).zip((self.program)(site)).map(|(direction, next)| {
                    let branch = branch(site, direction);
                    Pending {
                        id: PathId::new(self.made + direction as usize),
                        taken: [&taken[..], &[branch]].concat(),
                        next,
                    }
                });
                let sides: Vec<Pending> = sides.collect();
                self.made += 2;
                let children: Vec<_> = sides.iter().map(|side| (side.id, *side.taken.last().unwrap())).collect();
                self.strategy.fork(picked, &children, metrics);
                self.pending.extend(sides);
                None
            }
        };
        Some((at + 1, ended))
    }

    fn pending(&self) -> String {
        let paths = (1..).zip(&self.pending).map(|(number, path)| format!("{number}:{}", names(&path.taken)));
        paths.collect::<Vec<_>>().join(" ")
    }

    /// The paths in the order in which they end, up to so many steps.
    fn ends(&mut self, steps: usize) -> Vec<String> {
        (0..steps).map_while(|_| self.step()).filter_map(|(_, ended)| ended).collect()
    }
}

/// As the tables print it: subpaths with pending paths have a star. The initial path's, which has no branches, is not
/// printed.
fn queue(entries: &[SubpathCount]) -> Vec<String> {
    let printed = entries.iter().filter(|entry| !entry.subpath.is_empty()).map(|entry| {
        format!("({}{},{})", if entry.pending > 0 { "*" } else { "" }, names(&entry.subpath), entry.frequency)
    });
    let mut printed: Vec<String> = printed.collect();
    printed.sort();
    printed
}

/// Follows a table: pending paths, queue, path to pick, generated case.
fn follow(length: usize, table: &[(&str, &str, usize, &str)]) -> Vec<String> {
    let mut run = Run::new(figure_1, Box::new(Subpath::new(length, Ties::Latest, Random::new(0))));
    assert_eq!(run.step(), Some((1, None)));
    let mut cases = Vec::new();
    for (step, (pending, expected, pick, case)) in (1..).zip(table) {
        assert_eq!(run.pending(), *pending, "step {step}");
        let entries = run.strategy.queue();
        assert!(entries.is_sorted_by_key(|entry| entry.frequency));
        let mut expected: Vec<String> = expected.split(' ').map(str::to_owned).collect();
        expected.sort();
        assert_eq!(queue(&entries), expected, "step {step}");
        let (picked, ended) = run.step().unwrap();
        assert_eq!((picked, ended.as_deref().unwrap_or("")), (*pick, *case), "step {step}");
        cases.extend(ended);
    }
    cases.extend(run.ends(usize::MAX));
    cases
}

#[test]
fn table_1_length_1() {
    let cases = follow(
        1,
        &[
            ("1:s0t 2:s0f", "(*s0t,0) (*s0f,0)", 2, ""),
            ("1:s0t 2:s0fs8t 3:s0fs8f", "(*s0t,0) (*s8t,0) (*s8f,0) (s0f,1)", 3, "s0fs8fs4"),
            ("1:s0t 2:s0fs8t", "(*s0t,0) (*s8t,0) (s8f,1) (s0f,1)", 2, ""),
            ("1:s0t 2:s0fs8ts9t 3:s0fs8ts9f", "(*s0t,0) (*s9t,0) (*s9f,0) (s8t,1) (s8f,1) (s0f,1)", 3, "s0fs8ts9fs4"),
            ("1:s0t 2:s0fs8ts9t", "(*s0t,0) (*s9t,0) (s9f,1) (s8t,1) (s8f,1) (s0f,1)", 2, "s0fs8ts9ts10"),
            ("1:s0t", "(*s0t,0) (s9t,1) (s9f,1) (s8t,1) (s8f,1) (s0f,1)", 1, ""),
            ("1:s0ts5t 2:s0ts5f", "(*s5t,0) (*s5f,0) (s0t,1) (s9t,1) (s9f,1) (s8t,1) (s8f,1) (s0f,1)", 2, ""),
            (
                "1:s0ts5t 2:s0ts5fs8t 3:s0ts5fs8f",
                "(*s5t,0) (s5f,1) (s0t,1) (s9t,1) (s9f,1) (*s8t,1) (*s8f,1) (s0f,1)",
                1,
                "s0ts5ts6",
            ),
            (
                "1:s0ts5fs8t 2:s0ts5fs8f",
                "(s5t,1) (s5f,1) (s0t,1) (s9t,1) (s9f,1) (*s8t,1) (*s8f,1) (s0f,1)",
                2,
                "s0ts5fs8fs4",
            ),
        ],
    );
    assert_eq!(cases.len(), 7);
    assert_eq!(cases_to_cover(&cases), Some(5));
}

#[test]
fn table_2_length_2() {
    let cases = follow(
        2,
        &[
            ("1:s0t 2:s0f", "(*s0t,0) (*s0f,0)", 2, ""),
            ("1:s0t 2:s0fs8t 3:s0fs8f", "(*s0t,0) (*s0fs8t,0) (*s0fs8f,0) (s0f,1)", 3, "s0fs8fs4"),
            ("1:s0t 2:s0fs8t", "(*s0t,0) (*s0fs8t,0) (s0fs8f,1) (s0f,1)", 2, ""),
            (
                "1:s0t 2:s0fs8ts9t 3:s0fs8ts9f",
                "(*s0t,0) (*s8ts9t,0) (*s8ts9f,0) (s0fs8t,1) (s0fs8f,1) (s0f,1)",
                3,
                "s0fs8ts9fs4",
            ),
            ("1:s0t 2:s0fs8ts9t", "(*s0t,0) (*s8ts9t,0) (s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0f,1)", 2, "s0fs8ts9ts10"),
            ("1:s0t", "(*s0t,0) (s8ts9t,1) (s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0f,1)", 1, ""),
            (
                "1:s0ts5t 2:s0ts5f",
                "(*s0ts5t,0) (*s0ts5f,0) (s8ts9t,1) (s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0t,1) (s0f,1)",
                2,
                "",
            ),
            // The table forgets s0ts5f, which step 7 picked and so counted, from here on.
            (
                "1:s0ts5t 2:s0ts5fs8t 3:s0ts5fs8f",
                "(*s0ts5t,0) (*s5fs8t,0) (*s5fs8f,0) (s0ts5f,1) \
                 (s8ts9t,1) (s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0t,1) (s0f,1)",
                3,
                "s0ts5fs8fs4",
            ),
            (
                "1:s0ts5t 2:s0ts5fs8t",
                "(*s0ts5t,0) (*s5fs8t,0) (s5fs8f,1) (s0ts5f,1) \
                 (s8ts9t,1) (s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0t,1) (s0f,1)",
                2,
                "",
            ),
            (
                "1:s0ts5t 2:s0ts5fs8ts9t 3:s0ts5fs8ts9f",
                "(*s0ts5t,0) (s5fs8t,1) (s5fs8f,1) (s0ts5f,1) \
                 (*s8ts9t,1) (*s8ts9f,1) (s0fs8t,1) (s0fs8f,1) (s0t,1) (s0f,1)",
                1,
                "s0ts5ts6",
            ),
        ],
    );
    assert_eq!(cases.len(), 7);
    assert_eq!(cases_to_cover(&cases), Some(5));
}

/// How many of the cases it takes until every side of every branch, and so every statement, was executed.
fn cases_to_cover(cases: &[String]) -> Option<usize> {
    let sides = ["s0t", "s0f", "s5t", "s5f", "s8t", "s8f", "s9t", "s9f"];
    (1..=cases.len()).find(|count| sides.iter().all(|side| cases[..*count].iter().any(|case| case.contains(side))))
}

#[test]
fn depth_first_needs_all_seven_cases() {
    let cases = Run::new(figure_1, parse("dfs", 0).unwrap()).ends(usize::MAX);
    assert_eq!(
        cases,
        ["s0fs8fs4", "s0fs8ts9fs4", "s0fs8ts9ts10", "s0ts5fs8fs4", "s0ts5fs8ts9fs4", "s0ts5fs8ts9ts10", "s0ts5ts6"]
    );
    assert_eq!(cases_to_cover(&cases), Some(7));
}

#[test]
fn every_strategy_finds_all_seven_paths() {
    let mut expected = Run::new(figure_1, parse("dfs", 0).unwrap()).ends(usize::MAX);
    expected.sort();
    for text in [
        "bfs",
        "random-state",
        "random-path",
        "covnew",
        "md2u",
        "depth",
        "icnt",
        "query-cost",
        "subpath:1",
        "subpath:100",
    ] {
        for seed in 0..20 {
            for text in [text, "combined", &format!("{text},dfs")] {
                let mut cases = Run::new(figure_1, parse(text, seed).unwrap()).ends(usize::MAX);
                cases.sort();
                assert_eq!(cases, expected, "{text}, seed {seed}");
            }
        }
    }
}

/// Figure 1 with a loop, on a symbolic bound, between s9 and its end: the path that stays in it is the latest.
fn fork_bomb(site: usize) -> [To; 2] {
    match site {
        9 => [End(10), At(11)],
        11 => [End(4), At(11)],
        _ => figure_1(site),
    }
}

#[test]
fn a_fork_bomb_starves_depth_first_search_only() {
    let outside = |cases: &[String]| cases.iter().filter(|case| !case.contains("s11")).count();
    let mut run = Run::new(fork_bomb, parse("dfs", 0).unwrap());
    assert_eq!(outside(&run.ends(1000)), 1);
    let names =
        ["subpath:1:latest", "subpath:2:latest", "subpath:1", "subpath:2", "subpath:4", "combined", "random-path"];
    for text in names {
        for seed in 0..20 {
            let mut run = Run::new(fork_bomb, parse(text, seed).unwrap());
            // The five paths that do not enter the loop: s0f s8f, s0f s8t s9t, s0t s5t, s0t s5f s8f, s0t s5f s8t s9t.
            assert_eq!(outside(&run.ends(200)), 5, "{text}, seed {seed}");
        }
    }
}

/// "When both conditions in s11' are executed once, it prefers those states with a zero count"; when there are no
/// more, it is the loop's turn again.
#[test]
fn the_loop_waits_for_what_was_never_travelled() {
    let mut run = Run::new(fork_bomb, Box::new(Subpath::new(1, Ties::Latest, Random::new(0))));
    let mut looped = false;
    for _ in 0..100 {
        let queue = run.strategy.queue();
        let never_travelled = queue.iter().any(|entry| entry.pending > 0 && entry.frequency == 0);
        let times = |direction| {
            let entry = queue.iter().find(|entry| entry.subpath == [branch(11, direction)]);
            entry.map_or(0, |entry| entry.frequency)
        };
        if never_travelled {
            assert!(times(0) <= 1 && times(1) <= 1);
        }
        looped |= times(0) > 1 || times(1) > 1;
        run.step().unwrap();
    }
    assert!(looped);
}

#[test]
fn a_frontier_tells_who_is_pending() {
    let metrics = &mut Table::default();
    let mut frontier = Frontier::new(parse("dfs", 0).unwrap());
    let path = PathId::new;
    frontier.add(path(0), &[], metrics);
    for (number, depth) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
        metrics.0.insert(path(number), crate::support::Known { depth, ..Default::default() });
    }
    assert_eq!(frontier.select(metrics), Some(path(0)));
    frontier.fork(path(0), &[(path(1), branch(0, 0)), (path(2), branch(0, 1))], metrics);
    assert_eq!(frontier.select(metrics), Some(path(2)));
    frontier.fork(path(2), &[(path(3), branch(1, 0)), (path(4), branch(1, 1))], metrics);
    assert_eq!((frontier.len(), frontier.contains(path(2)), frontier.contains(path(4))), (3, false, true));
    assert_eq!(frontier.shallowest(), Some(path(1)));
    assert_eq!(frontier.least_promising(2, |_| true), [path(1), path(3)]);
    assert_eq!(frontier.least_promising(2, |other| other != path(1)), [path(3), path(4)]);
    frontier.remove(path(1));
    frontier.update(path(4), metrics);
    assert_eq!(frontier.select(metrics), Some(path(4)));
    frontier.fork(path(4), &[], metrics);
    assert_eq!(frontier.shallowest(), Some(path(3)));
    frontier.remove(path(3));
    assert!(frontier.is_empty() && frontier.select(metrics).is_none() && frontier.shallowest().is_none());
}
