//! Finding the paths through a called function: abstract ones, one after the other; or all of them without passing over anything, which can then
//! be taken as one.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_exec::Class;
use symcrete_exec::Ended;
use symcrete_exec::pause::Site;
use symcrete_expr::Expr;
use symcrete_expr::dag::Op;
use symcrete_solver::Conditions;

use super::Lazy;
use super::abstraction::{Abstract, Came, Events};
use super::choice::Choice;
use super::concretise::{Concretised, in_order};
use super::effects::Cell;
use super::expansion::{Leaf, Shared, SharedKnown};
use crate::forward::Explorer;
use crate::path::Path;

/// Paths that a function may have for all of them to be taken as one.
const MOST_ENUMERATED: usize = 256;

impl Lazy {
    /// Explores a called function up to the end of one more path. `false` if there is none.
    pub fn find_leaf(
        &mut self,
        explorer: &mut Explorer,
        expansion: &Shared,
        known: &SharedKnown,
        level: u32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Concretised> {
        let back_in = Some(expansion.borrow().back_in);
        loop {
            let came = match self.ended_inside(level + 1) {
                Some((along, ended)) => Came::Ended(Box::new(along), ended),
                None => {
                    let Some(along) = expansion.borrow_mut().pending.pop_front() else { return Ok(false) };
                    let begin = expansion.borrow().begin.clone();
                    match self.is_worth_following(explorer, &begin, &along, stop) {
                        Ok(true) => {}
                        Ok(false) => continue,
                        Err(came) => {
                            expansion.borrow_mut().pending.push_front(along);
                            return Err(came);
                        }
                    }
                    self.advance(explorer, along, back_in, stop)
                }
            };
            match came {
                Came::Forked(ways) => expansion.borrow_mut().pending.extend(ways),
                Came::Back(mut along) => {
                    self.count_leaf(explorer);
                    let site = expansion.borrow().site;
                    let leaf = self.leaf(explorer, &mut along, &site, known);
                    expansion.borrow_mut().leaves.push(Rc::new(leaf));
                    return Ok(true);
                }
                Came::Ended(along, ended) => {
                    self.count_leaf(explorer);
                    if along.events.len() == 0 && ended.class() == Class::Finding {
                        // The program goes wrong inside the call, whatever was to come behind it.
                        self.report_inside(explorer, &along, &ended);
                    }
                    if ended.class() == Class::Limit {
                        expansion.borrow_mut().is_open = true;
                    } else if ended != Ended::Discarded {
                        let (added, events) = (in_order(&along.met), along.events.in_order());
                        let leaf = Leaf { added, outputs: Vec::new(), events, ends: true, summary: None };
                        expansion.borrow_mut().leaves.push(Rc::new(leaf));
                        return Ok(true);
                    }
                }
                Came::Lost(lost) => return Err(Concretised::Lost(lost)),
                Came::Undecided => expansion.borrow_mut().is_open = true,
                Came::Stopped(along) => {
                    expansion.borrow_mut().pending.push_front(*along);
                    return Err(Concretised::Stopped);
                }
            }
        }
    }

    /// A path through a function came back. If it passed over no calls it is complete, and is remembered at once.
    fn leaf(&mut self, explorer: &mut Explorer, along: &mut Abstract, site: &Site, known: &SharedKnown) -> Leaf {
        let outputs = outputs(explorer, &mut along.path, site, &known.borrow().cells);
        let (added, events) = (in_order(&along.met), along.events.in_order());
        let is_complete = events.is_empty() && outputs.iter().all(Option::is_some) && known.borrow().is_contained;
        let mut leaf = Leaf { added, outputs, events, ends: false, summary: None };
        if is_complete {
            let same = Leaf { added: leaf.added.clone(), outputs: leaf.outputs.clone(), ..Leaf::default() };
            leaf.summary = Some(Lazy::sum_up(known, same));
        }
        leaf
    }

    /// Explores a function without passing over what it calls, if it has few paths in a context: then the numbers of all of them, as
    /// summaries.
    fn enumerate(
        &mut self,
        explorer: &mut Explorer,
        expansion: &Shared,
        known: &SharedKnown,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<usize>> {
        if !known.borrow().is_contained {
            return None;
        }
        if let Some(done) = &expansion.borrow().enumerated {
            return done.clone();
        }
        let (begin, site, back_in) = {
            let expansion = expansion.borrow();
            (expansion.begin.clone(), expansion.site, expansion.back_in)
        };
        let (added, met, events) = (Conditions::new(), Conditions::new(), Events::default());
        let level = u32::MAX >> 21;
        let mut pending = vec![Abstract { path: begin.clone(), added, met, events, level, prefix: None }];
        let candidates = std::mem::replace(&mut self.paused, Rc::new(EntitySet::new()));
        let mut found = Vec::new();
        let mut is_all = true;
        while let Some(along) = pending.pop() {
            match self.advance(explorer, along, Some(back_in), stop) {
                Came::Forked(ways) => pending.extend(ways),
                Came::Back(mut along) => {
                    self.count_leaf(explorer);
                    match self.leaf(explorer, &mut along, &site, known).summary {
                        Some(summary) => found.push(summary),
                        None => is_all = false,
                    }
                }
                Came::Ended(_, ended) => {
                    self.count_leaf(explorer);
                    is_all &= ended.class() != Class::Limit;
                }
                _ => is_all = false,
            }
            is_all &= found.len() <= MOST_ENUMERATED;
            if !is_all {
                break;
            }
        }
        self.ended.retain(|(along, _)| along.level != level);
        self.paused = candidates;
        let enumerated = is_all.then_some(found);
        if !stop() {
            expansion.borrow_mut().enumerated = Some(enumerated.clone());
        }
        enumerated
    }

    /// All paths through a call as one, which says with choices what it leaves. `None` if they are too many.
    pub fn merged(
        &mut self,
        explorer: &mut Explorer,
        choice: &mut Choice,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Leaf> {
        let known = choice.known.clone();
        let (path, event) = (&choice.real.path, &choice.event);
        let expansion = self.expansion(explorer, path, event.function, event.level, &known);
        let numbers = self.enumerate(explorer, &expansion, &known, stop)?;
        let mut merged: Option<(Expr, Vec<Expr>)> = None;
        for number in numbers {
            let summary = known.borrow().summaries[number].clone();
            let outputs: Vec<Expr> = summary.outputs.iter().copied().collect::<Option<_>>()?;
            let arena = &mut explorer.executor.arena;
            let mut condition = arena.boolean(true);
            for added in &summary.added {
                condition = arena.binary(Op::And, condition, *added);
            }
            merged = Some(match merged {
                None => (condition, outputs),
                Some((others, before)) => {
                    let both = outputs.iter().zip(&before);
                    let chosen = both.map(|(output, before)| arena.ite(condition, *output, *before)).collect();
                    (arena.binary(Op::Or, condition, others), chosen)
                }
            });
        }
        let (condition, outputs) = merged?;
        Some(Leaf { added: vec![condition], outputs: outputs.into_iter().map(Some).collect(), ..Leaf::default() })
    }

    /// Paths that ended where others went on: only those of the exploration under way are there.
    fn ended_inside(&mut self, level: u32) -> Option<(Abstract, Ended)> {
        self.ended.pop_if(|(along, _)| along.level == level)
    }

    fn count_leaf(&mut self, explorer: &mut Explorer) {
        self.counts.expansions += 1;
        explorer.counts.iterations += 1;
    }

    /// A called function goes wrong. What it was called in is a real path, if nothing was left out of its conditions.
    fn report_inside(&mut self, explorer: &mut Explorer, along: &Abstract, ended: &Ended) {
        self.report(explorer, &along.path, ended);
    }
}

/// What a call left behind which a path stands: its results, and what is in cells.
pub fn outputs(explorer: &mut Explorer, path: &mut Path, site: &Site, cells: &[Cell]) -> Vec<Option<Expr>> {
    let mut outputs = explorer.executor.results(&path.state, site);
    for cell in cells {
        outputs.push(explorer.executor.contents(&mut path.state, cell.address, (cell.bytes * 8) as u16));
    }
    outputs
}
