//! How much was done, in questions to the solver that are answered at once: others count as more. Nobody looks at a clock.

use symcrete_solver::Chain;
use symcrete_solver::chain::Stage;

use crate::engines::forward::Explorer;

/// Questions that backends are asked, and those without an answer, count as so many more.
const ASKED: u64 = 20;
const UNKNOWN: u64 = 100;
/// Instructions that count as one question.
const INSTRUCTIONS: u64 = 1_000;

/// What was asked so far.
pub fn questions(chain: &Chain) -> u64 {
    let asked = chain.statistics();
    asked.queries + ASKED * asked.stage(Stage::Backends).asked + UNKNOWN * asked.unknown
}

/// All that was done so far.
pub fn work(explorer: &Explorer) -> u64 {
    questions(&explorer.chain) + explorer.counts.instructions / INSTRUCTIONS
}
