//! The pending paths by number, and what strategies may ask about them.

use rustc_hash::FxHashMap;
use symcrete_exec::external::Deed;
use symcrete_exec::{Executor, Image, State};
use symcrete_ir::{Block, CallGraph, FuncId};

use crate::path::Path;
use crate::path::aside::Aside;
use crate::path::distance::{Distances, Place};
use crate::path::journal::{Journal, Place as LogPlace, Record};
use crate::path::packing::Unpacker;
use crate::path::strategy::{Metrics, PathId};

/// Where a pending path is.
pub enum Pending {
    Live(Box<Path>),
    /// Its state was dropped for lack of memory; it is rebuilt when its turn comes.
    Aside(Aside),
}

/// Where it is on the board.
enum Standing {
    Live(Box<Path>),
    /// As bytes in memory, where there is no file.
    Here(Box<[u8]>),
    /// In the journal, under the record of its entry.
    InFile,
}

/// What is known of a pending path whether or not its state is there.
struct Entry {
    pending: Option<Standing>,
    /// Where it is written down as it stands.
    record: Option<Record>,
    /// Whether it is among those that may have to be written down.
    is_fresh: bool,
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
    journal: Journal,
    /// Entries that changed since the journal was last brought up to date.
    fresh: Vec<PathId>,
    /// Bytes of paths without states that are in memory.
    held: usize,
    /// How often paths forked at a place.
    visits: FxHashMap<Place, u64>,
    distances: Distances,
    /// Paths that have no number: the strategies have no room for them.
    reserve: Vec<Record>,
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
            journal: Journal::new(LogPlace::None),
            fresh: Vec::new(),
            held: 0,
            visits: FxHashMap::default(),
            distances,
            reserve: Vec::new(),
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

    /// How many paths are here.
    pub fn pending(&self) -> usize {
        self.live + self.aside()
    }

    /// How many of them have no number.
    pub fn reserved(&self) -> usize {
        self.reserve.len()
    }

    pub fn reserved_bytes(&self) -> usize {
        self.reserve.capacity() * size_of::<Record>()
    }

    /// Takes a path that is in the journal off its number, which is to be freed then; `false` if it is not in the journal alone.
    pub fn reserve(&mut self, id: PathId) -> bool {
        let entry = &mut self.entries[id.as_u32() as usize];
        let (Some(Standing::InFile), Some(record)) = (&entry.pending, entry.record) else { return false };
        (entry.pending, entry.record) = (None, None);
        entry.places = Box::default();
        self.aside -= 1;
        self.reserve.push(record);
        true
    }

    /// The same of a path that was never here, as bytes; `false` if there is no journal.
    pub fn put_in_reserve(&mut self, bytes: &[u8]) -> bool {
        let record = self.journal.put(bytes);
        self.reserve.extend(record);
        record.is_some()
    }

    /// Gives a path a number again.
    pub fn call_up(&mut self, at: usize) -> PathId {
        let record = self.reserve.swap_remove(at);
        let depth =
            Unpacker::new(&self.journal.read(record)).number_32().expect("the bytes are those that were packed");
        let id = self.new_entry();
        let entry = &mut self.entries[id.as_u32() as usize];
        (entry.pending, entry.record, entry.depth) = (Some(Standing::InFile), Some(record), depth);
        (entry.since_new, entry.query_cost, entry.gain) = (None, 0, 0);
        self.aside += 1;
        id
    }

    pub fn live(&self) -> usize {
        self.live
    }

    pub fn aside(&self) -> usize {
        self.aside + self.reserve.len()
    }

    /// The most paths that were here at a time.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Bytes of paths without states that are kept in memory.
    pub fn aside_bytes(&self) -> usize {
        self.held
    }

    /// Where paths without states go; without a journal they stay in memory. Said before there are any paths.
    pub fn keep_journal(&mut self, place: LogPlace) {
        debug_assert!(self.entries.is_empty());
        self.journal = Journal::new(place);
    }

    pub fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// How many paths may have to be written down before the journal is up to date.
    pub fn fresh(&self) -> usize {
        self.fresh.len()
    }

    /// Writes down what is pending and is not in the journal as it stands.
    pub fn bring_up_to_date(&mut self, make: impl Fn(&Path) -> Aside) {
        for id in std::mem::take(&mut self.fresh) {
            let entry = &mut self.entries[id.as_u32() as usize];
            entry.is_fresh = false;
            if let (Some(Standing::Live(path)), None) = (&entry.pending, entry.record) {
                entry.record = self.journal.put(&packed(&make(path)));
            }
        }
    }

    /// Rewrites the journal if most of it is gone.
    pub fn tidy_journal(&mut self, stop: &mut dyn FnMut() -> bool) {
        if self.journal.is_worth_rewriting() {
            let numbered = self.entries.iter_mut().filter_map(|entry| entry.record.as_mut());
            let mut records: Vec<&mut Record> = numbered.chain(&mut self.reserve).collect();
            self.journal.rewrite(&mut records, stop);
        }
    }

    pub fn insert(&mut self, pending: Pending) -> PathId {
        let id = self.new_entry();
        self.put(id, pending);
        id
    }

    fn new_entry(&mut self) -> PathId {
        let id = match self.free.pop() {
            Some(id) => id,
            None => {
                self.entries.push(Entry {
                    pending: None,
                    record: None,
                    is_fresh: false,
                    depth: 0,
                    since_new: None,
                    query_cost: 0,
                    gain: 0,
                    places: Box::default(),
                });
                self.entries.len() as u32 - 1
            }
        };
        PathId::from_u32(id)
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
                if self.journal.stays() && !std::mem::replace(&mut entry.is_fresh, true) {
                    self.fresh.push(id);
                }
                Standing::Live(path)
            }
            Pending::Aside(aside) => {
                self.aside += 1;
                entry.depth = aside.depth;
                let bytes = packed(&aside);
                entry.record = self.journal.put(&bytes);
                match entry.record {
                    Some(_) => Standing::InFile,
                    None => {
                        self.held += bytes.len() + OVERHEAD;
                        Standing::Here(bytes.into())
                    }
                }
            }
        });
        self.most = self.most.max(self.pending());
    }

    /// The path stays pending, but its place on the board is empty until it is put back or its number is freed.
    pub fn take(&mut self, id: PathId) -> Option<Pending> {
        let entry = &mut self.entries[id.as_u32() as usize];
        let (taken, record) = (entry.pending.take()?, entry.record.take());
        let taken = match taken {
            Standing::Live(path) => {
                self.live -= 1;
                Pending::Live(path)
            }
            Standing::Here(bytes) => {
                self.aside -= 1;
                self.held -= bytes.len() + OVERHEAD;
                Pending::Aside(unpacked(&bytes))
            }
            Standing::InFile => {
                self.aside -= 1;
                let record = record.expect("what is in the file has a record");
                Pending::Aside(unpacked(&self.journal.read(record)))
            }
        };
        if let Some(record) = record {
            self.journal.remove(record);
        }
        Some(taken)
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
        let places = places(path, image);
        if self.entries[id.as_u32() as usize].record.is_some() {
            // It is written down as it stands.
            self.live -= 1;
            self.aside += 1;
            self.entries[id.as_u32() as usize].pending = Some(Standing::InFile);
        } else {
            let aside = aside(path);
            self.take(id);
            self.put(id, Pending::Aside(aside));
        }
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
        let reserve = std::mem::take(&mut self.reserve);
        let mut all: Vec<Pending> = Vec::new();
        for record in reserve {
            all.push(Pending::Aside(unpacked(&self.journal.read(record))));
            self.journal.remove(record);
        }
        all.extend((0..self.entries.len() as u32).filter_map(|id| self.take(PathId::from_u32(id))));
        all
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

/// What a path as bytes in memory takes beside them.
const OVERHEAD: usize = 16;

fn packed(aside: &Aside) -> Vec<u8> {
    let mut bytes = Vec::new();
    aside.pack(&mut bytes);
    bytes
}

fn unpacked(bytes: &[u8]) -> Aside {
    Aside::unpack(&mut Unpacker::new(bytes)).expect("the bytes are those that were packed")
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
