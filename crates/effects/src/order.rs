//! In which order a function writes and reads: what every path through it writes, and what it reads of what was there before and not of what it
//! wrote itself. Looked for when it is known what it may do (`walk.rs`): a place counts as written only if a store has no other.
//!
//! Two questions of data flow, each answered by the largest sets for which all blocks and calls agree: what a call has written when it comes back,
//! and what has been written when a function is entered.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_ir::{Block, Body, Cfg, Terminator};

use super::held::Held;

/// Address and bytes.
pub type Range = (u64, u32);

/// What happens in a block that matters here, in its order.
pub enum Deed {
    Write(Range),
    /// A load: from where, if that is one place, and what its address may be.
    Read(Option<Range>, Held, u32),
    /// A call of one of these nodes, or perhaps of something else.
    Call(Callees),
}

#[derive(Clone, Default)]
pub struct Callees {
    pub nodes: SmallVec<[usize; 2]>,
    pub others: bool,
}

/// A function called with certain arguments, as it was gone through.
pub struct Flow<'a> {
    pub body: &'a Body,
    /// Those of its blocks that are reached.
    pub blocks: Vec<(Block, Vec<Deed>)>,
}

/// What is always written by the first function, and what is read before it is written by any.
pub struct Order {
    pub always: Vec<Range>,
    pub read: Vec<(Held, u32)>,
}

/// Some of the places that are written; `None`: all, because nothing comes there.
type Set = Option<Vec<u64>>;

/// More places than that are too many to keep apart.
const MOST_PLACES: usize = 1 << 12;

struct Places {
    all: Vec<Range>,
    numbers: FxHashMap<Range, usize>,
}

impl Places {
    fn of(flows: &[Flow]) -> Places {
        let mut places = Places { all: Vec::new(), numbers: FxHashMap::default() };
        for deed in flows.iter().flat_map(|flow| &flow.blocks).flat_map(|(_, deeds)| deeds) {
            if let Deed::Write(range) = deed
                && places.all.len() < MOST_PLACES
                && !places.numbers.contains_key(range)
            {
                places.numbers.insert(*range, places.all.len());
                places.all.push(*range);
            }
        }
        places
    }

    fn none(&self) -> Set {
        Some(vec![0; self.all.len().div_ceil(64)])
    }

    fn add(&self, set: &mut Set, range: &Range) {
        if let (Some(set), Some(number)) = (set, self.numbers.get(range)) {
            set[number / 64] |= 1 << (number % 64);
        }
    }

    /// Those in a set.
    fn list<'a>(&'a self, set: &'a [u64]) -> impl Iterator<Item = Range> + 'a {
        (0..self.all.len()).filter(|number| set[number / 64] >> (number % 64) & 1 == 1).map(|number| self.all[number])
    }

    fn is_written(&self, set: &Set, (address, bytes): Range) -> bool {
        let covers = |(at, size): Range| at <= address && address + u64::from(bytes) <= at + u64::from(size);
        set.as_ref().is_none_or(|set| self.list(set).any(covers))
    }
}

/// Leaves what is in both. Whether that is less.
fn meet(set: &mut Set, other: &Set) -> bool {
    let Some(other) = other else { return false };
    match set {
        None => {
            *set = Some(other.clone());
            true
        }
        Some(set) => {
            let mut is_less = false;
            for (word, other) in set.iter_mut().zip(other) {
                is_less |= *word & !other != 0;
                *word &= other;
            }
            is_less
        }
    }
}

/// Adds what is in another.
fn join(set: &mut Set, other: &Set) {
    match (set.as_mut(), other) {
        (Some(set), Some(other)) => set.iter_mut().zip(other).for_each(|(word, other)| *word |= other),
        _ => *set = None,
    }
}

struct Search<'a> {
    flows: &'a [Flow<'a>],
    graphs: Vec<Cfg>,
    places: Places,
    /// What a node has written when it comes back, and what has been written when it is entered.
    after: Vec<Set>,
    before: Vec<Set>,
}

/// The first of the flows is the one whose order is asked for.
pub fn order(flows: &[Flow]) -> Order {
    let places = Places::of(flows);
    let graphs = flows.iter().map(|flow| Cfg::new(flow.body)).collect();
    let mut search = Search { flows, graphs, after: vec![None; flows.len()], before: vec![None; flows.len()], places };
    let mut changed = true;
    while changed {
        changed = false;
        for node in (0..flows.len()).rev() {
            let nothing = search.places.none();
            let ends = search.through(node, nothing, &mut |_, _, _| {});
            changed |= meet(&mut search.after[node], &ends);
        }
    }
    search.before[0] = search.places.none();
    let mut changed = true;
    while changed {
        changed = false;
        for node in 0..flows.len() {
            let mut entered: Vec<(usize, Set)> = Vec::new();
            let begin = search.before[node].clone();
            search.through(node, begin, &mut |_, deed, set| {
                if let Deed::Call(callees) = deed {
                    entered.extend(callees.nodes.iter().map(|callee| (*callee, set.clone())));
                }
            });
            for (callee, set) in entered {
                changed |= meet(&mut search.before[callee], &set);
            }
        }
    }
    let mut read = Vec::new();
    for node in 0..flows.len() {
        let begin = search.before[node].clone();
        search.through(node, begin, &mut |places, deed, set| {
            if let Deed::Read(range, address, bytes) = deed
                && !range.is_some_and(|range| places.is_written(set, range))
                && set.is_some()
            {
                read.push((address.clone(), *bytes));
            }
        });
    }
    let always = search.after[0].as_ref().map(|set| search.places.list(set).collect()).unwrap_or_default();
    Order { always, read }
}

impl Search<'_> {
    /// Goes through a node from what was written before it. What is when it returns; `visit` sees each deed with what is written then.
    fn through(&self, node: usize, begin: Set, visit: &mut dyn FnMut(&Places, &Deed, &Set)) -> Set {
        let (flow, graph) = (&self.flows[node], &self.graphs[node]);
        let mut ends: SecondaryMap<Block, Set> = SecondaryMap::with_default(None);
        let into = |ends: &SecondaryMap<Block, Set>, block: Block| {
            let mut set = if block == Block::ENTRY { begin.clone() } else { None };
            for edge in graph.predecessors(block) {
                meet(&mut set, &ends[graph.source(*edge)]);
            }
            set
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (block, deeds) in &flow.blocks {
                let mut set = into(&ends, *block);
                deeds.iter().for_each(|deed| self.apply(deed, &mut set));
                changed |= meet(&mut ends[*block], &set);
            }
        }
        let mut back = None;
        for (block, deeds) in &flow.blocks {
            let mut set = into(&ends, *block);
            for deed in deeds {
                visit(&self.places, deed, &set);
                self.apply(deed, &mut set);
            }
            if matches!(flow.body.blocks[*block].terminator, Terminator::Return(_) | Terminator::Resume(_)) {
                meet(&mut back, &set);
            }
        }
        back
    }

    fn apply(&self, deed: &Deed, set: &mut Set) {
        match deed {
            Deed::Write(range) => self.places.add(set, range),
            Deed::Read(..) => {}
            Deed::Call(callees) => {
                let is_other = callees.others || callees.nodes.is_empty();
                let mut after = if is_other { self.places.none() } else { None };
                callees.nodes.iter().for_each(|callee| {
                    meet(&mut after, &self.after[*callee]);
                });
                join(set, &after);
            }
        }
    }
}
