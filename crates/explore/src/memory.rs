//! The memory limit: expressions that nobody uses are collected, and states are put aside as decision strings, which rebuild them when
//! their turn comes. Nothing is lost.

use symcrete_exec::state::Seen;
use symcrete_solver::SeenConditions;

use crate::aside::Aside;
use crate::forward::Explorer;

/// What states and expressions may take, and what they took when that was last looked at.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes of states and expressions together.
    limit: usize,
    /// Bytes that one state takes on average, as measured.
    per_state: usize,
    /// How many states there were when that was measured.
    measured_at: usize,
    /// Bytes of the expressions when they were last collected, or at first.
    collected: usize,
}

/// The smallest arena that is worth collecting.
const WORTH_COLLECTING: usize = 4 << 20;

impl Budget {
    pub fn new(limit: usize) -> Budget {
        Budget { limit, per_state: 4096, measured_at: 0, collected: 0 }
    }

    /// What one state takes on average, if that was measured.
    pub fn state_bytes(&self) -> Option<usize> {
        (self.measured_at > 0).then_some(self.per_state)
    }
}

impl Explorer {
    /// Stays within the budget.
    pub(crate) fn keep_within_budget(&mut self) {
        let arena = self.executor.arena.bytes();
        let live = self.board().live();
        if live > self.budget.measured_at * 5 / 4 + 64 {
            self.measure();
        }
        let states = live * self.budget.per_state + self.board().aside_bytes();
        let worth = arena > WORTH_COLLECTING.min(self.budget.limit / 4) && arena > 2 * self.budget.collected;
        if worth && (arena + states > self.budget.limit || arena > 8 * self.budget.collected.max(WORTH_COLLECTING)) {
            self.collect();
        }
        if self.executor.arena.bytes() + states > self.budget.limit {
            self.put_states_aside();
        }
    }

    fn measure(&mut self) {
        let mut seen = Seen::default();
        let (mut bytes, mut count) = (0, 0);
        for (_, path) in self.board().live_paths() {
            bytes += path.state.footprint(&mut seen) + path.bytes_beside_state();
            count += 1;
        }
        self.budget.per_state = bytes / std::cmp::max(count, 1);
        self.budget.measured_at = count;
    }

    /// Drops the expressions that no state refers to.
    fn collect(&mut self) {
        let mut roots = Vec::new();
        let mut seen = Seen::default();
        let mut seen_conditions = SeenConditions::default();
        for (_, path) in self.board().live_paths() {
            path.state.visit_exprs(&mut seen, &mut |expr| roots.push(expr));
            path.conditions.visit_unseen(&mut seen_conditions, |expr| roots.push(expr));
            roots.extend(path.choices.iter().map(|(_, condition)| condition));
            roots.extend(path.asked);
        }
        drop(seen);
        if let Some(kept) = &self.kept {
            kept.for_each_expr(|expr| roots.push(expr));
        }
        self.executor.arena.collect(roots);
        self.budget.collected = self.executor.arena.bytes();
    }

    /// Half of what may live stays.
    fn put_states_aside(&mut self) {
        let used = self.executor.arena.bytes().min(self.budget.limit / 2) + self.board().aside_bytes();
        let room = self.budget.limit.saturating_sub(used);
        let keep = (room / 2 / self.budget.per_state.max(1)).max(1);
        let surplus = self.board().live().saturating_sub(keep);
        for id in self.least_promising(surplus) {
            let arena = &self.executor.arena;
            self.board.put_aside(id, &self.executor.image, |path| Aside::of(path, arena));
        }
        self.budget.measured_at = self.board().live();
        if self.executor.arena.bytes() > self.budget.limit / 2 {
            self.collect();
        }
    }
}
