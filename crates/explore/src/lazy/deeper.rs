//! Below the function under test. When all of its paths are done, some of what it calls may be covered by no test. Then those functions are under test
//! as well, one layer after the other, until all code is covered, or for a bounded amount of work; of the paths there, those have a test that cover
//! something new. If the function under test does little but ask one call, as whether a text is valid, it is a driver: then what it
//! drives has a test for each path, at least for a while. What was said of the layers above stays said, and iterations below are counted apart.
//! Nothing of this where somebody named the functions to pass over.

use symcrete_ir::FuncId;

use super::abstraction::Abstract;
use super::choice::is_fresh;
use super::{Counts, Lazy};
use crate::forward::Explorer;

/// Questions that may be asked below the function under test, beside as many as were asked for that.
const QUESTIONS: u64 = 20_000;
/// Paths of a driver, and of what it drives when all code is covered.
const FEW: u64 = 8;
const MANY: u64 = 512;

/// What is below the function under test.
pub struct Deeper {
    /// What was counted above.
    above: Option<Counts>,
    /// Functions that came to be under test.
    functions: Vec<FuncId>,
    /// Up to this many questions.
    limit: u64,
    is_driver: bool,
    /// All paths of this layer do no more than to ask one call.
    only_drives: bool,
    /// What tests had covered when somebody last looked whether that is all.
    marks: u64,
    is_covered: bool,
    /// Iterations above.
    iterations: u64,
}

impl Default for Deeper {
    fn default() -> Deeper {
        Deeper {
            above: None,
            functions: Vec::new(),
            limit: 0,
            is_driver: false,
            only_drives: true,
            marks: 0,
            is_covered: false,
            iterations: 0,
        }
    }
}

impl Deeper {
    /// All begins anew.
    pub fn restart(&mut self) {
        self.only_drives = true;
    }

    pub fn functions(&self) -> &[FuncId] {
        &self.functions
    }
}

impl Lazy {
    /// All is done in this layer: goes on in the next one. `false` if there is none.
    pub fn go_deeper(&mut self, explorer: &Explorer) -> bool {
        if !self.config.deeper || self.config.only.is_some() || self.is_far_enough(explorer) {
            return false;
        }
        let mut next: Vec<FuncId> = self.passed_over.iter().copied().collect();
        next.retain(|function| self.hides_code(explorer, *function));
        next.sort_unstable();
        if next.is_empty() {
            return false;
        }
        let (asked, sum) = (explorer.chain.statistics().queries, self.all_counts());
        if self.deeper.above.is_none() {
            self.deeper.limit = 2 * asked + QUESTIONS;
        }
        self.deeper.is_driver = self.deeper.only_drives && self.counts.abstract_paths <= FEW;
        self.deeper.above = Some(sum);
        self.deeper.iterations = explorer.counts.iterations;
        self.deeper.functions.extend(&next);
        self.followed.extend(next);
        self.doubtful.extend(self.suspicions.open());
        self.find_candidates(explorer);
        self.begin(explorer);
        self.counts = Counts::default();
        true
    }

    /// Whether nothing more is to be done below the first layer. What is pending there is dropped.
    pub fn is_far_enough(&mut self, explorer: &Explorer) -> bool {
        if self.deeper.above.is_none() {
            return false;
        }
        let marks = explorer.suite.marks();
        if marks != self.deeper.marks {
            self.deeper.marks = marks;
            let hides_code = |function: &FuncId| self.hides_code(explorer, *function);
            self.deeper.is_covered = !self.deeper.functions.iter().any(hides_code);
        }
        let has_enough = self.is_extra() || self.counts.abstract_paths >= MANY;
        let is_over = explorer.chain.statistics().queries > self.deeper.limit || self.deeper.is_covered && has_enough;
        if is_over {
            self.pending.clear();
            self.ended.clear();
            self.later.clear();
            self.suspicions.clear();
        }
        is_over
    }

    /// A path of the function under test is over: notes whether that does more than to ask one call.
    pub fn note_driving(&mut self, explorer: &Explorer, along: &Abstract) {
        let Some(event) = along.events.iter().next() else { return };
        let newest = along.added.len() - event.upto;
        let arena = &explorer.executor.arena;
        let asks_inputs = along.added.iter().take(newest).any(|condition| {
            let set = self.variables.of(arena, condition);
            self.variables.variables(set).any(|variable| !is_fresh(arena, variable))
        });
        self.deeper.only_drives &= along.events.len() == 1 && !asks_inputs;
    }

    /// Whether only what is new has a test.
    pub fn is_extra(&self) -> bool {
        self.deeper.above.is_some() && !self.deeper.is_driver && !self.config.every_path
    }

    /// Iterations below the function under test are counted apart.
    pub fn count_apart(&mut self, explorer: &mut Explorer) {
        if self.deeper.above.is_some() {
            self.counts.deeper_iterations += explorer.counts.iterations - self.deeper.iterations;
            explorer.counts.iterations = self.deeper.iterations;
        }
    }

    /// Counts of all layers; what was left open, only of the first.
    pub fn all_counts(&self) -> Counts {
        let Some(above) = self.deeper.above else { return self.counts };
        let below = self.counts;
        Counts {
            abstract_paths: above.abstract_paths + below.abstract_paths,
            concretised: above.concretised + below.concretised,
            refuted: above.refuted + below.refuted,
            expansions: above.expansions + below.expansions,
            reused: above.reused + below.reused,
            answered_behind: above.answered_behind + below.answered_behind,
            suspicions: above.suspicions + below.suspicions,
            suspicions_real: above.suspicions_real + below.suspicions_real,
            suspicions_refuted: above.suspicions_refuted + below.suspicions_refuted,
            suspicion_iterations: above.suspicion_iterations + below.suspicion_iterations,
            deeper_iterations: above.deeper_iterations + below.deeper_iterations,
            ..above
        }
    }

    /// Whether a function of the program, or one that it calls, has code that no test executes.
    fn hides_code(&self, explorer: &Explorer, function: FuncId) -> bool {
        let program = &explorer.executor.image.program;
        let reached = self.graph.reachable_from([function]);
        let own = reached.keys().filter(|reached| {
            let data = &program.functions[*reached];
            !data.runtime && data.body.is_some()
        });
        !program.functions[function].runtime
            && own.into_iter().any(|reached| explorer.suite.blocks(program, reached).iter().any(|covered| !covered))
    }
}
