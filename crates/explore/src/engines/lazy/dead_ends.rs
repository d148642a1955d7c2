//! Dead ends: a real path stands before a call of an abstract one, and none of the ways through that call and those behind it does. Another real
//! path before the same call fails as well if the rest sees no difference. So it is refuted in a few steps that a text has more tokens
//! than bytes, where the ways to cut it into tokens are without number.
//!
//! What the rest of an abstract path sees of the calls before it is what they left of what its conditions and its calls speak of. And of the
//! conditions of the real path those count that speak of what was asked on the way to the failure.

use std::rc::Rc;

use symcrete_exec::{Executor, State};
use symcrete_expr::dag::{GatheredVariables, VariableId};
use symcrete_expr::{Arena, Expr};
use symcrete_memory::Cell as Content;

use rustc_hash::FxHashMap;

use super::Lazy;
use super::abstraction::{Event, Fresh, fresh_number};
use super::choice::Choice;
use super::concretise::{Real, Wanted};
use super::leaves::contents;
use super::noted::{Context, Noted};
use symcrete_effects::{Cell, Effects};

/// The fresh values of other calls on which a call hangs that was passed over.
#[derive(Clone)]
pub struct Hangs {
    /// Those in what it is given and may read.
    always: Vec<VariableId>,
    /// Those in what is in its cells before it, which it may leave as it is.
    former: Vec<Vec<VariableId>>,
}

/// More bytes than that are not looked at.
const MOST_BYTES: u64 = 1 << 16;

/// What the rest of an abstract path depends on, from a call on.
#[derive(Clone, PartialEq, Eq)]
pub struct Rest {
    /// Fresh values of the calls before.
    values: Vec<Expr>,
    /// Whether nothing but memory matters.
    is_contained: bool,
}

impl Rest {
    /// What it sees of a real path that stands between calls, before this one. `None` if nobody can say.
    pub fn sight(&self, real: &Real, event: &Event) -> Option<Context> {
        let state = &real.path.state;
        let is_between = real.nested.is_empty() && real.open.is_empty();
        if !is_between || state.memory.frontier() != event.frontier {
            return None;
        }
        let mut noted = Noted::new(event.function);
        noted.note(real.top as u64);
        for value in &self.values {
            match real.meanings.get(value) {
                Some(meaning) => noted.note(u64::from(meaning.as_u32())),
                None => {
                    let (first, second) = *real.arrays.get(value)?;
                    noted.note(first);
                    noted.note(second);
                }
            }
        }
        if !self.is_contained {
            noted.note_world(state);
        }
        Some(noted.context())
    }
}

#[derive(Clone)]
pub struct DeadEnd {
    pub touched: GatheredVariables,
    conditions: Vec<Expr>,
    /// What the call needs of the inputs, if somebody knows.
    pub needs: Option<Expr>,
}

/// What was found on the way to make one abstract path real.
#[derive(Default)]
pub struct DeadEnds {
    /// By the number of the call; nothing where nobody knows.
    rests: Option<Vec<Option<Rest>>>,
    found: FxHashMap<Context, Vec<DeadEnd>>,
}

impl Real {
    /// Behind a call of the abstract path: notes what is in the arrays that it may have changed.
    pub fn note_arrays(&mut self, cells: &[Cell], fresh: &[Fresh]) {
        let of_cells = &fresh[fresh.len() - cells.len()..];
        for (cell, fresh) in cells.iter().zip(of_cells).filter(|(cell, _)| cell.is_array()) {
            if let Some(contents) = contents(cell, &self.path) {
                let mut noted = Noted::default();
                noted.note_contents(&contents);
                Rc::make_mut(&mut self.arrays).insert(fresh.value, noted.context());
            }
        }
    }
}

impl Lazy {
    /// On what the call hangs before which an abstract path stands. `None` if nobody can say.
    pub fn hangs(&mut self, executor: &mut Executor, state: &State, effects: &Effects) -> Option<Hangs> {
        let arguments: Option<Vec<Expr>> = executor.call_arguments(state).into_iter().collect();
        let (arguments, reads, arena) = (arguments?, effects.reads.as_ref()?, &executor.arena);
        let cells = effects.cells.iter().map(|cell| u64::from(cell.bytes));
        if reads.iter().map(|(_, bytes)| *bytes).chain(cells).sum::<u64>() > MOST_BYTES {
            return None;
        }
        let mut always = Vec::new();
        arguments.into_iter().for_each(|argument| self.add_fresh(arena, argument, &mut always));
        for (begin, bytes) in reads {
            self.add_fresh_in(arena, state, *begin, *bytes, &mut always)?;
        }
        always.sort_unstable();
        always.dedup();
        let mut former = Vec::with_capacity(effects.cells.len());
        for cell in &effects.cells {
            let mut of_cell = Vec::new();
            if !cell.is_always {
                self.add_fresh_in(arena, state, cell.address, u64::from(cell.bytes), &mut of_cell)?;
            }
            former.push(of_cell);
        }
        Some(Hangs { always, former })
    }

    fn add_fresh(&mut self, arena: &Arena, expr: Expr, found: &mut Vec<VariableId>) {
        let set = self.variables.of(arena, expr);
        found.extend(self.variables.variables(set).filter(|variable| fresh_number(arena, *variable).is_some()));
    }

    /// Those in memory.
    fn add_fresh_in(
        &mut self,
        arena: &Arena,
        state: &State,
        begin: u64,
        bytes: u64,
        found: &mut Vec<VariableId>,
    ) -> Option<()> {
        let mut contents: Vec<Content> = Vec::with_capacity(bytes as usize);
        state.memory.read_cells(begin, bytes, &mut contents).ok()?;
        let mut last = None;
        for content in contents {
            if let Content::Part { expr, .. } = content
                && last != Some(expr)
            {
                last = Some(expr);
                self.add_fresh(arena, expr, found);
            }
        }
        Some(())
    }

    /// What the rest of an abstract path depends on, from each of its calls on: from its end to its beginning.
    pub fn rests(&mut self, arena: &mut Arena, wanted: &Wanted) -> Vec<Option<Rest>> {
        let mut rests = Vec::with_capacity(wanted.events.len());
        let mut needed: Option<Vec<VariableId>> = Some(Vec::new());
        let mut is_contained = true;
        let mut upto = wanted.conditions.len();
        for (number, event) in wanted.events.iter().enumerate().rev() {
            is_contained &= event.deeds.is_contained();
            needed = needed.and_then(|mut needed| {
                let hangs = event.hangs.as_ref()?;
                for condition in &wanted.conditions[event.upto..upto] {
                    self.add_fresh(arena, *condition, &mut needed);
                }
                let results = event.fresh.len() - event.cells.len();
                for (fresh, former) in event.fresh[results..].iter().zip(&hangs.former) {
                    let set = self.variables.of(arena, fresh.value);
                    if self.variables.variables(set).any(|variable| needed.contains(&variable)) {
                        needed.extend(former);
                    }
                }
                needed.extend(&hangs.always);
                let before = |variable: &VariableId| {
                    let (level, call) = fresh_number(arena, *variable).unwrap_or_default();
                    level == event.level && (call as usize) < number
                };
                needed.retain(before);
                needed.sort_unstable();
                needed.dedup();
                Some(needed)
            });
            upto = event.upto;
            let values =
                needed.as_ref().map(|needed| needed.iter().map(|id| arena.variable(arena.variables()[*id])).collect());
            rests.push(values.map(|values| Rest { values, is_contained }));
        }
        rests.reverse();
        rests
    }

    /// What the rest sees of a real path before a call. `None` if nobody can say.
    fn seen_by_rest(
        &mut self,
        arena: &mut Arena,
        dead_ends: &mut DeadEnds,
        wanted: &Wanted,
        choice: &Choice,
    ) -> Option<Context> {
        if !choice.is_top {
            return None;
        }
        let rests = dead_ends.rests.get_or_insert_with(|| self.rests(arena, wanted));
        let rest = rests.get(choice.real.top)?.as_ref()?;
        rest.sight(&choice.real, &choice.event)
    }

    /// All conditions of a real path that speak of what was asked.
    fn asked_of(&mut self, arena: &Arena, touched: &GatheredVariables, choice: &Choice) -> Vec<Expr> {
        let real = &choice.real;
        let all = real.path.conditions.iter().chain(real.goal.iter().copied()).collect();
        let mut conditions = self.connected(arena, touched.clone(), all);
        conditions.sort_unstable();
        conditions.dedup();
        conditions
    }

    /// A call has no path with which the rest can be.
    pub fn note_dead_end(&mut self, arena: &mut Arena, dead_ends: &mut DeadEnds, wanted: &Wanted, choice: &Choice) {
        if let Some(context) = self.seen_by_rest(arena, dead_ends, wanted, choice) {
            let conditions = self.asked_of(arena, &choice.touched, choice);
            let needs = choice.needs.or(choice.wish);
            let dead_end = DeadEnd { touched: choice.touched.clone(), conditions, needs };
            dead_ends.found.entry(context).or_default().push(dead_end);
        }
    }

    /// Whether it is known that a call has no path with which the rest can be; then how.
    pub fn is_dead_end(
        &mut self,
        arena: &mut Arena,
        dead_ends: &mut DeadEnds,
        wanted: &Wanted,
        choice: &Choice,
    ) -> Option<DeadEnd> {
        if dead_ends.found.is_empty() {
            return None;
        }
        let context = self.seen_by_rest(arena, dead_ends, wanted, choice)?;
        let found = dead_ends.found.get(&context)?;
        let dead_end = found.iter().find(|dead_end| {
            let conditions = self.asked_of(arena, &dead_end.touched, choice);
            dead_end.conditions.iter().all(|condition| conditions.binary_search(condition).is_ok())
        });
        dead_end.cloned()
    }
}
