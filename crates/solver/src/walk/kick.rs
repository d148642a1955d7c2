//! What is done when every variable is tabu: the paper moves all of them by random steps; beyond it, a violated constraint is solved
//! exactly whatever that does to the others, and what is violated counts more from then on.

use super::problem::Point;
use super::search::{Place, Search};
use crate::invert::Inverter;

impl Search<'_, '_> {
    pub fn kick(&mut self, here: Place) -> Place {
        if self.config.weights {
            for constraint in here.violated().collect::<Vec<_>>() {
                self.weights[constraint] += 1.0;
            }
        }
        if self.config.inversion && !self.random.once_in(4) {
            let kicked = self.solve_one(&here);
            if let Some(kicked) = kicked {
                return kicked;
            }
        }
        let point = self.random_step(&here);
        self.evaluate(point)
    }

    /// One violated constraint solved by inversion, in whichever variables.
    pub fn solve_one(&mut self, here: &Place) -> Option<Place> {
        let problem = self.problem;
        let violated: Vec<usize> = here.violated().collect();
        let constraint = *self.random.one_of(&violated);
        self.look_at(&here.point);
        let mut inverter = Inverter {
            arena: problem.arena,
            tape: &problem.tape,
            values: &self.parts,
            random: &mut self.random,
            reaches: &|_| true,
        };
        let changes = inverter.satisfy(problem.constraints[constraint], true)?;
        let mut point = here.point.clone();
        problem.change(&mut point, &changes);
        Some(self.evaluate(point))
    }

    /// All variables moved at random (Algorithm 1, line 11), within the polytope if the walk is to stay there.
    pub fn random_step(&mut self, here: &Place) -> Point {
        let all: Vec<usize> = (0..self.problem.coordinates.len()).collect();
        for _ in 0..self.config.samples {
            let point = self.moved(here, &all);
            if !self.config.polytope {
                return point;
            }
            let place = self.evaluate(point);
            if self.allows(&place.scores) {
                return place.point;
            }
        }
        here.point.clone()
    }

    /// Some variables moved at random, and the linear equalities mended (Algorithm 4).
    pub fn moved(&mut self, here: &Place, variables: &[usize]) -> Point {
        let mut point = here.point.clone();
        for variable in variables {
            let coordinate = &self.problem.coordinates[*variable];
            let number = coordinate.number(coordinate.read(&point));
            let step = self.random.normal() * self.config.radius;
            let number = if number.is_finite() { number + step } else { step };
            coordinate.write(&mut point, coordinate.nearest(number));
        }
        self.polytope.adjust(&self.problem.coordinates, &mut point, variables, &mut self.random);
        point
    }
}
