//! What a choice costs with 1,000 and with 100,000 pending paths, for every strategy: selecting a path, and telling of the fork or the
//! end that follows. Prints a line for each: its name, the number of pending paths, and nanoseconds for each choice. Names may be given
//! as arguments.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use cranelift_entity::EntityRef;
use symcrete_explore::distance::Place;
use symcrete_explore::strategy::{Branch, Frontier, Metrics, PathId, STRATEGIES, parse};
use symcrete_ir::{Block, FuncId};

const PENDING: [usize; 2] = [1000, 100_000];
const CHOICES: u32 = 300_000;
/// Places where paths fork, as in a program of some hundred lines.
const SITES: u32 = 60;

/// What is asked about paths, as cheap as it can be: here it is the strategies that are measured.
#[derive(Default)]
struct Known {
    depth: Vec<u32>,
    /// Where each path forks next.
    site: Vec<u32>,
    visits: u64,
}

impl Metrics for Known {
    fn depth(&mut self, path: PathId) -> u32 {
        self.depth.get(path.index()).copied().unwrap_or(0)
    }

    fn since_new(&mut self, path: PathId) -> Option<u64> {
        Some(u64::from(self.depth(path)) * 100)
    }

    fn distance_to_uncovered(&mut self, path: PathId) -> Option<u32> {
        Some(1 + path.index() as u32 % 50)
    }

    fn visits(&mut self, path: PathId) -> u64 {
        self.visits / u64::from(SITES) + path.index() as u64 % 7
    }

    fn gain(&mut self, _path: PathId) -> u64 {
        0
    }

    fn query_cost(&mut self, path: PathId) -> u64 {
        u64::from(self.depth(path)) * 3
    }
}

/// A search in which every path that is chosen forks.
struct Search {
    /// How many paths there may be.
    pending: usize,
    frontier: Frontier,
    known: Known,
    free: Vec<PathId>,
}

impl Search {
    fn new(name: &str, pending: usize) -> Search {
        let strategy = parse(name, 1).unwrap_or_else(|error| panic!("{error}"));
        let mut search =
            Search { pending, frontier: Frontier::new(strategy), known: Known::default(), free: Vec::new() };
        let first = search.number(0, 0);
        search.frontier.add(first, &[], &mut search.known);
        search
    }

    fn number(&mut self, depth: u32, site: u32) -> PathId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.known.depth.push(0);
            self.known.site.push(0);
            PathId::new(self.known.depth.len() - 1)
        });
        self.known.depth[id.index()] = depth;
        self.known.site[id.index()] = site;
        id
    }

    /// Lets the strategy choose; the path forks, or ends once there are enough.
    fn choice(&mut self) {
        let Some(path) = self.frontier.select(&mut self.known) else { return };
        self.known.visits += 1;
        if self.frontier.len() >= self.pending {
            self.frontier.remove(path);
            self.free.push(path);
            return;
        }
        let depth = self.known.depth[path.index()] + 1;
        let site = self.known.site[path.index()];
        let place = Place { function: FuncId::new(0), block: Block::new(site as usize), instruction: 0 };
        // Each side leads to a site of its own, so that where a path was says where it is, as in a program.
        let children = [0, 1].map(|direction| {
            let id = self.number(depth, (2 * site + direction + 1) % SITES);
            (id, Branch { site: place, direction })
        });
        self.frontier.fork(path, &children, &mut self.known);
        self.free.push(path);
    }
}

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = STRATEGIES.iter().map(|row| row.name.to_owned()).collect();
        names.iter_mut().filter(|name| *name == "subpath").for_each(|name| name.push_str(":4"));
    }
    for (name, pending) in names.iter().flat_map(|name| PENDING.map(|pending| (name, pending))) {
        let mut search = Search::new(name, pending);
        while search.frontier.len() < pending {
            search.choice();
        }
        let began = Instant::now();
        (0..CHOICES).for_each(|_| search.choice());
        println!("{name} {pending} {}", began.elapsed().as_nanos() / u128::from(CHOICES));
    }
}
