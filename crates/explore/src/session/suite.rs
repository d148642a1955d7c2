//! The tests so far: what they cover, which targets they reach, and what is told of them.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_ir::LocId;

use crate::report::Uninitialised;
use crate::report::partition::Kept;
use crate::session::event::Event;
use crate::session::saturation::Saturation;
use crate::session::sides::Tries;
use crate::session::targets::{Reached, Targets};

pub struct Suite {
    /// What the tests so far execute, those of the concrete runs included.
    pub covered: Coverage,
    /// Which targets the tests come to, and to which nothing can.
    pub reached: Reached,
    pub refuted: Vec<bool>,
    pub saturation: Saturation,
    /// Sides of choices that were looked for.
    pub tries: Tries,
    /// Places where the use of what nobody wrote was told of.
    pub flagged: FxHashSet<LocId>,
    pub taken_as_zero: FxHashSet<LocId>,
    /// Errors in which paths ended that might come to a target if the real program continues behind them.
    pub survivable: BTreeSet<(LocId, &'static str)>,
    /// The conditions of finished paths, where that is asked for.
    pub kept: Option<Kept>,
    pub events: Vec<Event>,
}

/// A use of what nobody wrote, and where it is.
pub type Unwritten = (LocId, Uninitialised);

impl Suite {
    pub fn new(covered: Coverage, targets: &Targets, saturation: Saturation, keeps_conditions: bool) -> Suite {
        Suite {
            covered,
            reached: targets.none_reached(),
            // Nothing comes to a place that does not exist.
            refuted: targets.0.iter().map(Vec::is_empty).collect(),
            saturation,
            tries: Tries::default(),
            flagged: FxHashSet::default(),
            taken_as_zero: FxHashSet::default(),
            survivable: BTreeSet::new(),
            kept: keeps_conditions.then(Kept::default),
            events: Vec::new(),
        }
    }

    /// Whether a test takes this.
    pub fn is_covered(&self, mark: Mark) -> bool {
        self.covered.is_marked(mark)
    }

    /// How many events nobody was told of yet.
    pub fn events_so_far(&self) -> usize {
        self.events.len()
    }

    /// Of the events since then, only some are told.
    pub fn keep_events(&mut self, since: usize, mut is_wanted: impl FnMut(&mut Event) -> bool) {
        let mut latest = self.events.split_off(since);
        latest.retain_mut(|event| is_wanted(event));
        self.events.append(&mut latest);
    }

    /// Tells of uses of what nobody wrote, once for each place.
    pub fn tell_unwritten(&mut self, uses: Vec<Unwritten>) {
        for (loc, uninitialised) in uses {
            if self.flagged.insert(loc) {
                self.tell(Event::Uninitialised(uninitialised));
            }
        }
    }

    pub fn tell(&mut self, event: Event) {
        self.events.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::config::Config;
    use crate::session::test_support::session;

    fn suite() -> Suite {
        let main = session(Config::default()).machine.executor.image.program.function_named("main");
        let targets = Targets(vec![Vec::new(), vec![Mark::Entered(main.expect("there is a main"))]]);
        session(Config { targets, ..Config::default() }).suite
    }

    #[test]
    fn nothing_comes_to_a_place_that_does_not_exist() {
        assert_eq!(suite().refuted, [true, false]);
    }

    #[test]
    fn only_events_since_then_are_dropped() {
        let mut suite = suite();
        suite.tell(Event::NotPure("before".to_owned()));
        let since = suite.events_so_far();
        suite.tell(Event::NotPure("dropped".to_owned()));
        suite.tell(Event::NotPure("kept".to_owned()));
        suite.keep_events(since, |event| matches!(event, Event::NotPure(name) if name == "kept"));
        let names = suite.events.iter().filter_map(|event| match event {
            Event::NotPure(name) => Some(name.as_str()),
            _ => None,
        });
        assert_eq!(names.collect::<Vec<_>>(), ["before", "kept"]);
    }
}
