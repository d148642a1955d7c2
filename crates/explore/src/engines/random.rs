//! Random testing: runs the program on random bytes. The smallest engine, and an example of one: it owns what it needs, takes the rest from the
//! session, and works in short turns. Its row in `schedule/policy.rs` and its options are all that others know of it.

use std::rc::Rc;

use symcrete_exec::inputs::{Input, Supply};

use crate::drive::trials::Trials;
use crate::engines::engine::{Engine, Turn};
use crate::path::strategy::Random;
use crate::report::summary::Progress;
use crate::session::Session;

#[derive(Clone, Debug)]
pub struct Config {
    /// Runs after which it is done. Default: 1,000.
    pub runs: u64,
    /// Instructions that one run may take. Default: 200,000.
    pub budget: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { runs: 1_000, budget: 200_000 }
    }
}

/// Runs of one turn.
const TURN: u64 = 16;

pub struct RandomRuns {
    config: Config,
    random: Random,
    trials: Trials,
}

impl RandomRuns {
    pub fn new(config: Config, seed: u64) -> RandomRuns {
        RandomRuns { config, random: Random::new(seed), trials: Trials::default() }
    }
}

impl Engine for RandomRuns {
    fn turn(&mut self, session: &mut Session) -> Turn {
        for _ in 0..TURN {
            if self.trials.runs >= self.config.runs {
                return Turn::Done;
            }
            if session.stop.is_set() {
                return Turn::Progress;
            }
            let root = self.random.below(session.roots().len() as u64) as usize;
            let noise = Rc::new(Noise { seed: self.random.bits() });
            // A run that covers something new, or finds a bug, becomes a test.
            self.trials.run(session, root, noise, self.config.budget, &mut 0);
        }
        Turn::Progress
    }

    fn progress(&self, progress: &mut Progress) {
        progress.concrete_runs += self.trials.runs;
        progress.run_instructions += self.trials.instructions;
    }
}

/// The same input of one run always has the same bytes.
struct Noise {
    seed: u64,
}

impl Supply for Noise {
    fn bytes(&self, input: &Input) -> Vec<u8> {
        let mut random = Random::new(self.seed ^ u64::from(input.number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (0..input.bytes).map(|_| random.below(256) as u8).collect()
    }
}
