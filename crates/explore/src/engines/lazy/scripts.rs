//! In which order the paths through a function are looked for. First along ways that did for what calls were for, wherever those stood: a lexer that
//! finds a name at one place of a text goes the same way to find one at another. Summaries say what a path does where a call sees the same; a
//! script says only which turns to try first where it sees something else. Then the shortest, and where those are many, by turns the one whose latest
//! turns were taken the least, as subpath-guided search does (Li, Su, Wang and Li, 2013).

use std::collections::VecDeque;
use std::hash::Hasher;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use symcrete_exec::pause::Site;
use symcrete_expr::Expr;
use symcrete_expr::dag::{Op, post_order};
use symcrete_ir::FuncId;

use super::abstraction::{Abstract, Event};
use crate::session::Session;

/// The turns that a path took, each as a number that stands for all up to it.
#[derive(Clone, Default)]
pub struct Turns(Option<Rc<Turn>>);

struct Turn {
    number: u64,
    /// What it is by itself.
    own: u64,
    count: u32,
    before: Turns,
}

/// How many turns, with the latest one, are told apart by how often they were taken.
const LATEST: usize = 4;

/// One by one: there may be very many.
impl Drop for Turn {
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut turn) = next.and_then(Rc::into_inner) {
            next = turn.before.0.take();
        }
    }
}

impl Turns {
    /// One more: at a place, the way with this number.
    pub fn push(&mut self, site: &Site, way: usize) {
        let mut hasher = FxHasher::default();
        hasher.write_u32(site.caller.as_u32());
        hasher.write_u32(site.block.as_u32());
        hasher.write_u32(site.instruction);
        hasher.write_usize(way);
        let own = hasher.finish();
        let number = joined(self.number(), own);
        let count = self.count() + 1;
        let before = std::mem::take(self);
        *self = Turns(Some(Rc::new(Turn { number, own, count, before })));
    }

    /// A number for the latest of them, so many.
    pub fn latest(&self, length: usize) -> u64 {
        self.all().take(length).fold(0, |latest, turn| joined(latest, turn.own))
    }

    /// All of them, the latest first.
    fn all(&self) -> impl Iterator<Item = &Turn> {
        std::iter::successors(self.0.as_deref(), |turn| turn.before.0.as_deref())
    }

    fn number(&self) -> u64 {
        self.0.as_ref().map_or(0, |turn| turn.number)
    }

    fn count(&self) -> u32 {
        self.0.as_ref().map_or(0, |turn| turn.count)
    }

    /// The numbers of all of them, the latest first.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        self.all().map(|turn| turn.number)
    }
}

fn joined(one: u64, other: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(one);
    hasher.write_u64(other);
    hasher.finish()
}

/// What a call is for: its goal, whichever call it is.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Purpose(u64);

/// Goals with more parts are all one.
const MOST_PARTS: usize = 256;

impl Purpose {
    /// Of a call with these conditions on what it leaves.
    pub fn of(session: &Session, event: &Event, goal: &[Expr]) -> Purpose {
        let arena = &session.machine.executor.arena;
        let parts = post_order(arena, goal.iter().copied(), &mut EntitySet::new());
        let mut hasher = FxHasher::default();
        hasher.write_u8(event.ends.into());
        if parts.len() > MOST_PARTS {
            return Purpose(hasher.finish());
        }
        let mut numbers: FxHashMap<Expr, u64> = FxHashMap::default();
        for part in parts {
            let node = arena.node(part);
            let mut of_part = FxHasher::default();
            of_part.write_u32(node.width);
            match arena.variable_of(part).map(|variable| arena.variables()[variable]) {
                // What the call gives is told by its place alone, and of all else it is enough that it is something else.
                Some(variable) if variable.input == event.number => of_part.write_u32(variable.offset + 1),
                Some(_) => of_part.write_u32(0),
                None if node.op == Op::Constant => of_part.write_u64(arena.as_word(part).unwrap_or(0)),
                None => {
                    std::hash::Hash::hash(&node.op, &mut of_part);
                    arena.for_each_operand(part, |operand| {
                        of_part.write_u64(numbers.get(&operand).copied().unwrap_or(0))
                    });
                }
            }
            numbers.insert(part, of_part.finish());
        }
        goal.iter().for_each(|condition| hasher.write_u64(numbers[condition]));
        Purpose(hasher.finish())
    }
}

/// Turns that are remembered of a function for one purpose.
const MOST_TURNS: usize = 4096;
/// With more paths pending it matters which of them goes on, and more than so many, the latest, are not compared.
const FEW: usize = 32;
const MOST_COMPARED: usize = 1024;

#[derive(Default)]
pub struct Scripts {
    /// The turns of ways that did, by function and purpose.
    done: FxHashMap<(FuncId, Purpose), FxHashSet<u64>>,
    /// How often turns were taken.
    taken: FxHashMap<u64, u32>,
    chosen: u64,
}

impl Scripts {
    /// A way did.
    pub fn note(&mut self, function: FuncId, purpose: Purpose, turns: &Turns) {
        let known = self.done.entry((function, purpose)).or_default();
        if known.len() < MOST_TURNS {
            known.extend(turns.numbers());
        }
    }

    /// Which of the pending paths through a function goes on.
    pub fn next(&mut self, function: FuncId, purpose: Purpose, pending: &VecDeque<Abstract>) -> usize {
        if let Some(known) = self.done.get(&(function, purpose)) {
            let along = pending.iter().enumerate().filter(|(_, path)| path.long_in.is_none());
            let along = along.filter(|(_, path)| known.contains(&path.turns.number()));
            if let Some((at, _)) = along.max_by_key(|(_, path)| path.turns.count()) {
                return at;
            }
        }
        self.chosen += 1;
        let mut at = 0;
        if pending.len() > FEW && self.chosen.is_multiple_of(2) {
            let often = |path: &Abstract| self.taken.get(&path.turns.latest(LATEST)).copied().unwrap_or(0);
            let latest = pending.iter().enumerate().rev().take(MOST_COMPARED);
            at = latest.min_by_key(|(_, path)| often(path)).map_or(0, |(at, _)| at);
        }
        if let Some(path) = pending.get(at) {
            *self.taken.entry(path.turns.latest(LATEST)).or_default() += 1;
        }
        at
    }
}
