//! Moves along one variable that end where a constraint changes its side: between two points on different sides, the interval is halved
//! until nothing lies between. Where the variable is tied to others by equalities that hold, these follow it.

use super::problem::{Point, bit};
use super::search::{Place, Search};
use crate::invert::Inverter;
use crate::random::Random;

/// Intervals that one search along a variable halves to the end.
const INTERVALS: usize = 3;
/// Floats around the end of an interval that are looked at: on one of them an equality may hold exactly.
const NEAR: i128 = 6;
/// Rounds of mending after one step.
const ROUNDS: u32 = 3;

impl Search<'_, '_> {
    /// Looks for a better place than the best so far along a variable.
    pub fn along(&mut self, here: &Place, variable: usize, best: Option<Place>) -> Option<Place> {
        let problem = self.problem;
        let violated: Vec<usize> =
            problem.constraints_of[variable].iter().copied().filter(|at| here.scores[*at] != 0.0).collect();
        if violated.is_empty() || problem.coordinates[variable].width < 8 {
            return best;
        }
        let constraint = *self.random.one_of(&violated);
        if here.gaps[constraint].is_nan() {
            return best;
        }
        // Equalities that hold and depend on the variable would be broken by any step.
        let tied: Vec<usize> = match self.config.repair {
            false => Vec::new(),
            true => {
                let held = problem.constraints_of[variable].iter().copied();
                held.filter(|at| here.scores[*at] == 0.0 && problem.is_equality(*at)).collect()
            }
        };
        self.halve(here, variable, constraint, &tied, best)
    }

    fn halve(
        &mut self,
        here: &Place,
        variable: usize,
        constraint: usize,
        tied: &[usize],
        mut best: Option<Place>,
    ) -> Option<Place> {
        let coordinate = &self.problem.coordinates[variable];
        let seed = self.random.bits();
        let now = coordinate.place(coordinate.read(&here.point)).unwrap_or(0);
        let mut places: Vec<i128> = vec![now];
        for power in 0..coordinate.width.min(126) {
            let step = 1i128 << power;
            places.extend([now.saturating_add(step), now.saturating_sub(step)]);
        }
        let number = coordinate.number(coordinate.read(&here.point));
        let scale = [0.01, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1000.0];
        let near = scale.iter().flat_map(|step| [number + step, number - step, *step, -*step]);
        places.extend(near.filter_map(|number| coordinate.place(coordinate.nearest(number))));
        places.sort_unstable();
        places.dedup();
        let mut samples: Vec<(i128, f64)> = Vec::with_capacity(places.len());
        for place in places {
            let there = self.follow(here, variable, place, tied, seed);
            samples.push((place, there.gaps[constraint]));
            keep_better(&mut best, there);
        }
        let mut intervals: Vec<(i128, i128)> = samples
            .windows(2)
            .filter(|pair| pair[0].1 * pair[1].1 <= 0.0 && pair[0].1 != pair[1].1)
            .map(|pair| (pair[0].0, pair[1].0))
            .collect();
        intervals.sort_by_key(|(low, high)| low.abs_diff(now).min(high.abs_diff(now)));
        if intervals.len() > INTERVALS {
            let last = INTERVALS - 1 + self.random.below((intervals.len() - INTERVALS + 1) as u64) as usize;
            intervals.swap(INTERVALS - 1, last);
            intervals.truncate(INTERVALS);
        }
        for (low, high) in intervals {
            if self.effort.is_spent() || best.as_ref().is_some_and(Place::is_solution) {
                break;
            }
            let end = self.end_of_interval(here, variable, constraint, tied, seed, (low, high));
            for place in end - NEAR..=end + NEAR {
                let there = self.follow(here, variable, place, tied, seed);
                keep_better(&mut best, there);
            }
        }
        best
    }

    /// The last place of an interval on the side of its lower end.
    fn end_of_interval(
        &mut self,
        here: &Place,
        variable: usize,
        constraint: usize,
        tied: &[usize],
        seed: u64,
        (mut low, mut high): (i128, i128),
    ) -> i128 {
        let side = |place: &Place| place.gaps[constraint] < 0.0;
        let first = side(&self.follow(here, variable, low, tied, seed));
        while high - low > 1 && !self.effort.is_spent() {
            let middle = low + (high - low) / 2;
            let there = self.follow(here, variable, middle, tied, seed);
            if there.is_solution() {
                return middle;
            }
            if side(&there) == first { low = middle } else { high = middle }
        }
        low
    }

    /// The point with the variable moved, and what is tied to it mended. The same seed gives the same way of mending, so that this
    /// is a function of the place.
    fn follow(&mut self, here: &Place, variable: usize, place: i128, tied: &[usize], seed: u64) -> Place {
        let coordinate = &self.problem.coordinates[variable];
        let mut point = here.point.clone();
        coordinate.write(&mut point, coordinate.at(place));
        let there = self.evaluate(point);
        if tied.is_empty() { there } else { self.mended(there, variable, tied, seed) }
    }

    /// Inverts, one after the other, the constraints that are to hold and do not, in other variables than this one.
    pub fn mended(&mut self, mut there: Place, variable: usize, held: &[usize], seed: u64) -> Place {
        let problem = self.problem;
        let mut random = Random::new(seed);
        let reaches = |expr| problem.reach(expr) & !bit(variable) != 0;
        for _ in 0..ROUNDS {
            let Some(broken) = held.iter().copied().find(|at| there.scores[*at] != 0.0) else { break };
            self.look_at(&there.point);
            let mut inverter = Inverter {
                arena: problem.arena,
                tape: &problem.tape,
                values: &self.parts,
                random: &mut random,
                reaches: &reaches,
            };
            let Some(changes) = inverter.satisfy(problem.constraints[broken], true) else { break };
            let mut point: Point = there.point.clone();
            problem.change(&mut point, &changes);
            there = self.evaluate(point);
        }
        there
    }
}

fn keep_better(best: &mut Option<Place>, place: Place) {
    if best.as_ref().is_none_or(|best| place.total < best.total) {
        *best = Some(place);
    }
}
