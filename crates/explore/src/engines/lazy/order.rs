//! In which order abstract paths of the function under test go on. While they are few, depth first, as in the paper. Once they are many, depth first
//! would fill long inputs with whatever may be repeated before anything else is seen; so then they go on in any order: at each fork any of the ways
//! comes first, and now and then any of those that wait is taken up.

use symcrete_solver::Random;

use super::abstraction::Abstract;

/// Ends of abstract paths after which they are many, and after which another one is taken up: later than that, after this part of all, because
/// what is near has more in common with what was done last.
pub const MANY: u64 = 128;
const PART: u64 = 16;
/// If so many wait, those that came last go on, so that they do not become more.
const MOST_WAITING: usize = 4096;

pub struct Order {
    random: Random,
    /// How many paths had ended when another one was last taken up.
    turned: u64,
}

impl Order {
    pub fn new(seed: u64) -> Order {
        Order { random: Random::new(seed), turned: 0 }
    }

    /// All begins anew.
    pub fn restart(&mut self) {
        self.turned = 0;
    }

    /// The ways on from a fork, the first one last.
    pub fn sort(&mut self, ways: &mut [Abstract]) {
        ways.reverse();
        if self.turned > 0 {
            for left in (2..=ways.len()).rev() {
                ways.swap(left - 1, self.random.below(left as u64) as usize);
            }
        }
    }

    /// Puts the path last that is to go on.
    pub fn choose(&mut self, ended: u64, pending: &mut [Abstract]) {
        let is_time = ended >= self.turned + MANY.max(self.turned / PART) && pending.len() < MOST_WAITING;
        if let (true, Some(last)) = (is_time, pending.len().checked_sub(1)) {
            self.turned = ended;
            let waiting = self.random.below(last as u64 + 1) as usize;
            pending.swap(waiting, last);
        }
    }
}
