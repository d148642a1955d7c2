//! Suspicions: accesses and divisions of the function under test that would go wrong with something that a call might give, as `table[kind()]` does
//! if `kind` gives more than the table has room for. Each is an abstract path that ends there, and is made one of the program like any other; but
//! most are none, so they have a share of the work and an allowance of their own, and the iterations that they take are counted apart from those of
//! the paper, which looks for no faults.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::{Class, Image, State};
use symcrete_expr::{Expr, Model};
use symcrete_ir::LocId;
use symcrete_solver::Answer;

use super::Lazy;
use super::abstraction::Abstract;
use super::concretise::{Concretised, QUICK, Wanted, in_order};
use crate::forward::Explorer;
use crate::path::Path;

/// Suspicions that wait for one place: of more, nobody will tell.
const MOST_AT_PLACE: u32 = 256;
/// How often more is allowed for one, eight times as much each time, before it is given up.
const TRIES: u32 = 2;
/// Of all questions, one in so many is about suspicions while paths are pending.
const SHARE: u64 = 4;

struct Suspicion {
    /// Up to there, with what would have to be so, and without its state.
    along: Abstract,
    /// How many of its conditions are what would have to be so.
    parts: usize,
    place: LocId,
    tries: u32,
}

impl Suspicion {
    /// What is looked for: each part of it alone, because what refutes one refutes all, for less; then all of it.
    fn wanted(&self) -> Vec<Wanted> {
        let all = in_order(&self.along.added);
        let (path, parts) = all.split_at(all.len() - self.parts);
        let wanted = |parts: &[Expr], to_end: bool| Wanted {
            conditions: path.iter().chain(parts).copied().collect(),
            events: self.along.events.in_order(),
            model: self.along.path.model.clone(),
            to_end,
        };
        let alone = parts.chunks(1).filter(|_| parts.len() > 1).map(|part| wanted(part, false));
        alone.chain([wanted(parts, true)]).collect()
    }
}

/// What is known of a place.
#[derive(Default)]
struct Place {
    waiting: u32,
    /// A test goes wrong there.
    is_real: bool,
    /// Some of its suspicions were neither seen nor refuted.
    is_open: bool,
}

#[derive(Default)]
pub struct Suspicions {
    waiting: VecDeque<Suspicion>,
    places: FxHashMap<LocId, Place>,
    questions: u64,
}

impl Suspicions {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
        self.places.clear();
    }

    /// Places of which nobody could tell whether something goes wrong there.
    pub fn open(&self) -> Vec<LocId> {
        let open = self.places.iter().filter(|(_, place)| !place.is_real && (place.is_open || place.waiting > 0));
        let mut open: Vec<LocId> = open.map(|(loc, _)| *loc).collect();
        open.sort_unstable();
        open
    }
}

impl Lazy {
    /// An abstract path would go wrong where it stands if this holds; with a model of that, if somebody has one.
    pub fn suspect(&mut self, explorer: &mut Explorer, along: &Abstract, condition: Expr, model: Option<Rc<Model>>) {
        if along.level > 0 || along.replay.is_some() {
            return;
        }
        let loc = place(&explorer.executor.image, &along.path.state);
        let place = self.suspicions.places.entry(loc).or_default();
        if place.is_real {
            return;
        }
        if place.waiting == MOST_AT_PLACE {
            place.is_open = true;
            return;
        }
        let arena = &mut explorer.executor.arena;
        let model = match model {
            Some(model) => model,
            None => match explorer.chain.check(arena, &along.path.conditions, condition, &along.path.model) {
                Answer::Sat(model) => Rc::new(model),
                Answer::Unsat => return,
                // What calls really give will say.
                Answer::Unknown(_) => along.path.model.clone(),
            },
        };
        place.waiting += 1;
        self.counts.suspicions += 1;
        let mut along = along.clone();
        along.path.model = model;
        let before = along.added.len();
        along.added.push(arena, condition);
        let parts = along.added.len() - before;
        along.path.state = explorer.roots()[0].clone();
        self.suspicions.waiting.push_back(Suspicion { along, parts, place: loc, tries: 0 });
    }

    /// Whether it is the turn of suspicions.
    pub fn is_time_to_suspect(&self, explorer: &Explorer) -> bool {
        let is_their_share = self.suspicions.questions * SHARE <= explorer.chain.statistics().queries;
        self.suspicions.len() > 0 && (is_their_share || self.pending.is_empty())
    }

    /// Looks whether the oldest suspicion is true.
    pub fn look_at_suspicion(&mut self, explorer: &mut Explorer, stop: &mut dyn FnMut() -> bool) {
        let Some(mut suspicion) = self.suspicions.waiting.pop_front() else { return };
        let place = self.suspicions.places.entry(suspicion.place).or_default();
        place.waiting -= 1;
        if place.is_real {
            return;
        }
        if suspicion.along.is_dead() {
            self.counts.suspicions_refuted += 1;
            return;
        }
        let came = self.pursue(explorer, &suspicion, stop);
        let place = self.suspicions.places.entry(suspicion.place).or_default();
        match came {
            Concretised::Path(path, ended) if ended.class() == Class::Finding => {
                place.is_real = true;
                self.counts.suspicions_real += 1;
                self.report(explorer, &path, &ended);
            }
            Concretised::Refuted => self.counts.suspicions_refuted += 1,
            Concretised::Late if suspicion.tries < TRIES => {
                place.waiting += 1;
                suspicion.tries += 1;
                self.suspicions.waiting.push_back(suspicion);
            }
            Concretised::Stopped => {
                place.waiting += 1;
                self.suspicions.waiting.push_front(suspicion);
            }
            came => {
                place.is_open = true;
                if matches!(came, Concretised::Lost(_)) {
                    // A suspicion is no reason to begin anew, but paths through calls have to be looked for again.
                    self.expansions.clear();
                }
            }
        }
    }

    /// Looks for a path of the program on which a suspicion is true, as for any other abstract path.
    fn pursue(
        &mut self,
        explorer: &mut Explorer,
        suspicion: &Suspicion,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        let begin = Path::new(explorer.roots()[0].clone(), 0);
        let (iterations, counts) = (explorer.counts.iterations, self.counts);
        let asked = explorer.chain.statistics().queries;
        let effort = self.effort.replace(QUICK);
        let mut came = Concretised::Open;
        for wanted in suspicion.wanted() {
            self.allow(suspicion.tries);
            came = self.concretise(explorer, &begin, &wanted, stop);
            if matches!(came, Concretised::Refuted | Concretised::Stopped) {
                break;
            }
        }
        self.effort = effort;
        self.suspicions.questions += explorer.chain.statistics().queries - asked;
        self.counts.suspicion_iterations += explorer.counts.iterations - iterations;
        explorer.counts.iterations = iterations;
        (self.counts.expansions, self.counts.reused) = (counts.expansions, counts.reused);
        came
    }
}

/// Where a path stands, in the program's own text.
fn place(image: &Image, state: &State) -> LocId {
    state.stack(image).iter().find(|entry| !entry.runtime).map_or_else(|| state.loc(image), |entry| entry.loc)
}
