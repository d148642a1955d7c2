//! Concrete runs on special, boundary, program-constant and random values: the cheapest way to cover what is easy. They take turns with
//! the symbolic search, and get fewer turns the less they find.

use std::rc::Rc;
use std::time::{Duration, Instant};

use symcrete_exec::inputs::{Input, InputKind, Supply};
use symcrete_ir::{Constant, Program};

use crate::drive::trials::Trials;
use crate::engines::engine::{Engine, Turn};
use crate::local_search::candidate::Candidate;
use crate::path::strategy::Random;
use crate::report::summary::Progress;
use crate::session::Session;

#[derive(Clone, Debug)]
pub struct Config {
    /// Runs before the symbolic search begins. Default: 48.
    pub first: u32,
    /// Instructions that one run may take. Default: 200,000.
    pub budget: u64,
    /// Runs of a later turn, as long as turns find something. Default: 8.
    pub turn: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { first: 48, budget: 200_000, turn: 8 }
    }
}

/// The source of concrete runs.
pub struct Burst {
    config: Config,
    random: Random,
    constants: Option<Rc<[u64]>>,
    trials: Trials,
    /// Steps of the symbolic search until the next turn, and how many there will be until the one after it.
    wait: u64,
    pause: u64,
    /// Runs that are left of a turn that is under way, and whether it found something.
    left: u32,
    found: bool,
}

/// Runs whose inputs are remembered.
const REMEMBERED: usize = 16;

/// After this long, others may say how far things are. Nothing else depends on it.
const BREATH: Duration = Duration::from_millis(100);

/// After this many steps without a find between turns, there are no more turns.
const LONGEST_PAUSE: u64 = 1 << 20;

impl Burst {
    pub fn new(config: Config, seed: u64) -> Burst {
        let (random, trials) = (Random::new(seed ^ 0xB0_57), Trials::default());
        Burst { config, random, constants: None, trials, wait: 0, pause: 64, left: 0, found: false }
    }

    /// One run; whether it became a test.
    fn run(&mut self, session: &mut Session) -> bool {
        let constants =
            self.constants.get_or_insert_with(|| constants(&session.machine.executor.image.program)).clone();
        let root = self.random.below(session.roots().len() as u64) as usize;
        let values = Values { seed: self.random.bits(), number: self.trials.runs, constants };
        let trial = self.trials.run(session, root, Rc::new(values), self.config.budget, &mut 0);
        let Some(trial) = trial else { return false };
        // Those that differ most from each other are worth most.
        if session.meeting.runs.len() < REMEMBERED && (trial.became_test || self.trials.runs.is_multiple_of(4)) {
            session.meeting.runs.push(Candidate::unknown(root).given(&trial.state));
        }
        trial.became_test
    }
}

impl Engine for Burst {
    /// Runs a few times if it is time to. A long turn makes pauses, in which others may say how far things are.
    fn turn(&mut self, session: &mut Session) -> Turn {
        if self.left == 0 {
            if self.wait > 0 {
                self.wait -= 1;
                return Turn::Idle;
            }
            if self.pause > LONGEST_PAUSE {
                return Turn::Idle;
            }
            self.left = if self.trials.runs == 0 { self.config.first } else { self.config.turn };
            self.found = false;
        }
        let began = Instant::now();
        while self.left > 0 && !session.stop.is_set() && !session.is_there() {
            if began.elapsed() > BREATH {
                return Turn::Progress;
            }
            self.left -= 1;
            self.found |= self.run(session);
        }
        self.left = 0;
        self.pause = if self.found { 64 } else { self.pause * 4 };
        self.wait = self.pause;
        Turn::Idle
    }

    fn progress(&self, progress: &mut Progress) {
        progress.concrete_runs += self.trials.runs;
        progress.run_instructions += self.trials.instructions;
    }
}

/// The numbers that a program compares with and computes from, its own before those of the runtime.
fn constants(program: &Program) -> Rc<[u64]> {
    let words = program.constants.values().filter_map(|constant| match constant {
        Constant::Word { bits, .. } => Some(*bits),
        _ => None,
    });
    let mut list: Vec<u64> = words.flat_map(|bits| [bits, bits.wrapping_add(1), bits.wrapping_sub(1)]).collect();
    list.sort_unstable();
    list.dedup();
    list.into()
}

/// Values for the inputs of one run: the same input of the same run always gets the same.
struct Values {
    seed: u64,
    number: u64,
    constants: Rc<[u64]>,
}

impl Supply for Values {
    fn bytes(&self, input: &Input) -> Vec<u8> {
        let mut random = Random::new(self.seed ^ u64::from(input.number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let bytes = input.bytes as usize;
        if bytes == 0 {
            return Vec::new();
        }
        // The first runs are the plainest: all zero, all ones.
        match self.number {
            0 => return vec![0; bytes],
            1 => return vec![1; bytes],
            2 => return vec![0xFF; bytes],
            _ => {}
        }
        if matches!(input.ty.as_deref(), Some("float")) {
            return (self.float(&mut random) as f32).to_le_bytes().to_vec();
        }
        if matches!(input.ty.as_deref(), Some("double")) {
            return self.float(&mut random).to_le_bytes().to_vec();
        }
        if bytes <= 8 {
            return self.word(&mut random, bytes).to_le_bytes()[..bytes].to_vec();
        }
        self.many(&mut random, bytes, input.kind)
    }
}

impl Values {
    /// A number that is likely to matter.
    fn word(&self, random: &mut Random, bytes: usize) -> u64 {
        let top = 1u64 << (bytes * 8 - 1);
        let special = [0, 1, 2, 3, 7, 8, 10, 16, 100, 255, 256, top - 1, top, top + 1, u64::MAX, u64::MAX - 1];
        match random.below(8) {
            0 => special[random.below(special.len() as u64) as usize],
            1 | 2 if !self.constants.is_empty() => self.constants[random.below(self.constants.len() as u64) as usize],
            3 => 1u64 << random.below(bytes as u64 * 8),
            4 => random.below(256),
            5 => random.below(16),
            6 => random.below(1 << 20).wrapping_neg(),
            _ => random.bits(),
        }
    }

    fn float(&self, random: &mut Random) -> f64 {
        const SPECIAL: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            f64::EPSILON,
            f64::MAX,
            f64::MIN,
            5e-324,
        ];
        match random.below(6) {
            0 => SPECIAL[random.below(SPECIAL.len() as u64) as usize],
            1 => random.below(2000) as f64 - 1000.0,
            2 => (random.fraction() - 0.5) * 200.0,
            3 => random.fraction(),
            4 => (random.fraction() - 0.5) * 10f64.powi(random.below(40) as i32 - 10),
            _ => f64::from_bits(random.bits()),
        }
    }

    /// Several bytes: text, numbers one after another, or noise.
    fn many(&self, random: &mut Random, bytes: usize, kind: InputKind) -> Vec<u8> {
        let _ = kind;
        let style = random.below(4);
        let mut out = Vec::with_capacity(bytes);
        while out.len() < bytes {
            match style {
                0 => out.push(b' ' + random.below(95) as u8),
                1 => out.extend_from_slice(&self.word(random, 4).to_le_bytes()[..4]),
                2 => out.push(random.below(256) as u8),
                _ => out.push(self.word(random, 1) as u8),
            }
        }
        out.truncate(bytes);
        if style == 0 && bytes > 1 {
            let end = random.below(bytes as u64) as usize;
            out[end..].fill(0);
        }
        out
    }
}
