//! The neighbours of a point that differ in one variable (Algorithms 3 and 4 of the Concolic Walk paper): random steps and bisection
//! steps; and beyond the paper: steps of all scales, special values, exact local solutions.

use symcrete_expr::FloatKind;
use symcrete_expr::float;

use super::coordinate::{Coordinate, Kind, ones};
use super::problem::{Point, bit};
use super::search::{Place, Search};
use crate::invert::Inverter;

/// Doubles that programs treat in their own way, or that their authors think of first.
const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    10.0,
    100.0,
    1e-3,
    1e6,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
];

/// A variable with fewer bits than these is tried in all of its values.
const SMALL: u32 = 8;

impl Coordinate {
    /// The value as a double.
    pub fn number(&self, value: u128) -> f64 {
        match self.kind {
            Kind::Integer => self.place(value).unwrap_or(0) as f64,
            Kind::Float(kind) => f64::from_bits(float::convert::convert(kind, FloatKind::Double, value) as u64),
        }
    }

    /// The value that is nearest to a double.
    pub fn nearest(&self, number: f64) -> u128 {
        match self.kind {
            Kind::Integer => number.round() as i128 as u128 & ones(self.width),
            Kind::Float(kind) => float::convert::convert(FloatKind::Double, kind, number.to_bits().into()),
        }
    }
}

impl Search<'_, '_> {
    /// Points that differ from this one in a variable, and by inversion perhaps in others that it is tied to.
    pub fn neighbours(&mut self, here: &Place, variable: usize) -> Vec<Point> {
        let problem = self.problem;
        let coordinate = &problem.coordinates[variable];
        let now = coordinate.read(&here.point);
        let mut points = Vec::new();
        if self.config.inversion {
            self.inversions(here, variable, &mut points);
        }
        let mut values: Vec<u128> = Vec::new();
        if self.config.scales && coordinate.width <= SMALL {
            values.extend(0..=ones(coordinate.width));
        } else {
            self.random_points(here, variable, &mut points);
            if self.config.scales {
                scales(coordinate, now, &mut self.random, &mut values);
            }
            if self.config.specials {
                self.special_values(here, variable, &mut values);
            }
        }
        values.sort_unstable();
        values.dedup();
        for value in values.into_iter().filter(|value| *value != now) {
            let mut point = here.point.clone();
            coordinate.write(&mut point, value);
            points.push(point);
        }
        points
    }

    /// Random steps, and from each the place where a violated constraint would hold if it were linear (Algorithm 3).
    fn random_points(&mut self, here: &Place, variable: usize, points: &mut Vec<Point>) {
        let problem = self.problem;
        let coordinate = &problem.coordinates[variable];
        let violated: Vec<usize> =
            problem.constraints_of[variable].iter().copied().filter(|at| here.scores[*at] != 0.0).collect();
        let number = coordinate.number(coordinate.read(&here.point));
        for _ in 0..self.config.neighbours {
            let mut there = self.sample(here, variable);
            if self.config.bisection && !violated.is_empty() {
                let constraint = *self.random.one_of(&violated);
                let (before, after) = (here.gaps[constraint], there.gaps[constraint]);
                let slope = match before == after {
                    true => self.random.normal(),
                    false => -before / (after - before),
                };
                // All coordinates that the step moved go on in its direction.
                let mut point = here.point.clone();
                for other in &problem.coordinates {
                    let (from, to) = (other.number(other.read(&here.point)), other.number(other.read(&there.point)));
                    let estimate = from + slope * (to - from);
                    if from != to && estimate.is_finite() {
                        other.write(&mut point, other.nearest(estimate));
                    }
                }
                points.push(point);
            }
            if number.is_nan() {
                coordinate.write(&mut there.point, coordinate.nearest(0.0));
            }
            points.push(there.point);
        }
    }

    /// A random step along a variable that the walk may take; where it stands if there is none (Algorithm 4).
    fn sample(&mut self, here: &Place, variable: usize) -> Place {
        for _ in 0..self.config.samples {
            let point = self.moved(here, &[variable]);
            let there = self.evaluate(point);
            if self.allows(&there.scores) {
                return there;
            }
        }
        here.clone()
    }

    fn special_values(&mut self, here: &Place, variable: usize, values: &mut Vec<u128>) {
        let problem = self.problem;
        let coordinate = &problem.coordinates[variable];
        let number = coordinate.number(coordinate.read(&here.point));
        match coordinate.kind {
            Kind::Float(_) => {
                values.extend(SPECIAL.iter().map(|special| coordinate.nearest(*special)));
                values.extend(problem.floats.iter().flat_map(|float| [*float, -*float]).map(|f| coordinate.nearest(f)));
                // The shortest numbers around: programs compute exactly with these.
                let digits = [number.round(), number.floor(), number.ceil(), (number * 16.0).round() / 16.0];
                values.extend(digits.iter().map(|number| coordinate.nearest(*number)));
            }
            Kind::Integer => {
                let top = 1u128 << (coordinate.width - 1);
                values.extend([0, 1, 2, ones(coordinate.width), top, top - 1]);
                let power = 1u128 << self.random.below(coordinate.width.into());
                values.extend([power, power - 1, power.wrapping_neg() & ones(coordinate.width)]);
                for integer in &problem.integers {
                    let integer = u128::from(*integer);
                    let near = [integer, integer.wrapping_add(1), integer.wrapping_sub(1), integer.wrapping_neg()];
                    values.extend(near.map(|integer| integer & ones(coordinate.width)));
                }
            }
        }
        // What another one of its size has.
        for other in problem.coordinates.iter().filter(|other| other.width == coordinate.width) {
            values.push(other.read(&here.point));
        }
    }

    /// Exact local solutions of the violated constraints in this variable.
    fn inversions(&mut self, here: &Place, variable: usize, points: &mut Vec<Point>) {
        let problem = self.problem;
        self.look_at(&here.point);
        let reaches = |expr| problem.reach(expr) & bit(variable) != 0;
        for constraint in problem.constraints_of[variable].iter().filter(|at| here.scores[**at] != 0.0) {
            for _ in 0..2 {
                let mut inverter = Inverter {
                    arena: problem.arena,
                    tape: &problem.tape,
                    values: &self.parts,
                    random: &mut self.random,
                    reaches: &reaches,
                };
                let Some(changes) = inverter.satisfy(problem.constraints[*constraint], true) else { continue };
                let mut point = here.point.clone();
                problem.change(&mut point, &changes);
                points.push(point);
            }
        }
    }
}

/// Steps of all powers of two along the line of the variable, in both directions, and the flips of single bits.
fn scales(coordinate: &Coordinate, now: u128, random: &mut crate::random::Random, values: &mut Vec<u128>) {
    let place = coordinate.place(now).unwrap_or(0);
    for power in 0..coordinate.width.min(126) {
        // Now and then between the powers of two.
        let step =
            (1i128 << power) + if power > 2 { (random.bits() & ((1 << (power - 1).min(63)) - 1)) as i128 } else { 0 };
        let step = if random.once_in(2) { step } else { 1i128 << power };
        values.push(coordinate.at(place.saturating_add(step)));
        values.push(coordinate.at(place.saturating_sub(step)));
    }
    if coordinate.kind == Kind::Integer {
        values.extend((0..coordinate.width).map(|bit| now ^ 1 << bit));
    }
}
