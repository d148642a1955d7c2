//! Real paths before the calls of abstract ones. Where none of the paths that were tried takes an abstract path, all others have to be looked at before
//! it is refuted: those through its last call from every real path that comes there, and so on back to its beginning. Abstract paths that begin
//! alike have these in common. So the real paths that come to a call are kept with it, found one by one from those that come to the call before it,
//! as far as somebody asks for them.
//!
//! Of real paths of which the rest of an abstract path sees the same, only the first is gone on with: they differ in conditions on inputs. That holds
//! as long as nothing asks for inputs on which the first has a condition that another one does not have. When all else failed, this is looked at;
//! such a one is then gone on with as well. The same holds for paths through a call that leave the same. A lexer that stands at the same place of a text does the same whatever came before, so a text of
//! n bytes is cut into tokens in n ways and not in 2^n.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::GatheredVariables;

use super::Lazy;
use super::abstraction::Event;
use super::concretise::{Attempt, Before, Concretised, Manner, Real, Tried, Wanted, real_at, real_before};
use super::dead_ends::{DeadEnds, Rest};
use super::groups::Groups;
use super::noted::Context;
use crate::path::Path;
use crate::session::Session;

/// Real paths before one call that are kept apart, those that look the same as one of them, and calls of an abstract path: with more, nothing is
/// said.
const MOST: usize = 256;
const MOST_ALIKE: usize = 1024;
/// Paths that functions may have that are passed over: all of them would have to be looked at.
const MOST_PATHS: usize = 2000;
const MOST_CALLS: usize = 256;

/// The real paths that come to a call, for a rest that sees so much of them.
pub struct Arrivals {
    rest: Rest,
    /// Those that are gone on with.
    found: Vec<Arrival>,
    by_sight: FxHashMap<Context, usize>,
    /// Those that look the same as one of them.
    alike: Vec<(Arrival, usize)>,
    /// The path before the call before that is gone on with now, by its number, and how far that is.
    from: usize,
    under_way: Option<Attempt>,
    /// For those that were gone on with: what was asked about, and the paths through the call before that leave the same.
    touched: Vec<GatheredVariables>,
    groups: Vec<Groups>,
    /// Those that are gone on with once more, because more of these paths have to be told apart.
    again: Vec<usize>,
    /// Something was left open on the way.
    is_open: bool,
}

#[derive(Clone)]
struct Arrival {
    before: Rc<Before>,
    /// The path before the call before from which it comes, and the number of the path that was taken through that; 0 if that has none.
    from: usize,
    taken: usize,
}

pub type SharedArrivals = Rc<RefCell<Arrivals>>;

impl Arrivals {
    fn new(rest: Rest) -> Arrivals {
        Arrivals {
            rest,
            found: Vec::new(),
            by_sight: FxHashMap::default(),
            alike: Vec::new(),
            from: 0,
            under_way: None,
            touched: Vec::new(),
            groups: Vec::new(),
            again: Vec::new(),
            is_open: false,
        }
    }

    /// Those of a call.
    fn of(event: &Event, rest: &Rest) -> SharedArrivals {
        let mut all = event.arrivals.borrow_mut();
        if let Some(known) = all.iter().find(|known| known.borrow().rest == *rest) {
            return known.clone();
        }
        let made = Rc::new(RefCell::new(Arrivals::new(rest.clone())));
        all.push(made.clone());
        made
    }

    /// A real path came to the call, from one before the call before, by a path through that.
    fn add(&mut self, event: &Event, real: &Real, from: usize, taken: usize) {
        // It may have come before, when fewer paths were told apart.
        let alike = self.alike.iter_mut().map(|(arrival, _)| arrival);
        let mut all = self.found.iter_mut().chain(alike).filter(|arrival| arrival.from == from);
        if let Some(known) = all.find(|arrival| arrival.before.path.conditions == real.path.conditions) {
            known.taken = taken;
            return;
        }
        let (path, meanings, arrays) = (real.path.clone(), real.meanings.clone(), real.arrays.clone());
        let arrival = Arrival { before: Rc::new(Before { path, meanings, arrays }), from, taken };
        let sight = self.rest.sight(real, event);
        match sight.and_then(|sight| self.by_sight.get(&sight)) {
            Some(&known) => self.alike.push((arrival, known)),
            None => {
                sight.into_iter().for_each(|sight| _ = self.by_sight.insert(sight, self.found.len()));
                self.found.push(arrival);
            }
        }
    }

    /// The path before the call before from which real paths are looked for now.
    fn origin(&self) -> usize {
        self.again.last().copied().unwrap_or(self.from)
    }

    /// All that comes from one path before the call before was looked at, but for what leaves the same as something else.
    fn leave(&mut self, touched: &GatheredVariables, groups: Groups) {
        match self.again.pop() {
            Some(from) => {
                self.touched[from].add_all(touched);
                self.groups[from] = groups;
            }
            None => {
                self.touched.push(touched.clone());
                self.groups.push(groups);
                self.from += 1;
            }
        }
    }
}

/// An abstract path with the real paths before each of its calls.
struct Along<'a> {
    begin: &'a Path,
    /// Up to each of its calls.
    parts: Vec<Wanted>,
    arrivals: Vec<SharedArrivals>,
}

/// Why there is no other real path before a call.
enum Missing {
    All,
    /// There may be, but there are too many.
    TooMany,
    Came(Concretised),
}

impl Lazy {
    /// Looks for a path of the program that takes an abstract one among all that come to its last call. `None` if nobody can say what its rest
    /// depends on, or if there are too many.
    pub fn search_arrivals(
        &mut self,
        session: &mut Session,
        begin: &Path,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Concretised> {
        let last = wanted.events.len().checked_sub(1).filter(|last| *last < MOST_CALLS)?;
        let has_many = |event: &Rc<Event>| self.paths.get(&event.function).is_some_and(|paths| *paths > MOST_PATHS);
        if wanted.events.iter().any(has_many) {
            return None;
        }
        let rests: Option<Vec<Rest>> = self.rests(&mut session.machine.executor.arena, wanted).into_iter().collect();
        let arrivals = rests?.iter().zip(&wanted.events).map(|(rest, event)| Arrivals::of(event, rest)).collect();
        let parts = (0..=last).map(|at| wanted.up_to(at)).collect();
        let along = Along { begin, parts, arrivals };
        let mut touched: Vec<GatheredVariables> = Vec::new();
        let mut is_open = false;
        loop {
            loop {
                let before = match self.arrival(session, &along, last, touched.len(), stop) {
                    Ok(before) => before,
                    Err(Missing::All) => break,
                    Err(Missing::TooMany) => return None,
                    Err(Missing::Came(came)) => return Some(came),
                };
                let real = real_before(session, wanted, last, &before);
                let (came, asked) = self.try_from(session, real, wanted, stop);
                match came {
                    Concretised::Refuted => {}
                    Concretised::Open | Concretised::Costly => is_open = true,
                    came => return Some(came),
                }
                touched.push(asked);
            }
            if !self.part_alike(session, &along, &touched) {
                break;
            }
        }
        let is_left_open = is_open || along.arrivals.iter().any(|arrivals| arrivals.borrow().is_open);
        Some(if is_left_open { Concretised::Open } else { Concretised::Refuted })
    }

    /// Tries to take the rest of an abstract path from one place on: what came of it, and what was asked about.
    fn try_from(
        &mut self,
        session: &mut Session,
        real: Real,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> (Concretised, GatheredVariables) {
        let mut asked = GatheredVariables::default();
        self.gather(&session.machine.executor.arena, &real.goal, &mut asked);
        let mut attempt = match self.attempt(session, real) {
            Ok(attempt) => attempt,
            Err(came) => return (came, asked),
        };
        let manner = (Manner::Patient, None);
        let came = self.go_on_with(session, &mut attempt, wanted, &mut DeadEnds::default(), manner, stop);
        match came {
            Tried::Came(came) => (came, attempt.over().0),
            Tried::Before(_) => unreachable!("no call was named before which to stop"),
        }
    }

    /// One of the real paths before a call, by its number.
    fn arrival(
        &mut self,
        session: &mut Session,
        along: &Along,
        at: usize,
        number: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Rc<Before>, Missing> {
        let mut arrivals = along.arrivals[at].borrow_mut();
        let part = &along.parts[at];
        loop {
            if let Some(found) = arrivals.found.get(number) {
                return Ok(found.before.clone());
            }
            if arrivals.found.len() >= MOST || arrivals.alike.len() >= MOST_ALIKE {
                return Err(Missing::TooMany);
            }
            let mut attempt = match arrivals.under_way.take() {
                Some(attempt) => attempt,
                None => {
                    let origin = arrivals.origin();
                    let real = match at.checked_sub(1) {
                        None if origin > 0 => return Err(Missing::All),
                        None => real_at(session, part, along.begin),
                        Some(before) => {
                            let path = self.arrival(session, along, before, origin, stop)?;
                            real_before(session, part, before, &path)
                        }
                    };
                    let mut asked = GatheredVariables::default();
                    self.gather(&session.machine.executor.arena, &real.goal, &mut asked);
                    match self.attempt(session, real) {
                        Ok(attempt) => {
                            let is_again = !arrivals.again.is_empty();
                            attempt.grouping(if is_again { arrivals.groups[origin].again() } else { Groups::default() })
                        }
                        Err(Concretised::Stopped) => return Err(Missing::Came(Concretised::Stopped)),
                        Err(came) => {
                            arrivals.is_open |= !matches!(came, Concretised::Refuted);
                            arrivals.leave(&asked, Groups::default());
                            continue;
                        }
                    }
                }
            };
            let manner = (Manner::Patient, Some(at));
            match self.go_on_with(session, &mut attempt, part, &mut DeadEnds::default(), manner, stop) {
                Tried::Before(real) => {
                    let origin = arrivals.origin();
                    arrivals.add(&part.events[at], &real, origin, attempt.taken());
                    arrivals.under_way = Some(attempt);
                }
                Tried::Came(came @ (Concretised::Late | Concretised::Stopped | Concretised::Lost(_))) => {
                    arrivals.under_way = Some(attempt);
                    return Err(Missing::Came(came));
                }
                Tried::Came(came) => {
                    arrivals.is_open |= !matches!(came, Concretised::Refuted);
                    let (touched, groups) = attempt.over();
                    arrivals.leave(&touched, groups);
                }
            }
        }
    }

    /// All real paths that were gone on with failed, and asked for this on the last part of the way. Looks whether those that look the same fail as
    /// well: if not, they are gone on with from now on. Whether there are any.
    fn part_alike(&mut self, session: &Session, along: &Along, touched: &[GatheredVariables]) -> bool {
        let mut touched = touched.to_vec();
        let mut is_any = false;
        for at in (0..along.arrivals.len()).rev() {
            let mut arrivals = along.arrivals[at].borrow_mut();
            is_any |= self.part_alike_at(session, &mut arrivals, &touched);
            let Some(before) = at.checked_sub(1) else { break };
            // What was asked about by all that came from a path before the call before.
            let earlier = along.arrivals[before].borrow();
            let mut asked = vec![GatheredVariables::default(); earlier.found.len()];
            asked.iter_mut().zip(&arrivals.touched).for_each(|(asked, touched)| asked.add_all(touched));
            let going_on = arrivals.found.iter().enumerate().map(|(number, arrival)| (arrival, number));
            for (arrival, number) in going_on.chain(arrivals.alike.iter().map(|(arrival, same)| (arrival, *same))) {
                let Some(asked) = asked.get_mut(arrival.from) else { continue };
                touched.get(number).into_iter().for_each(|touched| asked.add_all(touched));
                // And all that is new on the way.
                let (conditions, known) =
                    (&arrival.before.path.conditions, &earlier.found[arrival.from].before.path.conditions);
                let new = conditions.iter().take(conditions.len().saturating_sub(known.len())).collect::<Vec<_>>();
                self.gather(&session.machine.executor.arena, &new, asked);
            }
            is_any |= self.part_groups(session, &mut arrivals, &earlier, &touched);
            drop(earlier);
            touched = asked;
        }
        is_any
    }

    /// The same for paths through the call before that leave the same: those that may not fail as well are told apart from now on.
    fn part_groups(
        &mut self,
        session: &Session,
        arrivals: &mut Arrivals,
        earlier: &Arrivals,
        touched: &[GatheredVariables],
    ) -> bool {
        let arena = &session.machine.executor.arena;
        let mut is_any = false;
        for from in 0..arrivals.groups.len() {
            let known = &earlier.found[from].before.path.conditions;
            let mut groups = std::mem::take(&mut arrivals.groups[from]);
            let mut is_parted = false;
            for group in &mut groups.list {
                let mut matters = Vec::new();
                for taken in &group.taken {
                    // Where it led to, and what was asked about from there.
                    let is_of = |arrival: &Arrival| arrival.from == from && arrival.taken == taken.number;
                    let found = arrivals.found.iter().enumerate().find(|(_, arrival)| is_of(arrival));
                    let alike = || arrivals.alike.iter().find(|(one, _)| is_of(one)).map(|(one, same)| (*same, one));
                    let (asked, mut all) = match found.or_else(alike) {
                        Some((number, arrival)) => (touched.get(number), arrival.before.path.conditions.clone()),
                        None => (Some(&arrivals.touched[from]), known.clone()),
                    };
                    taken.own().iter().for_each(|condition| all.push(arena, *condition));
                    let asked = asked.cloned().unwrap_or_default();
                    let mut relevant = self.connected(arena, asked.clone(), all.iter().collect());
                    relevant.retain(|one| taken.own().contains(one) && !known.iter().any(|known| known == *one));
                    if !taken.stands_for(&relevant) {
                        matters.push(asked);
                    }
                }
                matters.iter().for_each(|variables| group.note_matter(variables));
                is_parted |= !matters.is_empty();
            }
            arrivals.groups[from] = groups;
            if is_parted {
                arrivals.again.push(from);
                is_any = true;
            }
        }
        is_any
    }

    fn part_alike_at(&mut self, session: &Session, arrivals: &mut Arrivals, touched: &[GatheredVariables]) -> bool {
        let arena = &session.machine.executor.arena;
        let mut relevant: FxHashMap<usize, Vec<_>> = FxHashMap::default();
        let (mut alike, mut is_any) = (Vec::new(), false);
        for (arrival, same) in std::mem::take(&mut arrivals.alike) {
            let asked = relevant.entry(same).or_insert_with(|| {
                let all = arrivals.found[same].before.path.conditions.iter().collect();
                self.connected(arena, touched.get(same).cloned().unwrap_or_default(), all)
            });
            let own: Vec<_> =
                if asked.is_empty() { Vec::new() } else { arrival.before.path.conditions.iter().collect() };
            match asked.iter().all(|condition| own.contains(condition)) {
                true => alike.push((arrival, same)),
                false => {
                    arrivals.found.push(arrival);
                    is_any = true;
                }
            }
        }
        arrivals.alike = alike;
        is_any
    }
}
