//! In which order abstract paths of the function under test go on. While they are few, depth first, as in the paper. Once they are many, depth first
//! would fill long inputs with whatever may be repeated before anything else is seen. So at each fork the way comes first whose latest turns
//! were taken the least, and after each end of a path the next one is looked for among those that wait in the same manner: subpath-guided search
//! (Li, Su, Wang and Li, 2013), with several lengths by turns as in its section 5.

use rustc_hash::FxHashMap;
use symcrete_solver::Random;

use super::abstraction::Abstract;

/// Ends of abstract paths after which they are many.
pub const MANY: u64 = 128;
/// If so many wait, those that came last go on, so that they do not become more.
const MOST_WAITING: usize = 2048;
/// Of those that wait, so many are compared, and every so often all.
const SAMPLE: u64 = 32;
const THOROUGHLY: u64 = 16;
/// How many turns are told apart by how often they were taken, by turns.
const LENGTHS: [usize; 4] = [1, 2, 4, 8];

pub struct Order {
    random: Random,
    /// How often each turn was taken, by how many were told apart.
    taken: FxHashMap<(usize, u64), u32>,
    /// How many paths had ended when one was last looked for.
    ended: u64,
    looked: u64,
}

impl Order {
    pub fn new(seed: u64) -> Order {
        Order { random: Random::new(seed), taken: FxHashMap::default(), ended: 0, looked: 0 }
    }

    /// All begins anew.
    pub fn restart(&mut self) {
        self.ended = 0;
    }

    /// The ways on from a fork, the first one last.
    pub fn sort(&mut self, ended: u64, ways: &mut [Abstract]) {
        ways.reverse();
        if ended < MANY {
            return;
        }
        for left in (2..=ways.len()).rev() {
            ways.swap(left - 1, self.random.below(left as u64) as usize);
        }
        let length = LENGTHS[self.looked as usize % LENGTHS.len()];
        ways.sort_by_key(|way| std::cmp::Reverse(self.how_often(length, way)));
    }

    /// Puts the path last that is to go on.
    pub fn choose(&mut self, ended: u64, pending: &mut [Abstract]) {
        let Some(last) = pending.len().checked_sub(1) else { return };
        if ended >= MANY && ended > self.ended && pending.len() <= MOST_WAITING {
            self.ended = ended;
            self.looked += 1;
            let length = LENGTHS[self.looked as usize % LENGTHS.len()];
            let least = match self.looked.is_multiple_of(THOROUGHLY) {
                true => (0..=last).min_by_key(|at| self.how_often(length, &pending[*at])),
                false => {
                    let any: Vec<usize> = (0..SAMPLE).map(|_| self.random.below(last as u64 + 1) as usize).collect();
                    any.into_iter().min_by_key(|at| self.how_often(length, &pending[*at]))
                }
            };
            pending.swap(least.unwrap_or(last), last);
        }
        for length in LENGTHS {
            *self.taken.entry((length, pending[last].turns.latest(length))).or_default() += 1;
        }
    }

    fn how_often(&self, length: usize, path: &Abstract) -> u32 {
        self.taken.get(&(length, path.turns.latest(length))).copied().unwrap_or(0)
    }
}
