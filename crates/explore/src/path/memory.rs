//! The memory limit: expressions that nobody uses are collected, and states are put aside as decision strings, which rebuild them when
//! their turn comes. Of very many paths, strategies are told of a part only; the others are a list of places in the journal, from which any come back
//! when the strategies have room. Nothing is lost.

use symcrete_exec::state::Seen;
use symcrete_solver::SeenConditions;

use crate::path::aside::Aside;
use crate::path::strategy::PathId;
use crate::session::Session;

/// What a search may take, and what it took when that was last looked at.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes of all that is counted.
    limit: usize,
    /// Bytes that the process may take: those of all workers.
    most_resident: usize,
    /// What it took before there were any paths, and how much of the limit is used, in thousandths: less where the process turns out to take
    /// more than what is counted.
    base: usize,
    share: usize,
    /// Calls until the process is asked what it takes.
    patience: u32,
    /// Bytes that one state takes on average, as measured.
    per_state: usize,
    /// How many states there were when that was measured.
    measured_at: usize,
    /// Bytes of the expressions when they were last collected, or at first.
    collected: usize,
}

/// The smallest arena that is worth collecting.
const WORTH_COLLECTING: usize = 4 << 20;

/// What a pending path takes beside its state: its entry, and what the strategies know of it. Measured with the default strategy.
const BESIDE_STATE: usize = 448;

/// Paths that strategies know of however small the limit is: fewer would change the order of the search too much.
const ALWAYS_KNOWN: usize = 1 << 17;

/// Live states for which there is always room.
const FEWEST_LIVE: usize = 32;

/// Calls between two looks at what the process takes.
const PATIENCE: u32 = 256;

/// All of the limit, the least of it that is used, and how the share goes up and down.
const WHOLE: usize = 1000;
const LEAST: usize = 100;
const DOWN: usize = 850;
const UP: usize = 1050;

impl Budget {
    /// For one of several workers.
    pub fn new(limit: usize, workers: usize) -> Budget {
        Budget {
            limit,
            most_resident: limit.saturating_mul(workers),
            base: resident().unwrap_or(0) / workers.max(1),
            share: WHOLE,
            patience: PATIENCE,
            per_state: 4096,
            measured_at: 0,
            collected: 0,
        }
    }

    /// What one state takes on average, if that was measured.
    pub fn state_bytes(&self) -> Option<usize> {
        (self.measured_at > 0).then_some(self.per_state)
    }

    /// What paths and expressions may take: where the program itself takes most of the limit, a part of it nevertheless.
    fn room(&self) -> usize {
        let room = self.limit.saturating_sub(self.base).max(self.limit / 4);
        (room as u128 * self.share as u128 / WHOLE as u128) as usize
    }

    /// Asks the process from time to time what it takes. Allocations are larger than what was asked for, and not all of them are counted: so less of
    /// the limit is used if that is more than the limit.
    fn adjust(&mut self) {
        self.patience -= 1;
        if self.patience > 0 {
            return;
        }
        self.patience = PATIENCE;
        let Some(resident) = resident() else { return };
        if resident > self.most_resident {
            self.share = (self.share * DOWN / WHOLE).max(LEAST);
        } else if resident < self.most_resident / 5 * 4 {
            self.share = (self.share * UP / WHOLE).min(WHOLE);
        }
    }
}

/// Bytes of the process that are in memory.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

impl Session {
    /// Stays within the budget.
    pub(crate) fn keep_within_budget(&mut self) {
        self.worklist.budget.adjust();
        let live = self.worklist.board.live();
        if live > self.worklist.budget.measured_at * 5 / 4 + 64 {
            self.measure();
        }
        let room = self.worklist.budget.room();
        let paths = self.paths_bytes();
        let arena = self.machine.executor.arena.bytes();
        let worth = arena > WORTH_COLLECTING.min(room / 4) && arena > 2 * self.worklist.budget.collected;
        if worth && (arena + paths > room || arena > 8 * self.worklist.budget.collected.max(WORTH_COLLECTING)) {
            self.collect();
        }
        if self.machine.executor.arena.bytes() + paths > room && live > self.least_live() {
            self.put_states_aside();
        }
        // Strategies know of no more paths than there is room for.
        if !self.has_room() && self.worklist.board.journal().is_open() {
            self.reserve();
        }
    }

    /// Whether strategies may be told of another path.
    pub(crate) fn has_room(&self) -> bool {
        self.worklist.frontier.len() <= (self.worklist.budget.room() / 3 / BESIDE_STATE).max(ALWAYS_KNOWN)
    }

    /// As many states stay however short memory is, since all paths are looked at to find those that are to go. Where states are large, fewer.
    fn least_live(&self) -> usize {
        let affordable = self.worklist.budget.room() / 4 / self.worklist.budget.per_state.max(1);
        (1 + self.worklist.frontier.len() / 64).min(affordable.max(FEWEST_LIVE))
    }

    /// What pending paths take.
    fn paths_bytes(&self) -> usize {
        self.worklist.board.live() * self.worklist.budget.per_state
            + self.worklist.board.aside_bytes()
            + self.worklist.board.reserved_bytes()
            + self.worklist.frontier.len() * BESIDE_STATE
    }

    fn measure(&mut self) {
        let mut seen = Seen::default();
        let (mut bytes, mut count) = (0, 0);
        for (_, path) in self.worklist.board.live_paths() {
            bytes += path.state.footprint(&mut seen) + path.bytes_beside_state();
            count += 1;
        }
        // Allocators round up.
        self.worklist.budget.per_state = bytes / std::cmp::max(count, 1) * 9 / 8;
        self.worklist.budget.measured_at = count;
    }

    /// Drops the expressions that no state refers to.
    fn collect(&mut self) {
        let mut roots = Vec::new();
        let mut seen = Seen::default();
        let mut seen_conditions = SeenConditions::default();
        for (_, path) in self.worklist.board.live_paths() {
            path.state.visit_exprs(&mut seen, &mut |expr| roots.push(expr));
            path.conditions.visit_unseen(&mut seen_conditions, |expr| roots.push(expr));
            roots.extend(path.choices.iter().map(|(_, condition)| condition));
            roots.extend(path.asked);
        }
        drop(seen);
        if let Some(kept) = &self.suite.kept {
            kept.for_each_expr(|expr| roots.push(expr));
        }
        self.machine.executor.arena.collect(roots);
        self.worklist.budget.collected = self.machine.executor.arena.bytes();
    }

    /// Half of what may live stays.
    fn put_states_aside(&mut self) {
        let room = self.worklist.budget.room();
        let beside = self.paths_bytes() - self.worklist.board.live() * self.worklist.budget.per_state;
        let used = self.machine.executor.arena.bytes().min(room / 2) + beside;
        let keep =
            (room.saturating_sub(used) / 2 / self.worklist.budget.per_state.max(1)).max(self.least_live() / 2).max(1);
        let surplus = self.worklist.board.live().saturating_sub(keep);
        for id in self.worklist.least_promising(surplus) {
            self.put_aside(id);
        }
        self.worklist.budget.measured_at = self.worklist.board.live();
        if self.machine.executor.arena.bytes() > room / 2 {
            self.collect();
        }
    }

    fn put_aside(&mut self, id: PathId) {
        let arena = &self.machine.executor.arena;
        self.worklist.board.put_aside(id, &self.machine.executor.image, |path| Aside::of(path, arena));
    }

    /// Takes the less promising half of all paths from the strategies.
    fn reserve(&mut self) {
        let surplus = self.worklist.frontier.len() / 2;
        // Runs under way are on the board for themselves.
        for id in self.worklist.frontier.least_promising(surplus, |_| true) {
            self.put_aside(id);
            if self.worklist.board.reserve(id) {
                self.worklist.frontier.remove(id);
                self.worklist.board.free(id);
            }
        }
    }

    /// Gives strategies paths back that they had no room for, any of them. `false` if there are none.
    pub(crate) fn call_up(&mut self) -> bool {
        let room = self.worklist.budget.room() / 6 / BESIDE_STATE;
        let wanted = room.saturating_sub(self.worklist.frontier.len()).clamp(1, MOST_CALLED_UP);
        let mut any = false;
        for _ in 0..wanted {
            let reserved = self.worklist.board.reserved();
            if reserved == 0 {
                break;
            }
            let at = self.worklist.reserve_random.below(reserved as u64) as usize;
            let id = self.worklist.board.call_up(at);
            self.worklist.frontier.add(id, &[], &mut self.worklist.board.metrics(&self.machine.executor));
            any = true;
        }
        any
    }
}

/// Paths that come back from the reserve at a time.
const MOST_CALLED_UP: usize = 1024;
