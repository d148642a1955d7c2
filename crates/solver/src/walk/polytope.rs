//! The linear constraints together: the region in which all solutions lie (section 3.1 of the Concolic Walk paper), a point of it by
//! linear programming, and how a step keeps to its equalities (Algorithm 4, AdjustToSatisfy).

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem as Program, Variable};

use super::coordinate::{Coordinate, Kind};
use super::linear::{Linear, Reader, Relation};
use super::problem::{Point, Problem};
use crate::random::Random;

/// More constraints than these are not given to the linear solver.
const MOST: usize = 300;
/// Floats are looked for within these bounds, the narrow ones first: computing with huge numbers loses small ones.
const BOUNDS: [f64; 2] = [1e6, 1e30];

pub struct Polytope {
    /// With the numbers of the constraints.
    pub linear: Vec<(usize, Linear)>,
    /// The numbers of the others.
    pub others: Vec<usize>,
}

impl Polytope {
    pub fn new(problem: &Problem) -> Polytope {
        let mut reader = Reader::new(problem.arena, &problem.coordinates);
        let (mut linear, mut others) = (Vec::new(), Vec::new());
        for (at, constraint) in problem.constraints.iter().enumerate() {
            match reader.constraint(*constraint) {
                Some(form) => linear.push((at, form)),
                None => others.push(at),
            }
        }
        Polytope { linear, others }
    }

    /// A point of the polytope as the linear solver sees it, at the end that a random direction leads to; other coordinates stay as
    /// they are. It may miss the machine's polytope by a little. `None` if there is no linear constraint or no such point.
    pub fn point(&self, problem: &Problem, from: &[u64], random: &mut Random) -> Option<Point> {
        if self.linear.is_empty() || self.linear.len() > MOST {
            return None;
        }
        BOUNDS.iter().find_map(|bound| self.solve(&problem.coordinates, from, *bound, random))
    }

    fn solve(&self, coordinates: &[Coordinate], from: &[u64], bound: f64, random: &mut Random) -> Option<Point> {
        let mut program = Program::new(OptimizationDirection::Maximize);
        let mut variables: Vec<Option<Variable>> = vec![None; coordinates.len()];
        for (at, _) in self.linear.iter().flat_map(|(_, form)| &form.terms) {
            let most = match coordinates[*at].kind {
                Kind::Integer => 2f64.powi(coordinates[*at].width as i32 - 1) - 1.0,
                Kind::Float(_) => bound,
            };
            let direction = random.normal() * 1e-9 * f64::from(u8::from(random.once_in(2)));
            variables[*at].get_or_insert_with(|| program.add_var(direction, (-most, most)));
        }
        // As far from the borders as that is possible, up to a distance of one.
        let room = program.add_var(1.0, (0.0, 1.0));
        for (_, form) in &self.linear {
            let mut sum = LinearExpr::empty();
            for (at, multiple) in &form.terms {
                sum.add(variables[*at]?, *multiple);
            }
            match form.relation {
                Relation::Equal => program.add_constraint(sum, ComparisonOp::Eq, form.bound),
                Relation::Less | Relation::LessEqual => {
                    sum.add(room, 1.0);
                    program.add_constraint(sum, ComparisonOp::Le, form.bound);
                }
                Relation::Different => {}
            }
        }
        let solution = program.solve().ok()?.into_solution().ok()?;
        let mut point = from.to_vec();
        for (coordinate, variable) in coordinates.iter().zip(variables) {
            if let Some(variable) = variable {
                coordinate.write(&mut point, coordinate.nearest(solution.var_value(variable)));
            }
        }
        Some(point)
    }

    /// Mends the equalities that a step in some coordinates broke, each in another coordinate of it.
    pub fn adjust(&self, coordinates: &[Coordinate], point: &mut Point, moved: &[usize], random: &mut Random) {
        let equalities = self.linear.iter().filter(|(_, form)| form.relation == Relation::Equal);
        for (_, form) in equalities {
            let value = |at: usize, point: &Point| coordinates[at].number(coordinates[at].read(point));
            let sum: f64 = form.terms.iter().map(|(at, multiple)| multiple * value(*at, point)).sum();
            if sum == form.bound {
                continue;
            }
            let free: Vec<(usize, f64)> =
                form.terms.iter().copied().filter(|(at, _)| !moved.contains(at) || moved.len() > 1).collect();
            if free.is_empty() {
                continue;
            }
            let (at, multiple) = *random.one_of(&free);
            let rest = sum - multiple * value(at, point);
            coordinates[at].write(point, coordinates[at].nearest((form.bound - rest) / multiple));
        }
    }
}
