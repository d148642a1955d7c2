//! Suspicions: accesses and divisions of the function under test that would go wrong with something that a call might give, as `table[kind()]` does
//! if `kind` gives more than the table has room for. Each is an abstract path that ends there, and is made one of the program like any other; but
//! most are none, so they have a share of the work and an allowance of their own, and the iterations that they take are counted apart from those of
//! the paper, which looks for no faults.

use std::collections::VecDeque;
use std::mem::{Discriminant, discriminant};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::{Class, Ended, Image, State, Then};
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Model};
use symcrete_ir::LocId;
use symcrete_memory::FaultKind;
use symcrete_solver::Answer;

use super::Lazy;
use super::abstraction::Abstract;
use super::concretise::{Concretised, QUICK, Until, Wanted, in_order};
use crate::path::Path;
use crate::session::Session;

/// Suspicions that wait for one fault: of more, nobody will tell.
const MOST_OF_FAULT: u32 = 256;
/// How often more is allowed for one, eight times as much each time, before it is given up.
const TRIES: u32 = 2;
/// One question may take so many times as much each time.
const MORE: u64 = 4;
/// What is allowed for one is this part of what is allowed for a path.
const LESS: u64 = 2;
/// Of all that is asked, one part in so many is for suspicions while paths are pending: their questions are harder than most.
const SHARE: u64 = 16;

/// Addresses below this are null, or made from it.
const NULL_ENDS: u64 = 4096;

/// What goes wrong, so far as it is told apart: each kind at a place is a fault of its own.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    Memory(FaultKind),
    Other(Discriminant<Ended>),
}

impl Kind {
    /// What goes wrong if a path goes on like this. `None` if it does not end.
    pub fn of(then: &Then) -> Option<Kind> {
        match then {
            Then::Fault { fault, .. } => Some(Kind::Memory(fault.kind)),
            Then::End(ended) => Some(Kind::of_ending(ended)),
            _ => None,
        }
    }

    fn of_ending(ended: &Ended) -> Kind {
        match ended {
            Ended::Memory(fault) => Kind::Memory(fault.kind),
            ended => Kind::Other(discriminant(ended)),
        }
    }
}

/// What may go wrong, and where.
type Fault = (LocId, Kind);

struct Suspicion {
    /// Up to there, with what would have to be so, and without its state.
    along: Abstract,
    /// How many of its conditions are what would have to be so.
    parts: usize,
    fault: Fault,
    tries: u32,
}

impl Suspicion {
    /// What is looked for: each part of it alone, because what refutes one refutes all, for less; then all of it.
    fn wanted(&self) -> Vec<Wanted> {
        let all = in_order(&self.along.added);
        let (path, parts) = all.split_at(all.len() - self.parts);
        let wanted = |parts: &[Expr], until: Until| Wanted {
            conditions: path.iter().chain(parts).copied().collect(),
            events: self.along.events.in_order(),
            model: self.along.path.model.clone(),
            until,
        };
        let alone = parts.chunks(1).filter(|_| parts.len() > 1).map(|part| wanted(part, Until::Calls));
        alone.chain([wanted(parts, Until::End)]).collect()
    }
}

/// What is known of a fault.
#[derive(Default)]
struct Known {
    waiting: u32,
    /// A test goes wrong like that.
    is_real: bool,
    /// Some of its suspicions were neither seen nor refuted.
    is_open: bool,
}

impl Known {
    fn is_undecided(&self) -> bool {
        !self.is_real && (self.is_open || self.waiting > 0)
    }
}

#[derive(Default)]
pub struct Suspicions {
    waiting: VecDeque<Suspicion>,
    faults: FxHashMap<Fault, Known>,
    /// Those that layers above have a test for.
    above: FxHashSet<Fault>,
    questions: u64,
}

impl Suspicions {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// All begins anew. What tests have shown stays shown.
    pub fn restart(&mut self) {
        self.waiting.clear();
        self.faults.retain(|_, known| known.is_real);
    }

    /// All paths of the program were followed: what goes wrong was seen to.
    fn forget_undecided(&mut self) {
        self.waiting.clear();
        self.faults.retain(|_, known| !known.is_undecided());
    }

    /// Paths of this layer are left out: what goes wrong on none of the others is not refuted by that.
    pub fn cut_short(&mut self) {
        self.faults.retain(|_, known| known.is_real || known.is_undecided());
    }

    /// Nothing more is looked at in this layer.
    pub fn give_up(&mut self) {
        self.waiting.clear();
    }

    /// The next layer begins.
    pub fn leave_layer(&mut self) {
        self.waiting.clear();
        self.above.extend(self.faults.drain().filter(|(_, known)| known.is_real).map(|(fault, _)| fault));
    }

    fn is_real(&self, fault: Fault) -> bool {
        self.above.contains(&fault) || self.faults.get(&fault).is_some_and(|known| known.is_real)
    }

    /// Places of which nobody could tell whether something goes wrong there.
    pub fn open(&self) -> Vec<LocId> {
        let open = self.faults.iter().filter(|(_, known)| known.is_undecided());
        let mut open: Vec<LocId> = open.map(|((loc, _), _)| *loc).collect();
        open.sort_unstable();
        open.dedup();
        open
    }
}

impl Lazy {
    /// An access of an abstract path would miss its object if this holds: because the address is null, or otherwise.
    pub fn suspect_access(&mut self, session: &mut Session, along: &Abstract, beyond: Expr, address: Expr) {
        let loc = place(&session.machine.executor.image, &along.path.state);
        let kinds = [FaultKind::NullDereference, FaultKind::OutOfBounds].map(Kind::Memory);
        if kinds.iter().all(|kind| self.suspicions.is_real((loc, *kind))) {
            return;
        }
        let arena = &mut session.machine.executor.arena;
        if let Answer::Unsat = session.machine.chain.check(arena, &along.path.conditions, beyond, &along.path.model) {
            return;
        }
        let end = arena.word(arena.width(address), NULL_ENDS);
        let is_null = arena.compare(Op::UnsignedLess, address, end);
        let is_other = arena.not(is_null);
        for (kind, side) in kinds.into_iter().zip([is_null, is_other]) {
            let condition = session.machine.executor.arena.binary(Op::And, beyond, side);
            self.suspect(session, along, (kind, condition), None);
        }
    }

    /// An abstract path would go wrong where it stands if this holds; with a model of that, if somebody has one.
    pub fn suspect(
        &mut self,
        session: &mut Session,
        along: &Abstract,
        (kind, condition): (Kind, Expr),
        model: Option<Rc<Model>>,
    ) {
        if along.level > 0 || along.replay.is_some() {
            return;
        }
        let fault = (place(&session.machine.executor.image, &along.path.state), kind);
        if self.suspicions.is_real(fault) {
            return;
        }
        let arena = &mut session.machine.executor.arena;
        let model = match model {
            Some(model) => model,
            None => match session.machine.chain.check(arena, &along.path.conditions, condition, &along.path.model) {
                Answer::Sat(model) => Rc::new(model),
                Answer::Unsat => return,
                // What calls really give will say.
                Answer::Unknown(_) => along.path.model.clone(),
            },
        };
        let known = self.suspicions.faults.entry(fault).or_default();
        if known.waiting == MOST_OF_FAULT {
            known.is_open = true;
            return;
        }
        known.waiting += 1;
        let mut along = along.clone();
        along.path.model = model;
        let before = along.added.len();
        along.added.push(arena, condition);
        let parts = along.added.len() - before;
        along.path.state = session.roots()[0].clone();
        self.suspicions.waiting.push_back(Suspicion { along, parts, fault, tries: 0 });
        self.count_suspicions();
    }

    /// A path of the program goes wrong where the abstract path that it takes does not.
    pub fn tell_fault(&mut self, session: &mut Session, path: &Path, ended: &Ended) {
        let fault = (place(&session.machine.executor.image, &path.state), Kind::of_ending(ended));
        if !self.suspicions.is_real(fault) {
            self.suspicions.faults.entry(fault).or_default().is_real = true;
            self.count_suspicions();
            self.report(session, path, ended);
        }
    }

    /// How many faults there may be, how many there are, and how many there are not.
    pub fn count_suspicions(&mut self) {
        let faults = &self.suspicions.faults;
        let count = |is: &dyn Fn(&Known) -> bool| faults.values().filter(|known| is(known)).count() as u64;
        self.counts.suspicions = faults.len() as u64;
        self.counts.suspicions_real = count(&|known| known.is_real);
        self.counts.suspicions_refuted = count(&|known| !known.is_real && !known.is_undecided());
    }

    pub fn is_in_doubt(&self) -> bool {
        !self.doubtful.is_empty() || !self.suspicions.open().is_empty()
    }

    /// All paths of the program were followed: nothing is in doubt any more.
    pub fn leave_no_doubt(&mut self) {
        self.suspicions.forget_undecided();
        self.doubtful.clear();
        self.count_suspicions();
    }

    /// Whether it is the turn of suspicions.
    pub fn is_time_to_suspect(&self, session: &Session) -> bool {
        let of_lazy = session.machine.queries() - self.beside.questions();
        let is_their_share = self.suspicions.questions * SHARE <= of_lazy;
        self.suspicions.len() > 0 && (is_their_share || self.pending.is_empty())
    }

    /// Looks whether the oldest suspicion is true.
    pub fn look_at_suspicion(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) {
        let Some(suspicion) = self.suspicions.waiting.pop_front() else { return };
        self.suspicions.faults.entry(suspicion.fault).or_default().waiting -= 1;
        if !self.suspicions.is_real(suspicion.fault) && !suspicion.along.is_dead() {
            self.decide(session, suspicion, stop);
        }
        self.count_suspicions();
    }

    fn decide(&mut self, session: &mut Session, mut suspicion: Suspicion, stop: &mut dyn FnMut() -> bool) {
        let came = self.pursue(session, &suspicion, stop);
        let known = self.suspicions.faults.entry(suspicion.fault).or_default();
        match came {
            Concretised::Path(path, ended) if ended.class() == Class::Finding => {
                known.is_real = true;
                self.report(session, &path, &ended);
            }
            Concretised::Refuted => {}
            Concretised::Late | Concretised::Open | Concretised::Costly if suspicion.tries < TRIES => {
                known.waiting += 1;
                suspicion.tries += 1;
                self.suspicions.waiting.push_back(suspicion);
            }
            Concretised::Stopped => {
                known.waiting += 1;
                self.suspicions.waiting.push_front(suspicion);
            }
            came => {
                known.is_open = true;
                if matches!(came, Concretised::Lost(_)) {
                    // A suspicion is no reason to begin anew, but paths through calls have to be looked for again.
                    self.expansions.clear();
                }
            }
        }
    }

    /// Looks for a path of the program on which a suspicion is true, as for any other abstract path.
    fn pursue(&mut self, session: &mut Session, suspicion: &Suspicion, stop: &mut dyn FnMut() -> bool) -> Concretised {
        let begin = Path::new(session.roots()[0].clone(), 0);
        let (iterations, counts) = (session.meter.counts.iterations, self.counts);
        let asked = session.machine.queries();
        let effort = self.effort.replace(QUICK.saturating_mul(MORE.saturating_pow(suspicion.tries)));
        self.is_suspecting = true;
        let mut came = Concretised::Open;
        for wanted in suspicion.wanted() {
            self.allow(suspicion.tries);
            self.allowance /= LESS;
            came = self.concretise(session, &begin, &wanted, stop);
            if matches!(came, Concretised::Refuted | Concretised::Stopped) {
                break;
            }
        }
        self.effort = effort;
        self.is_suspecting = false;
        self.suspicions.questions += session.machine.queries() - asked;
        self.counts.suspicion_iterations += session.meter.counts.iterations - iterations;
        session.meter.counts.iterations = iterations;
        (self.counts.expansions, self.counts.reused) = (counts.expansions, counts.reused);
        came
    }
}

/// Where a path stands, in the program's own text.
fn place(image: &Image, state: &State) -> LocId {
    state.stack(image).iter().find(|entry| !entry.runtime).map_or_else(|| state.loc(image), |entry| entry.loc)
}
