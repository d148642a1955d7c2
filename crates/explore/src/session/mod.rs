//! What the engines of one worker share. Each part owns its data: the machine executes and decides, the suite knows the tests, the worklist the
//! pending paths, the meter what was done, the meeting what engines tell each other, and `stop` whether to go on.

pub mod config;
pub mod coverage;
pub mod event;
mod finish;
pub mod machine;
pub mod meter;
pub mod saturation;
pub mod sides;
pub mod stop;
pub mod suite;
pub mod targets;
#[cfg(test)]
pub mod test_support;
pub mod worklist;

use rustc_hash::FxHashSet;
use symcrete_exec::State;
use symcrete_exec::coverage::Coverage;
use symcrete_exec::step::symbolic::Note;
use symcrete_expr::Value;
use symcrete_ir::{Block, CallGraph, FuncId};
use symcrete_solver::Random;

use crate::local_search::candidate::Candidate;
use crate::path::Path;
use crate::path::board::Board;
use crate::path::memory::Budget;
use crate::path::strategy::Frontier;
use crate::report::Uninitialised;
use config::Config;
use coverage::Tally;
use event::Event;
use machine::Machine;
use meter::Meter;
use saturation::Saturation;
use stop::Stop;
use suite::Suite;
use targets::graph_is_complete;
use worklist::Worklist;

pub struct Session {
    pub machine: Machine,
    pub suite: Suite,
    pub worklist: Worklist,
    pub meter: Meter,
    pub meeting: Meeting,
    pub stop: Stop,
    pub config: Config,
    /// Blocks of the program's own code that were executed, and all of them.
    pub blocks: Tally,
}

/// What engines leave for each other.
#[derive(Default)]
pub struct Meeting {
    /// Inputs of concrete runs, for those who look for a target.
    pub runs: Vec<Candidate>,
    /// The ends of blocks from which somebody knows a way to a target, and paths that came there and were not looked at since.
    pub places: FxHashSet<(FuncId, Block)>,
    pub arrived: Vec<Path>,
}

impl Session {
    /// The paths begin in the given states.
    pub fn new(machine: Machine, config: Config, frontier: Frontier, stop: Stop) -> Session {
        let image = &machine.executor.image;
        let program = &image.program;
        let targets: FxHashSet<(FuncId, Block)> = config.targets.blocks(program).collect();
        let wanted = |function: FuncId, block| match targets.is_empty() {
            true => !program.functions[function].runtime,
            false => targets.contains(&(function, block)),
        };
        let graph = CallGraph::new(program);
        let knows_ways =
            !targets.is_empty() && graph_is_complete(program, &graph, targets.iter().map(|(function, _)| *function));
        let roots = machine.roots.iter();
        let begun = roots.filter_map(|root| root.places(image).next()).map(|(function, ..)| function);
        let saturation = Saturation::new(program, &graph, begun);
        let suite = Suite::new(Coverage::new(image), &config.targets, saturation, config.keep_conditions);
        let worklist = Worklist {
            frontier,
            board: Board::new(image, wanted),
            budget: Budget::new(config.memory, config.workers.max(1)),
            parked: Vec::new(),
            reserve_random: Random::new(1),
            prunes: config.prune && knows_ways,
            knows_ways,
            marks: 0,
        };
        Session {
            machine,
            suite,
            worklist,
            meter: Meter::default(),
            meeting: Meeting::default(),
            stop,
            config,
            blocks: Tally::default(),
        }
    }

    /// All that was done so far, in queries that are answered at once.
    pub fn work(&self) -> u64 {
        self.meter.work(&self.machine.chain)
    }

    /// Whether all that the search is for was reached, or cannot be.
    pub fn is_there(&self) -> bool {
        !self.config.targets.is_empty() && self.config.targets.are_covered(&self.suite.covered, &self.suite.refuted)
    }

    /// Whether a target is there to which nothing comes, as was proved.
    pub(crate) fn has_refuted(&self) -> bool {
        let targets = self.config.targets.0.iter().zip(&self.suite.refuted);
        targets.into_iter().any(|(marks, refuted)| *refuted && !marks.is_empty())
    }

    pub fn events(&mut self) -> impl Iterator<Item = Event> + '_ {
        let impurities = self.machine.executor.opaque.impurities();
        self.suite.events.extend(impurities.into_iter().map(Event::NotPure));
        let assumed = self.machine.executor.opaque.assumed_to_return(&self.machine.executor.image.program);
        self.suite.events.extend(assumed.into_iter().map(Event::AssumedToReturn));
        self.suite.events.drain(..)
    }

    pub fn roots(&self) -> &[State] {
        &self.machine.roots
    }

    /// Whether paths were not followed to their ends, or not at all.
    pub(crate) fn leaves_open(&self) -> bool {
        self.meter.counts.partial > 0 || !self.worklist.parked.is_empty()
    }

    /// The distances learn what was covered since.
    fn follow_coverage(&mut self) {
        let coverage = &self.machine.executor.coverage;
        if coverage.marks() == self.worklist.marks {
            return;
        }
        self.worklist.marks = coverage.marks();
        self.blocks = Tally::default();
        let program = &self.machine.executor.image.program;
        for (function, _) in program.functions.iter().filter(|(_, data)| !data.runtime && data.body.is_some()) {
            for (at, covered) in coverage.blocks(program, function).into_iter().enumerate() {
                self.blocks.count(covered);
                // A target stays one until a test comes there.
                if covered && self.config.targets.is_empty() {
                    self.worklist.board.cover(function, symcrete_ir::Block::from_u32(at as u32));
                }
            }
        }
    }

    /// The way on depends on bits that nobody wrote: said once for each place.
    pub(crate) fn flag(&mut self, state: &State, value: &Value) {
        if self.suite.flagged.insert(state.loc(&self.machine.executor.image)) {
            let stack = state.stack(&self.machine.executor.image);
            let origin = self.machine.executor.origin_of(state, value);
            self.suite.events.push(Event::Uninitialised(Uninitialised { stack, origin }));
        }
    }

    pub(crate) fn note(&mut self, path: &mut Path) {
        let notes = std::mem::take(&mut self.machine.executor.notes);
        for note in notes {
            match note {
                Note::Choice { sides, condition } => {
                    let missing = sides.iter().any(|side| !self.suite.covered.is_marked(*side));
                    if missing && self.suite.tries.is_open(sides) {
                        path.choices.add(sides, condition);
                    }
                }
                Note::Concretised { function, loc } => self.suite.events.push(Event::Concretised { function, loc }),
                // Whether they decide anything, the run of its inputs tells.
                Note::UndefinedInExpression { .. } => {
                    path.may_use_unwritten = true;
                    if !self.config.targets.is_empty()
                        && self.suite.taken_as_zero.insert(path.state.loc(&self.machine.executor.image))
                    {
                        let stack = path.state.stack(&self.machine.executor.image);
                        self.suite.events.push(Event::UnwrittenTakenAsZero(Uninitialised { stack, origin: None }));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use symcrete_exec::coverage::Mark;

    use super::config::Config;
    use super::targets::Targets;
    use super::test_support::session;

    #[test]
    fn a_search_without_targets_never_arrives() {
        let session = session(Config::default());
        assert!(!session.is_there() && !session.has_refuted());
    }

    #[test]
    fn it_arrives_once_each_target_is_reached_or_refuted() {
        let entered = |name: &str| {
            let program = &session(Config::default()).machine.executor.image.program;
            Mark::Entered(program.function_named(name).expect("it is there"))
        };
        let targets = Targets(vec![vec![entered("main")], Vec::new()]);
        let mut session = session(Config { targets, ..Config::default() });
        assert!(!session.is_there());
        // Nothing comes to a place that does not exist, which is no proof of anything.
        assert!(!session.has_refuted());
        session.suite.refuted[0] = true;
        assert!(session.is_there() && session.has_refuted());
    }

    #[test]
    fn what_is_undecided_leaves_it_open() {
        let mut session = session(Config::default());
        session.begin();
        assert!(!session.leaves_open());
        let id = session.select().expect("the beginning is pending");
        let path = session.worklist.board.path(id).expect("its state is there").clone();
        session.worklist.park(&path);
        assert!(session.leaves_open());
    }
}
