//! Concrete runs on inputs that somebody supplies. A run that covers something new, or ends in a bug that is not known, becomes a test.

use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::Coverage;
use symcrete_exec::inputs::Supply;
use symcrete_exec::{Class, Ended, StackEntry, State};
use symcrete_expr::Model;
use symcrete_ir::LocId;

use crate::drive::confirm;
use crate::report::{self, Finder, PathReport};
use crate::session::Session;
use crate::session::event::Event;

/// How a run came out.
pub struct Trial {
    pub state: State,
    pub became_test: bool,
}

/// What is known from all runs.
#[derive(Default)]
pub struct Trials {
    pub runs: u64,
    pub instructions: u64,
    finder: Finder,
    /// What the tests cover, and what it knew of that.
    covered: Option<Coverage>,
    known: u64,
    /// Findings, by kind and place.
    found: FxHashSet<(&'static str, Option<LocId>)>,
}

impl Trials {
    pub fn of(finder: Finder) -> Trials {
        Trials { finder, ..Trials::default() }
    }

    /// Runs once from a root; `None` if that cannot become a test. Adds the instructions to `work`.
    pub fn run(
        &mut self,
        session: &mut Session,
        root: usize,
        supply: Rc<dyn Supply>,
        budget: u64,
        work: &mut u64,
    ) -> Option<Trial> {
        self.run_until(session, root, supply, budget, work, &AtomicBool::new(false))
    }

    /// The same, as long as nobody wants to stop.
    pub fn run_until(
        &mut self,
        session: &mut Session,
        root: usize,
        supply: Rc<dyn Supply>,
        budget: u64,
        work: &mut u64,
        stop: &AtomicBool,
    ) -> Option<Trial> {
        let mut state = session.roots()[root].clone();
        let begun = state.steps;
        state.inputs.supply = Some(supply);
        self.runs += 1;
        let (ended, covers_new) = self.execute(session, &mut state, budget, stop);
        *work += state.steps - begun;
        self.instructions += state.steps - begun;
        let ended = ended?;
        session.note_survivable(&state, &ended);
        let is_new = ended.class() == Class::Finding && {
            let stack = report::stack(&session.machine.executor, &state, &ended);
            self.learn_finding(&ended, &stack)
        };
        let became_test = covers_new || is_new;
        if became_test {
            self.report(session, &state, ended, covers_new);
        }
        Some(Trial { state, became_test })
    }

    /// Whether a finding is new.
    pub fn learn_finding(&mut self, ended: &Ended, stack: &[StackEntry]) -> bool {
        self.found.insert((ended.name(), stack.first().map(|entry| entry.loc)))
    }

    /// How a run ends, if that can become a test, and whether it covers what the tests so far do not.
    fn execute(
        &mut self,
        session: &mut Session,
        state: &mut State,
        budget: u64,
        stop: &AtomicBool,
    ) -> (Option<Ended>, bool) {
        let covered = self.covered.get_or_insert_with(|| Coverage::new(&session.machine.executor.image));
        if self.known != session.suite.covered.marks() {
            covered.merge(session.suite.covered.marked());
            self.known = session.suite.covered.marks();
        }
        let marks = covered.marks();
        let (reached, targets) = (&session.suite.reached, &session.config.targets);
        let ended = session.machine.covering(covered, |machine| match targets.is_empty() {
            true => confirm::execute_until(&mut machine.executor, state, budget, stop),
            false => {
                let is_there = |covered: &Coverage| reached.is_new(targets, covered);
                confirm::execute_to_target(&mut machine.executor, state, budget, stop, &is_there)
            }
        });
        let covers_new = covered.marks() != marks;
        let ended = ended.filter(|ended| *ended != Ended::Discarded);
        if ended.is_none() && covers_new {
            // No test covers that.
            self.covered = None;
            self.known = 0;
        }
        (ended, covers_new)
    }

    fn report(&mut self, session: &mut Session, state: &State, ended: Ended, covers_new: bool) {
        if let Some(covered) = &self.covered {
            session.suite.covered.merge(covered.marked());
            session.machine.executor.coverage.merge(covered.marked());
            self.known = session.suite.covered.marks();
        }
        let reaches = session.suite.reached.learn(&session.config.targets, &session.suite.covered);
        let model = Rc::new(Model::default());
        let stack = report::stack(&session.machine.executor, state, &ended);
        let inputs = report::inputs(&mut session.machine.executor, state, &model);
        let (parameters, objects) = report::memory(&mut session.machine.executor, state, &model);
        session.suite.tell(Event::Path(Box::new(PathReport {
            stack,
            provenance: report::provenance(&session.machine.executor, &ended),
            ended,
            inputs,
            parameters,
            objects,
            answers: state.native.answers(),
            decisions: Vec::new(),
            covers_new,
            reaches,
            steps: state.steps,
            concrete: true,
            is_extra: true,
            found_by: self.finder,
            changes_outside: report::changes_outside(state),
            changes_files: report::changes_files(state),
        })));
    }
}
