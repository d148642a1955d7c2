//! What becomes of a path that is over: it is counted, its inputs are executed concretely, and if they add to the suite it is reported.

use std::hash::BuildHasher as _;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;
use symcrete_exec::coverage::Coverage;
use symcrete_exec::{Class, Ended, Executor, State};
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_memory::FaultKind;
use symcrete_solver::Answer;

use crate::drive::confirm::{self, Confirmation};
use crate::path::Path;
use crate::path::limits::PathLimits;
use crate::report::{self, GivenInput, Mismatch, PathReport, STOPPED, Uninitialised};
use crate::session::Session;
use crate::session::event::Event;
use crate::session::machine::Machine;
use crate::session::suite::Unwritten;

/// Instructions within which most programs end.
const LONG_ENOUGH: u64 = 10_000_000;
/// What the run of a path's inputs may take beyond twice the path's own instructions, one after the other: a path passes over what it
/// prints, and the run prints it.
const BUDGETS: [u64; 3] = [10_000, LONG_ENOUGH, 5 * LONG_ENOUGH];

impl Session {
    /// A path is over: counts and reports it.
    pub(crate) fn finish(&mut self, path: &Path, ended: Ended) {
        if !path.state.preferred.is_empty() {
            let preferred = self.preferred(path);
            return self.finish_as_is(&preferred, ended);
        }
        self.finish_as_is(path, ended);
    }

    fn finish_as_is(&mut self, path: &Path, ended: Ended) {
        if let Some(kept) = &mut self.suite.kept {
            kept.add(path, &ended);
        }
        self.meter.counts.segments += 1;
        let general = ended;
        let ended = self.for_model(path, &general);
        self.suite.saturation.learn(&ended, path.state.loc(&self.machine.executor.image));
        match ended.class() {
            _ if ended == Ended::Discarded => {
                self.meter.counts.discarded += 1;
                if self.config.ends_when_covered && self.meter.counts.discarded.is_power_of_two() {
                    self.learn_discarded(path);
                }
                return;
            }
            Class::Normal => self.meter.counts.completed += 1,
            Class::Finding => {
                self.meter.counts.failed += 1;
                self.note_survivable(&path.state, &ended);
            }
            Class::Limit => self.meter.counts.partial += 1,
        }
        let decisions = path.decisions.to_bytes();
        self.meter.counts.digest = self.meter.counts.digest.wrapping_add(FxBuildHasher.hash_one(decisions));
        if path.may_use_unwritten && !path.is_pieced {
            self.look_for_unwritten(path);
        }
        let takes_side = self.takes_new_side(path);
        let is_covered = self.suite.covered.marks() == self.machine.executor.coverage.marks() && !takes_side;
        if ended.class() != Class::Normal || !is_covered || self.config.every_path {
            self.test(path, ended, takes_side);
        }
        if general.class() != Class::Limit {
            self.other_sides(path, &general, false);
        }
    }

    /// A path ended in an error behind which the real program may continue, and come to a target.
    pub(crate) fn note_survivable(&mut self, state: &State, ended: &Ended) {
        let image = &self.machine.executor.image;
        if self.config.targets.is_empty() || !ended.may_be_survived() {
            return;
        }
        if !self.worklist.knows_ways || self.worklist.board.may_arrive_from(state, image) {
            let stack = report::stack(&self.machine.executor, state, ended);
            let own = stack.iter().find(|entry| !entry.runtime).or(stack.first());
            self.suite.survivable.extend(own.map(|entry| (entry.loc, ended.name())));
        }
    }

    /// The path with a model that satisfies what the program prefers: one condition after the other, as far as it can hold with those
    /// before it (as KLEE does).
    fn preferred(&mut self, path: &Path) -> Path {
        let mut path = path.clone();
        let mut wanted = self.machine.executor.arena.boolean(true);
        for preferred in path.state.preferred.clone().iter() {
            let arena = &mut self.machine.executor.arena;
            let more = arena.binary(Op::And, wanted, *preferred);
            match self.machine.chain.check(arena, &path.conditions, more, &path.model) {
                Answer::Sat(model) => (path.model, wanted) = (Rc::new(model), more),
                Answer::Unsat | Answer::Unknown(_) => {}
            }
        }
        path
    }

    /// Reports a path with the inputs that its model says.
    fn test(&mut self, path: &Path, ended: Ended, takes_side: bool) {
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        // Cut short before the program was given anything, it says nothing of inputs.
        if ended.class() == Class::Limit && inputs.is_empty() {
            return self.tell(path, ended, inputs, false);
        }
        let covers_new = self.confirm(path, &ended, &inputs, takes_side);
        self.tell(path, ended, inputs, covers_new);
    }

    /// How a path ends for the inputs of its model.
    fn for_model(&mut self, path: &Path, ended: &Ended) -> Ended {
        let ended = match ended {
            Ended::ExitedWith(status) => {
                let bits = self.machine.chain.evaluate(&self.machine.executor.arena, &path.model, *status);
                Ended::Exited(bits.low_u64() as i32 & 0xFF)
            }
            Ended::Undefined(undefined) => {
                let evaluate =
                    |expr| self.machine.chain.evaluate(&self.machine.executor.arena, &path.model, expr).low_u128();
                Ended::Undefined(Box::new(undefined.evaluated(evaluate)))
            }
            other => other.clone(),
        };
        match ended {
            Ended::Exited(_) if self.machine.executor.config.leaks => self.leaks(path).unwrap_or(ended),
            other => other,
        }
    }

    /// Which side of a choice the model takes.
    fn side(&mut self, path: &Path, condition: Expr) -> bool {
        !self.machine.chain.evaluate(&self.machine.executor.arena, &path.model, condition).is_zero()
    }

    fn takes_new_side(&mut self, path: &Path) -> bool {
        path.choices.iter().any(|(choice, condition)| {
            let side = self.side(path, condition);
            !self.suite.covered.is_marked(choice[usize::from(side)])
        })
    }

    /// Tests for the sides of choices that no test takes and this path could.
    pub(crate) fn other_sides(&mut self, path: &Path, ended: &Ended, however_often: bool) {
        for (choice, condition) in path.choices.iter() {
            for side in [true, false] {
                let mark = choice[usize::from(side)];
                if self.suite.covered.is_marked(mark) || !(however_often || self.suite.tries.is_open(choice)) {
                    continue;
                }
                let arena = &mut self.machine.executor.arena;
                let wanted = if side { condition } else { arena.not(condition) };
                if let Answer::Sat(model) = self.machine.chain.check(arena, &path.conditions, wanted, &path.model) {
                    let mut path = path.clone();
                    path.model = Rc::new(model);
                    let ended = self.for_model(&path, ended);
                    self.test(&path, ended, true);
                }
                if !self.suite.covered.is_marked(mark) {
                    self.suite.tries.count(choice);
                }
            }
        }
    }

    fn tell(&mut self, path: &Path, ended: Ended, inputs: Vec<GivenInput>, covers_new: bool) {
        let (parameters, objects) = report::memory(&mut self.machine.executor, &path.state, &path.model);
        let report = PathReport {
            stack: report::stack(&self.machine.executor, &path.state, &ended),
            provenance: report::provenance(&self.machine.executor, &ended),
            ended,
            inputs,
            parameters,
            objects,
            answers: path.state.native.answers(),
            decisions: path.firm_decisions().to_bytes(),
            covers_new,
            reaches: self.suite.reached.learn(&self.config.targets, &self.suite.covered),
            steps: path.state.steps,
            concrete: false,
            is_extra: path.is_extra,
            found_by: report::Finder::Forward,
            changes_outside: report::changes_outside(&path.state),
            changes_files: report::changes_files(&path.state),
        };
        self.suite.tell(Event::Path(Box::new(report)));
    }

    /// How a path that was put together of pieces ends if it takes more instructions than are allowed: only a run counts them all.
    pub(crate) fn cut_short(&mut self, path: &Path, inputs: &[GivenInput]) -> Option<Ended> {
        let most = self.config.limits.steps?;
        let root = path.root();
        let ended =
            confirm::run(&mut self.machine.executor, &self.machine.roots[root], inputs, &path.state.native, most);
        ended.is_none().then(PathLimits::too_many_steps)
    }

    /// What a run of the path's inputs leaks: which memory a pointer reaches that depends on inputs is clear in such a run only.
    fn leaks(&mut self, path: &Path) -> Option<Ended> {
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        let root = &self.machine.roots[path.root()];
        let ended = BUDGETS.iter().find_map(|more| {
            let budget = path.state.steps.saturating_mul(2) + more;
            confirm::run(&mut self.machine.executor, root, &inputs, &path.state.native, budget)
        })?;
        matches!(ended, Ended::Leaked { .. }).then_some(ended)
    }

    /// Runs the inputs of a path concretely, if they may add to what the suite covers. Whether they do. A run that ends otherwise than
    /// the path did is a mistake of ours, and is told.
    fn confirm(&mut self, path: &Path, ended: &Ended, inputs: &[GivenInput], is_wanted: bool) -> bool {
        let complete = self.suite.covered.marks() == self.machine.executor.coverage.marks();
        if complete && ended.class() != Class::Finding && !is_wanted && !path.is_pieced {
            return false;
        }
        let (confirmation, covers_new) = self.run_patiently(path, inputs, ended.class() == Class::Limit);
        let concrete = match confirmation {
            Confirmation::Ended(ended) => Some(ended),
            Confirmation::Stuck => None,
            Confirmation::OutOfBudget if ended.class() == Class::Limit => return covers_new,
            Confirmation::OutOfBudget => {
                self.suite.tell(Event::NotConfirmed(ended.clone()));
                return covers_new;
            }
        };
        // Where a path was given up, its inputs may go on.
        let agree = concrete.as_ref().is_some_and(|concrete| confirm::agree(concrete, ended));
        // An access that misses its object may meet another one, which a run cannot tell from its own.
        let may_meet_another = matches!(ended, Ended::Memory(fault) if fault.kind == FaultKind::OutOfBounds);
        let differs = !agree && ended.class() != Class::Limit;
        if differs && !(may_meet_another && self.comes_by(path, inputs)) {
            self.suite.tell(Event::Mismatch(Mismatch { claimed: ended.clone(), concrete, inputs: inputs.to_vec() }));
        }
        covers_new
    }

    /// How the inputs of a path end, and whether they cover what no test does. With more and more patience, but `briefly`.
    fn run_patiently(&mut self, path: &Path, inputs: &[GivenInput], briefly: bool) -> (Confirmation, bool) {
        let budgets = if briefly { &BUDGETS[..1] } else { &BUDGETS[..] };
        let mut covers_new = false;
        for more in budgets {
            let budget = path.state.steps.saturating_mul(2) + more;
            let (confirmation, covers) = self.try_concretely(path, inputs, budget);
            covers_new |= covers;
            if confirmation != Confirmation::OutOfBudget {
                return (confirmation, covers_new);
            }
        }
        (Confirmation::OutOfBudget, covers_new)
    }

    /// Whether the inputs of a path come by where it ended.
    fn comes_by(&mut self, path: &Path, inputs: &[GivenInput]) -> bool {
        let mut covered = Coverage::new(&self.machine.executor.image);
        let budget = path.state.steps.saturating_mul(2) + 10_000;
        self.machine.covering(&mut covered, |machine| {
            confirm::run(&mut machine.executor, &machine.roots[path.root()], inputs, &path.state.native, budget)
        });
        let (function, block) = self.machine.executor.block_of(&path.state);
        covered.blocks(&self.machine.executor.image.program, function).get(block.as_u32() as usize) == Some(&true)
    }

    /// What only discarded paths execute, no test can cover: runs of some of them tell.
    fn learn_discarded(&mut self, path: &Path) {
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        let mut covered = Coverage::new(&self.machine.executor.image);
        let budget = path.state.steps.saturating_mul(2) + 10_000;
        let ended = self.machine.covering(&mut covered, |machine| {
            confirm::run(&mut machine.executor, &machine.roots[path.root()], &inputs, &path.state.native, budget)
        });
        if ended == Some(Ended::Discarded) {
            self.suite.saturation.discard(covered.marked());
        }
    }

    /// How the inputs of a path end, if that takes no longer than the budget, and whether they cover what no test does.
    fn run_concretely(&mut self, path: &Path, inputs: &[GivenInput], budget: u64) -> (Option<Ended>, bool) {
        match self.try_concretely(path, inputs, budget) {
            (Confirmation::Ended(ended), covers_new) => (Some(ended), covers_new),
            (_, covers_new) => (None, covers_new),
        }
    }

    /// The same, and why there is no end.
    fn try_concretely(&mut self, path: &Path, inputs: &[GivenInput], budget: u64) -> (Confirmation, bool) {
        let marks = self.suite.covered.marks();
        let (ended, unwritten) = self.machine.covering(&mut self.suite.covered, |machine| {
            // Of a path that was executed as a whole it is known what it used that nobody wrote.
            if path.is_pieced {
                return run_flagging(machine, path, inputs, budget);
            }
            let (root, native) = (&machine.roots[path.root()], &path.state.native);
            let ended = confirm::try_to_end(&mut machine.executor, root, inputs, native, budget, &mut |_, _, _| {});
            (ended, Vec::new())
        });
        self.suite.tell_unwritten(unwritten);
        let covers_new = self.suite.covered.marks() != marks;
        if covers_new {
            // Sides of choices that paths leave open.
            self.machine.executor.coverage.merge(self.suite.covered.marked());
        }
        (ended, covers_new)
    }

    /// On this path bits that nobody wrote entered an expression, as they do where bit-fields or padding are copied. Expressions do not say
    /// what becomes of them; a concrete run follows each bit. Such runs do no more than half as much as the search itself.
    fn look_for_unwritten(&mut self, path: &Path) {
        let steps = path.state.steps.saturating_mul(2) + 10_000;
        if self.meter.looked > self.meter.counts.instructions / 2 + LONG_ENOUGH {
            return;
        }
        self.meter.looked += steps;
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        let mut covered = Coverage::new(&self.machine.executor.image);
        let flagging = |machine: &mut Machine| run_flagging(machine, path, &inputs, steps);
        let (_, unwritten) = self.machine.covering(&mut covered, flagging);
        self.suite.tell_unwritten(unwritten);
    }

    /// A path came to a target: its inputs are told at once, for it may be long until its end.
    pub(crate) fn report_reached(&mut self, path: &Path) {
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        let budget = path.state.steps.saturating_mul(2) + LONG_ENOUGH;
        let marks = self.suite.covered.marks();
        let (reached, targets) = (&self.suite.reached, &self.config.targets);
        let is_there = |covered: &Coverage| reached.is_new(targets, covered);
        let native = &path.state.native;
        let ended = self.machine.covering(&mut self.suite.covered, |machine| {
            let root = &machine.roots[path.root()];
            confirm::run_to_target(&mut machine.executor, root, &inputs, native, budget, &is_there)
        });
        if self.suite.covered.marks() != marks {
            self.machine.executor.coverage.merge(self.suite.covered.marked());
            self.tell(path, ended.unwrap_or_else(|| Ended::GivenUp(STOPPED.to_owned())), inputs, true);
        }
    }

    /// When the search is stopped: tests for what pending paths executed and no test does, as far as that is told quickly. The paths stay
    /// pending.
    pub fn report_unfinished(&mut self) {
        const MOST_PATHS: usize = 64;
        const MOST_STEPS: u64 = 20_000_000;
        const BEHIND: u64 = 10_000;
        let promising = self.worklist.board.live_paths().map(|(_, path)| path).filter(|path| path.new_at.is_some());
        let paths: Vec<Path> = promising.take(MOST_PATHS).cloned().collect();
        let mut left = MOST_STEPS;
        for path in paths {
            if left == 0 || self.suite.covered.marks() == self.machine.executor.coverage.marks() {
                return;
            }
            // What comes behind what it covered last may be very long.
            let budget = path.new_at.unwrap_or(0).saturating_add(BEHIND).min(path.state.steps).min(left);
            left -= budget;
            self.report_running(&path, budget);
        }
    }

    /// A test for a path that is still running, if its inputs do within the budget what no test does.
    pub(crate) fn report_running(&mut self, path: &Path, budget: u64) {
        let inputs = report::inputs(&mut self.machine.executor, &path.state, &path.model);
        let (ended, covers_new) = self.run_concretely(path, &inputs, budget);
        let ended = ended.unwrap_or_else(|| Ended::GivenUp(STOPPED.to_owned()));
        if covers_new && ended.class() != Class::Finding {
            self.tell(path, ended, inputs, true);
        }
    }
}

/// Runs the inputs of a path: how that ends, and where it uses what nobody wrote.
fn run_flagging(
    machine: &mut Machine,
    path: &Path,
    inputs: &[GivenInput],
    budget: u64,
) -> (Confirmation, Vec<Unwritten>) {
    let mut unwritten = Vec::new();
    let mut flag = |executor: &Executor, state: &State, value: &Value| {
        let stack = state.stack(&executor.image);
        let origin = executor.origin_of(state, value);
        unwritten.push((state.loc(&executor.image), Uninitialised { stack, origin }));
    };
    let (root, native) = (&machine.roots[path.root()], &path.state.native);
    let ended = confirm::try_to_end(&mut machine.executor, root, inputs, native, budget, &mut flag);
    (ended, unwritten)
}
