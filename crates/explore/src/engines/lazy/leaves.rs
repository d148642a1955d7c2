//! Finding the paths through a called function: abstract ones, one after the other; or all of them without passing over anything, which can then
//! be taken as one.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_exec::pause::Site;
use symcrete_exec::posix::Posix;
use symcrete_exec::{Class, Ended, State};
use symcrete_expr::Expr;
use symcrete_expr::dag::{Op, post_order};
use symcrete_ir::FuncId;

use super::Lazy;
use super::abstraction::{Abstract, Came};
use super::choice::Choice;
use super::concretise::{Concretised, in_order};
use super::expansion::{Known, Leaf, Shared, SharedKnown, Told};
use super::scripts::Purpose;
use crate::path::Path;
use crate::session::Session;
use symcrete_effects::Cell;

/// Of this depth are paths that are looked at to know all of them.
pub const ENUMERATING: u32 = u32::MAX >> 21;

/// What all paths as one may say, in nodes of expressions.
const MOST_NODES: usize = 1000;

/// Paths that a function may have for all of them to be taken as one.
const MOST_ENUMERATED: usize = 64;

/// What came of looking at one more piece of a path through a function.
pub enum Looked {
    /// The path came to its end, and is the newest that is known.
    Leaf,
    /// It goes on, in one way or several, or does not.
    Piece,
    /// There was none.
    Nothing,
    /// There was none but such as take long.
    NothingYet,
}

impl Lazy {
    /// Explores a called function: one piece of a path more.
    pub fn find_leaf(
        &mut self,
        session: &mut Session,
        expansion: &Shared,
        known: &SharedKnown,
        (function, purpose): (FuncId, Purpose),
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Looked, Concretised> {
        let back_in = Some(expansion.borrow().back_in);
        if self.is_late() {
            return Err(Concretised::Late);
        }
        let ended = expansion.borrow_mut().ended.pop();
        let came = match ended {
            Some((along, ended)) => Came::Ended(Box::new(along), ended),
            None => {
                let met = expansion.borrow().leaves.len() + expansion.borrow().pending.len();
                let most = self.paths.entry(function).or_default();
                *most = met.max(*most);
                let mut at = self.scripts.next(function, purpose, &expansion.borrow().pending);
                if self.had_its_turn(expansion.borrow().pending.get(at)) {
                    let other = expansion.borrow().pending.iter().position(|other| !self.had_its_turn(Some(other)));
                    let Some(other) = other else {
                        self.was_long = true;
                        return Ok(Looked::NothingYet);
                    };
                    at = other;
                }
                let Some(along) = expansion.borrow_mut().pending.remove(at) else { return Ok(Looked::Nothing) };
                let begin = expansion.borrow().begin.clone();
                match self.is_worth_following(session, &begin, &along, stop) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Looked::Piece),
                    Err(came) => {
                        expansion.borrow_mut().pending.push_front(along);
                        return Err(came);
                    }
                }
                let (came, ended) = self.advance_inside(session, along, back_in, stop);
                expansion.borrow_mut().ended.extend(ended);
                came
            }
        };
        match came {
            Came::Forked(ways) => expansion.borrow_mut().pending.extend(ways),
            Came::Back(mut along) => {
                self.count_leaf(session);
                let (begin, site) = (expansion.borrow().begin.clone(), expansion.borrow().site);
                let leaf = self.leaf(session, &mut along, &begin, &site, known);
                self.add_leaf(session, expansion, known, leaf);
                return Ok(Looked::Leaf);
            }
            Came::Ended(along, ended) => {
                self.count_leaf(session);
                // The program goes wrong inside the call, whatever was to come behind it.
                let is_wrong = ended.class() == Class::Finding;
                let wrong = is_wrong.then(|| Box::new((along.path.clone(), ended.clone(), Default::default())));
                if ended.class() == Class::Limit {
                    expansion.borrow_mut().is_open = true;
                } else if ended != Ended::Discarded {
                    let (added, events) = (in_order(&along.met), along.events.in_order());
                    let turns = along.turns.clone();
                    let leaf = Leaf { added, events, ends: true, wrong, turns, ..Leaf::default() };
                    self.add_leaf(session, expansion, known, leaf);
                    return Ok(Looked::Leaf);
                }
            }
            Came::Lost(lost) => {
                // The path is gone: if nobody begins anew, what else there is does not say all.
                expansion.borrow_mut().is_open = true;
                return Err(Concretised::Lost(lost));
            }
            Came::Undecided => expansion.borrow_mut().is_open = true,
            Came::Stopped(along) => {
                expansion.borrow_mut().pending.push_front(*along);
                return Err(Concretised::Stopped);
            }
            Came::Long(mut along) => {
                along.long_in = Some(self.round);
                expansion.borrow_mut().pending.push_back(*along);
            }
        }
        Ok(Looked::Piece)
    }

    /// Whether a path took long in this round already.
    fn had_its_turn(&self, along: Option<&Abstract>) -> bool {
        along.is_some_and(|along| along.long_in == Some(self.round))
    }

    /// A path through a function came back. If it passed over no calls it is complete, and is remembered at once.
    pub fn leaf(
        &mut self,
        session: &mut Session,
        along: &mut Abstract,
        begin: &Path,
        site: &Site,
        known: &SharedKnown,
    ) -> Leaf {
        let outputs = outputs(session, &mut along.path, site, &known.borrow().cells);
        let (added, events) = (in_order(&along.met), along.events.in_order());
        let is_complete = events.is_empty() && known.borrow().is_shared;
        let told = if is_complete { told(&known.borrow(), begin, &along.path, &outputs) } else { None };
        let turns = along.turns.clone();
        let mut leaf = Leaf { added, outputs, told, events, turns, ..Leaf::default() };
        if leaf.told.is_some() || is_complete && !known.borrow().is_contained {
            let (added, outputs, told) = (leaf.added.clone(), leaf.outputs.clone(), leaf.told.clone());
            leaf.summary = Some(Lazy::sum_up(known, Leaf { added, outputs, told, ..Leaf::default() }));
        }
        leaf
    }

    /// Explores a function without passing over what it calls, if it has few paths in a context: then the numbers of all of them, as
    /// summaries.
    fn enumerate(
        &mut self,
        session: &mut Session,
        expansion: &Shared,
        known: &SharedKnown,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<usize>> {
        if !known.borrow().is_shared {
            return None;
        }
        if let Some(done) = &expansion.borrow().enumerated {
            return done.clone();
        }
        let (begin, site, back_in) = {
            let expansion = expansion.borrow();
            (expansion.begin.clone(), expansion.site, expansion.back_in)
        };
        let level = ENUMERATING;
        let mut pending = vec![Abstract::new(begin.clone(), level)];
        let candidates = std::mem::replace(&mut self.paused, Rc::new(EntitySet::new()));
        let mut found = Vec::new();
        let (mut is_all, mut is_late) = (true, false);
        while let Some(along) = pending.pop() {
            is_late = self.is_late();
            if is_late {
                break;
            }
            match self.advance_inside(session, along, Some(back_in), stop).0 {
                Came::Forked(ways) => pending.extend(ways),
                Came::Back(mut along) => {
                    self.count_leaf(session);
                    match self.leaf(session, &mut along, &begin, &site, known) {
                        Leaf { summary: Some(summary), told: Some(_), .. } => found.push(summary),
                        _ => is_all = false,
                    }
                }
                Came::Ended(_, ended) => {
                    self.count_leaf(session);
                    is_all &= ended.class() != Class::Limit;
                }
                Came::Long(_) => is_late = true,
                _ => is_all = false,
            }
            is_all &= found.len() <= MOST_ENUMERATED;
            if !is_all || is_late {
                break;
            }
        }
        self.paused = candidates;
        let enumerated = (is_all && !is_late).then_some(found);
        if !stop() && !is_late {
            expansion.borrow_mut().enumerated = Some(enumerated.clone());
        }
        enumerated
    }

    /// All paths through a call as one, which says with choices what it leaves. `None` if they are too many.
    pub fn merged(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Leaf> {
        let known = choice.known.clone();
        let (path, event) = (&choice.real.path, &choice.event);
        let expansion = self.expansion(session, path, event.function, event.level, &known);
        let numbers = self.enumerate(session, &expansion, &known, stop)?;
        let conditions: Vec<Expr> = expansion.borrow().conditions.iter().collect();
        self.gather(&session.machine.executor.arena, &conditions, &mut choice.touched);
        let mut merged: Option<(Expr, Vec<Option<Expr>>)> = None;
        let mut told: Option<Told> = None;
        for number in numbers {
            let summary = known.borrow().summaries[number].clone();
            let outputs = summary.outputs.clone();
            told = Some(common(told, summary.told.as_ref()?)?);
            let arena = &mut session.machine.executor.arena;
            let mut condition = arena.boolean(true);
            for added in &summary.added {
                condition = arena.binary(Op::And, condition, *added);
            }
            merged = Some(match merged {
                None => (condition, outputs),
                Some((others, before)) => {
                    let both = outputs.iter().zip(&before);
                    let either = |(output, before): (&Option<Expr>, &Option<Expr>)| {
                        Some(arena.ite(condition, (*output)?, (*before)?))
                    };
                    let chosen = both.map(either).collect();
                    (arena.binary(Op::Or, condition, others), chosen)
                }
            });
        }
        let (condition, outputs) = merged?;
        let roots = outputs.iter().flatten().copied().chain([condition]);
        let size = post_order(&session.machine.executor.arena, roots, &mut EntitySet::new()).len();
        if size > MOST_NODES {
            return None;
        }
        Some(Leaf { added: vec![condition], outputs, told, ..Leaf::default() })
    }

    /// Advances a path through a function; with it are those that ended where it forked.
    fn advance_inside(
        &mut self,
        session: &mut Session,
        along: Abstract,
        back_in: Option<u64>,
        stop: &mut dyn FnMut() -> bool,
    ) -> (Came, Vec<(Abstract, Ended)>) {
        let under_test = std::mem::take(&mut self.ended);
        let came = self.advance(session, along, back_in, stop);
        (came, std::mem::replace(&mut self.ended, under_test))
    }

    pub fn count_leaf(&mut self, session: &mut Session) {
        self.counts.expansions += 1;
        self.spent += 1;
        session.meter.counts.iterations += 1;
    }
}

/// What a call did that is not in its outputs. `None` if it cannot be told: it printed, made or freed memory, or was given inputs.
fn told(known: &Known, begin: &Path, end: &Path, outputs: &[Option<Expr>]) -> Option<Told> {
    let (results, left) = outputs.split_at(outputs.len() - known.cells.len());
    let (before, after) = (&begin.state, &end.state);
    let mut told = Told::default();
    if results.iter().any(Option::is_none) {
        return None;
    }
    for (number, (output, cell)) in left.iter().zip(&known.cells).enumerate() {
        if cell.is_array() {
            let (was, is) = (contents(cell, begin)?, contents(cell, end)?);
            if was != is {
                told.arrays.push((number, Rc::new(is)));
            }
        } else if output.is_none() {
            return None;
        }
    }
    if known.is_contained {
        return Some(told);
    }
    let heap = |state: &State| (state.memory.frontier().heap(), state.memory.statistics().live, state.inputs.len());
    if known.prints || heap(before) != heap(after) {
        return None;
    }
    told.world = (fingerprint(&before.posix) != fingerprint(&after.posix)).then(|| after.posix.clone());
    Some(told)
}

fn fingerprint(world: &Posix) -> u64 {
    let mut noted = DefaultHasher::new();
    world.note(&mut noted);
    noted.finish()
}

/// What is in a cell that is an array.
pub fn contents(cell: &Cell, path: &Path) -> Option<Vec<symcrete_memory::Cell>> {
    let mut contents: Vec<symcrete_memory::Cell> = Vec::with_capacity(cell.bytes as usize);
    path.state.memory.read_cells(cell.address, u64::from(cell.bytes), &mut contents).ok()?;
    Some(contents)
}

/// Whether two paths through a call do the same beside their outputs; then that.
fn common(mine: Option<Told>, theirs: &Told) -> Option<Told> {
    let mine = mine.unwrap_or_else(|| theirs.clone());
    let world = |told: &Told| told.world.as_ref().map(fingerprint);
    (mine.arrays == theirs.arrays && world(&mine) == world(theirs)).then_some(mine)
}

/// What a call left behind which a path stands: its results, and what is in cells.
pub fn outputs(session: &mut Session, path: &mut Path, site: &Site, cells: &[Cell]) -> Vec<Option<Expr>> {
    let mut outputs = session.machine.executor.results(&path.state, site);
    for cell in cells {
        let bits = (!cell.is_array()).then_some((cell.bytes * 8) as u16);
        outputs.push(bits.and_then(|bits| session.machine.executor.contents(&mut path.state, cell.address, bits)));
    }
    outputs
}
