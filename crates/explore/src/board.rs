//! The pending paths by number, and what strategies may ask about them.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use symcrete_exec::external::Deed;
use symcrete_exec::{Executor, Image, State};
use symcrete_ir::{Block, CallGraph, FuncId};

use crate::aside::Aside;
use crate::distance::{Distances, Place};
use crate::path::Path;
use crate::shelf::{Kept, Shelf};
use crate::strategy::{Metrics, PathId};

/// Where a pending path is.
pub enum Pending {
    Live(Box<Path>),
    /// Its state was dropped for lack of memory; it is rebuilt when its turn comes.
    Aside(Aside),
}

/// Where it is on the board.
enum Standing {
    Live(Box<Path>),
    Aside(Kept),
}

/// What is known of a pending path whether or not its state is there.
struct Entry {
    pending: Option<Standing>,
    depth: u32,
    since_new: Option<u64>,
    query_cost: u64,
    gain: u64,
    /// Where it stands, innermost function first; only while its state is not there.
    places: Box<[Place]>,
}

pub struct Board {
    entries: Vec<Entry>,
    free: Vec<u32>,
    shelf: Shelf,
    /// How often paths forked at a place.
    visits: FxHashMap<Place, u64>,
    distances: Distances,
    live: usize,
    aside: usize,
    most: usize,
}

impl Board {
    /// Code that `wanted` refuses counts as covered.
    pub fn new(image: &Image, wanted: impl Fn(FuncId, Block) -> bool) -> Board {
        let graph = CallGraph::new(&image.program);
        let jumps = |function| matches!(image.deed(function), None | Some(Deed::Jumps));
        let distances = Distances::new(&image.program, &graph, wanted, jumps);
        Board {
            entries: Vec::new(),
            free: Vec::new(),
            shelf: Shelf::default(),
            visits: FxHashMap::default(),
            distances,
            live: 0,
            aside: 0,
            most: 0,
        }
    }

    /// Whether a path may still come to a block that is wanted, as far as the graph tells.
    pub fn may_arrive(&mut self, path: &Path, image: &Image) -> bool {
        self.distances.may_arrive(places(path, image))
    }

    /// The same of a state.
    pub fn may_arrive_from(&mut self, state: &State, image: &Image) -> bool {
        self.distances.may_arrive(places_of(state, image))
    }

    pub fn live(&self) -> usize {
        self.live
    }

    pub fn aside(&self) -> usize {
        self.aside
    }

    /// The most paths that were here at a time.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Bytes of paths without states that are kept in memory.
    pub fn aside_bytes(&self) -> usize {
        self.shelf.held()
    }

    /// Paths without states take at most so many bytes; those past it go to a file in this folder. Said before there are any.
    pub fn limit_asides(&mut self, bytes: usize, folder: Option<PathBuf>) {
        debug_assert_eq!(self.aside, 0);
        self.shelf = Shelf::new(bytes, folder);
    }

    pub fn insert(&mut self, pending: Pending) -> PathId {
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                self.entries.push(Entry {
                    pending: None,
                    depth: 0,
                    since_new: None,
                    query_cost: 0,
                    gain: 0,
                    places: Box::default(),
                });
                self.entries.len() as u32 - 1
            }
        };
        let id = PathId::from_u32(id);
        self.put(id, pending);
        id
    }

    /// Puts a path back under its number, or in the place of its parent.
    pub fn put(&mut self, id: PathId, pending: Pending) {
        let entry = &mut self.entries[id.as_u32() as usize];
        debug_assert!(entry.pending.is_none(), "{id} is on the board");
        entry.pending = Some(match pending {
            Pending::Live(path) => {
                self.live += 1;
                entry.depth = path.depth;
                entry.since_new = path.new_at.map(|at| path.state.steps.saturating_sub(at));
                entry.query_cost = path.query_cost;
                entry.gain = path.gain;
                entry.places = Box::default();
                Standing::Live(path)
            }
            Pending::Aside(aside) => {
                self.aside += 1;
                entry.depth = aside.depth;
                Standing::Aside(self.shelf.put(&aside))
            }
        });
        self.most = self.most.max(self.live + self.aside);
    }

    /// The path stays pending, but its place on the board is empty until it is put back or its number is freed.
    pub fn take(&mut self, id: PathId) -> Option<Pending> {
        let taken = self.entries[id.as_u32() as usize].pending.take()?;
        Some(self.off(taken))
    }

    fn off(&mut self, taken: Standing) -> Pending {
        match taken {
            Standing::Live(path) => {
                self.live -= 1;
                Pending::Live(path)
            }
            Standing::Aside(kept) => {
                self.aside -= 1;
                Pending::Aside(self.shelf.take(kept))
            }
        }
    }

    pub fn path(&self, id: PathId) -> Option<&Path> {
        match &self.entries[id.as_u32() as usize].pending {
            Some(Standing::Live(path)) => Some(path),
            _ => None,
        }
    }

    /// Its number may be used again.
    pub fn free(&mut self, id: PathId) {
        self.free.push(id.as_u32());
    }

    /// Drops the state of a live path, keeping what `aside` makes of it.
    pub fn put_aside(&mut self, id: PathId, image: &Image, aside: impl FnOnce(&Path) -> Aside) -> bool {
        let Some(path) = self.path(id) else { return false };
        let (aside, places) = (aside(path), places(path, image));
        self.take(id);
        self.put(id, Pending::Aside(aside));
        self.entries[id.as_u32() as usize].places = places;
        true
    }

    pub fn live_paths(&self) -> impl Iterator<Item = (PathId, &Path)> {
        self.entries.iter().enumerate().filter_map(|(at, entry)| match &entry.pending {
            Some(Standing::Live(path)) => Some((PathId::from_u32(at as u32), &**path)),
            _ => None,
        })
    }

    /// All that is pending, taken off the board.
    pub fn drain(&mut self) -> Vec<Pending> {
        let all: Vec<Standing> = self.entries.iter_mut().filter_map(|entry| entry.pending.take()).collect();
        all.into_iter().map(|standing| self.off(standing)).collect()
    }

    /// A path forks here.
    pub fn visit(&mut self, place: Place) {
        *self.visits.entry(place).or_default() += 1;
    }

    pub fn cover(&mut self, function: FuncId, block: symcrete_ir::Block) {
        self.distances.cover(function, block);
    }

    /// What strategies may ask.
    pub fn metrics<'a>(&'a mut self, executor: &'a Executor) -> BoardMetrics<'a> {
        BoardMetrics { board: self, image: &executor.image }
    }
}

fn places(path: &Path, image: &Image) -> Box<[Place]> {
    places_of(&path.state, image)
}

fn places_of(state: &State, image: &Image) -> Box<[Place]> {
    let place = |(function, block, instruction)| Place { function, block, instruction };
    state.places(image).map(place).collect()
}

pub struct BoardMetrics<'a> {
    board: &'a mut Board,
    image: &'a Image,
}

impl BoardMetrics<'_> {
    fn entry(&self, path: PathId) -> &Entry {
        &self.board.entries[path.as_u32() as usize]
    }

    fn places(&self, path: PathId) -> Box<[Place]> {
        match &self.entry(path).pending {
            Some(Standing::Live(path)) => places(path, self.image),
            _ => self.entry(path).places.clone(),
        }
    }
}

impl Metrics for BoardMetrics<'_> {
    fn depth(&mut self, path: PathId) -> u32 {
        self.entry(path).depth
    }

    fn since_new(&mut self, path: PathId) -> Option<u64> {
        self.entry(path).since_new
    }

    fn distance_to_uncovered(&mut self, path: PathId) -> Option<u32> {
        let places = self.places(path);
        self.board.distances.to_uncovered(places)
    }

    fn visits(&mut self, path: PathId) -> u64 {
        let places = self.places(path);
        places.first().and_then(|place| self.board.visits.get(place)).copied().unwrap_or(0)
    }

    fn query_cost(&mut self, path: PathId) -> u64 {
        self.entry(path).query_cost
    }

    fn gain(&mut self, path: PathId) -> u64 {
        self.entry(path).gain
    }
}
