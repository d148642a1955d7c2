//! Below the function under test. When all of its paths are done, some of what it calls may be covered by no test. Then those functions are under test
//! as well, one layer after the other, until all code is covered, or for a bounded amount of work; of the paths there, those have a test that cover
//! something new. First come those functions that decide by what others leave, as a parser does by the tokens of its lexer, all of them at once. If the
//! function under test has few paths, it drives them: then they have a test for each path, at least for a while. What was said of the layers above
//! stays said, and iterations below are counted apart. Nothing of this where somebody named the functions to pass over.

use rustc_hash::FxHashSet;
use symcrete_expr::Expr;
use symcrete_ir::FuncId;

use super::abstraction::Abstract;
use super::{Counts, Lazy};
use crate::session::Session;

/// Questions that may be asked below the function under test, beside as many as were asked for that; below a driver, so many times as many.
const QUESTIONS: u64 = 20_000;
const BELOW_DRIVER: u64 = 10;
/// Paths that a driver has at the most, and tests of what it drives.
const FEW: u64 = 8;
const MANY: u64 = 1000;

/// What is below the function under test.
#[derive(Default)]
pub struct Deeper {
    /// What was counted above.
    above: Option<Counts>,
    /// What was under test beside the entry in the first layer.
    under_test: FxHashSet<FuncId>,
    /// Functions that came to be under test, and those that were passed over before.
    functions: Vec<FuncId>,
    passed_over: FxHashSet<FuncId>,
    /// For each layer so many questions; in this one up to so many in all.
    questions: u64,
    limit: u64,
    is_driver: bool,
    /// Functions on whose way inputs themselves were seen to decide, and not only what other calls left; and whether all others are entered.
    asking: FxHashSet<FuncId>,
    enters: bool,
    /// What tests had covered when somebody last looked whether that is all.
    marks: u64,
    is_covered: bool,
    /// Whether paths were left out.
    is_cut_short: bool,
    /// Iterations above.
    iterations: u64,
}

impl Deeper {
    /// Of functions under test, those that are so only below the first layer.
    pub fn of(&self, followed: &FxHashSet<FuncId>) -> FxHashSet<FuncId> {
        match self.above {
            Some(_) => followed.difference(&self.under_test).copied().collect(),
            None => FxHashSet::default(),
        }
    }

    /// Somebody else asked so many questions.
    pub fn allow_more(&mut self, questions: u64) {
        self.limit += questions;
    }

    pub fn leaves_out(&self) -> bool {
        self.is_cut_short
    }

    /// Those that layers above passed over.
    pub fn passed_over(&self) -> &FxHashSet<FuncId> {
        &self.passed_over
    }
}

impl Lazy {
    /// All is done in this layer: goes on in the next one. `false` if there is none.
    pub fn go_deeper(&mut self, session: &Session) -> bool {
        if !self.config.deeper || self.config.only.is_some() {
            return false;
        }
        let mut next: Vec<FuncId> = self.passed_over.iter().copied().collect();
        next.retain(|function| self.hides_code(session, *function));
        next.sort_unstable();
        if next.is_empty() {
            return false;
        }
        let (asked, sum) = (session.machine.chain.statistics().queries, self.all_counts());
        let is_first = self.deeper.above.is_none();
        if is_first {
            self.deeper.under_test.clone_from(&self.followed);
            self.deeper.questions = asked + QUESTIONS;
        }
        // Those that decide by what others leave, as a parser does by tokens, before those that look at inputs themselves.
        let is_parser = is_first && next.iter().any(|function| !self.deeper.asking.contains(function));
        if is_parser {
            next.retain(|function| !self.deeper.asking.contains(function));
        }
        self.deeper.enters |= is_parser;
        self.deeper.is_driver = is_parser && self.counts.abstract_paths <= FEW;
        let times = if self.deeper.is_driver { BELOW_DRIVER } else { 1 };
        self.deeper.limit = asked + self.deeper.questions * times;
        self.deeper.above = Some(sum);
        self.deeper.iterations = session.meter.counts.iterations;
        self.deeper.functions.extend(&next);
        self.deeper.passed_over.extend(&self.passed_over);
        self.followed.extend(next);
        self.doubtful.extend(self.suspicions.open());
        self.suspicions.leave_layer();
        self.find_candidates(session);
        self.begin(session);
        self.counts = Counts::default();
        true
    }

    /// Drops what is pending if nothing more is to be done in a layer below the first.
    pub fn leave_layer(&mut self, session: &Session) {
        if self.deeper.above.is_none() {
            return;
        }
        let marks = session.suite.covered.marks();
        if marks != self.deeper.marks {
            self.deeper.marks = marks;
            let hides_code = |function: &FuncId| self.hides_code(session, *function);
            self.deeper.is_covered = !self.deeper.functions.iter().any(hides_code);
        }
        let has_enough = match self.config.every_path {
            true => false,
            false if self.deeper.is_driver => self.counts.abstract_paths >= MANY,
            false => self.deeper.is_covered,
        };
        let is_over_limit = session.machine.chain.statistics().queries > self.deeper.limit;
        if has_enough || is_over_limit {
            if !self.pending.is_empty() || self.later.len() > 0 {
                self.suspicions.cut_short();
                // Where only what is new has a test, enough is enough.
                self.deeper.is_cut_short |= is_over_limit || self.deeper.is_driver;
            }
            self.doubtful.extend(self.suspicions.open());
            self.pending.clear();
            self.ended.clear();
            self.later.clear();
            self.suspicions.give_up();
            self.count_suspicions();
        }
    }

    /// A path forks: notes in which function of the program, if inputs themselves decide.
    pub fn note_asking(&mut self, session: &Session, along: &Abstract, condition: Expr) {
        if self.deeper.enters || !self.asks_inputs(session, condition) {
            return;
        }
        let image = &session.machine.executor.image;
        let mut functions = along.path.state.places(image).map(|(function, ..)| function);
        self.deeper.asking.extend(functions.find(|function| !image.program.functions[*function].runtime));
    }

    /// Whether calls of a function are entered, because it decides by nothing but what other calls leave.
    pub fn decides_by_calls(&self, function: FuncId) -> bool {
        self.deeper.enters && !self.deeper.asking.contains(&function)
    }

    /// Whether only what is new has a test.
    pub fn is_extra(&self) -> bool {
        self.deeper.above.is_some() && !self.deeper.is_driver && !self.config.every_path
    }

    /// Iterations below the function under test are counted apart.
    pub fn count_apart(&mut self, session: &mut Session) {
        if self.deeper.above.is_some() {
            self.counts.deeper_iterations += session.meter.counts.iterations - self.deeper.iterations;
            session.meter.counts.iterations = self.deeper.iterations;
        }
    }

    /// Counts of the first layer; of those below, what was looked for there.
    pub fn all_counts(&self) -> Counts {
        let below = Counts { whole_paths: self.beside.paths, ..self.counts };
        let Some(above) = self.deeper.above else { return below };
        Counts {
            suspicions: above.suspicions + below.suspicions,
            suspicions_real: above.suspicions_real + below.suspicions_real,
            suspicions_refuted: above.suspicions_refuted + below.suspicions_refuted,
            suspicion_iterations: above.suspicion_iterations + below.suspicion_iterations,
            deeper_paths: above.deeper_paths + below.abstract_paths,
            deeper_iterations: above.deeper_iterations + below.deeper_iterations,
            whole_paths: below.whole_paths,
            ..above
        }
    }

    /// Whether a function of the program, or one that it calls, has code that no test executes.
    fn hides_code(&self, session: &Session, function: FuncId) -> bool {
        let program = &session.machine.executor.image.program;
        let reached = self.graph.reachable_from([function]);
        let own = reached.keys().filter(|reached| {
            let data = &program.functions[*reached];
            !data.runtime && data.body.is_some()
        });
        !program.functions[function].runtime
            && own
                .into_iter()
                .any(|reached| session.suite.covered.blocks(program, reached).iter().any(|covered| !covered))
    }
}
