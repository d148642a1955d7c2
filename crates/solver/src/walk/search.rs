//! Adaptive tabu search (Algorithm 1 of the Concolic Walk paper): the variable with the largest error that is not tabu moves to its best
//! neighbour. Which neighbours there are is in `neighbours`, longer moves along a variable in `line`, and moves of several variables in
//! `kick`.

use std::time::Instant;

use symcrete_tape::{Interpreter, Machine};

use super::config::Config;
use super::polytope::Polytope;
use super::problem::{Point, Problem};
use crate::answer::Limits;
use crate::random::Random;

/// A point with what the tape says about it.
#[derive(Clone)]
pub struct Place {
    pub point: Point,
    /// By constraint; zero where it holds.
    pub scores: Vec<f64>,
    /// By constraint: the difference of its sides, if it has two.
    pub gaps: Vec<f64>,
    /// Weighted.
    pub total: f64,
}

impl Place {
    pub fn is_solution(&self) -> bool {
        self.scores.iter().all(|score| *score == 0.0)
    }

    pub fn violated(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.scores.len()).filter(|constraint| self.scores[*constraint] != 0.0)
    }
}

/// What a search may still spend, in the units of [`Limits`].
pub struct Effort {
    left: u64,
    deadline: Option<Instant>,
    limits: Limits,
    /// Of one evaluation, in thousandths.
    price: u64,
    owed: u64,
    /// Evaluations so far.
    pub evaluations: u64,
}

impl Effort {
    /// For constraints with so many instructions and calls, some of them slow.
    pub fn new(limits: &Limits, instructions: usize, (calls, slow): (usize, usize)) -> Effort {
        Effort {
            left: limits.effort,
            deadline: Instant::now().checked_add(limits.time),
            limits: limits.clone(),
            price: 100 + 3 * instructions as u64 + 100 * calls as u64 + 10_000 * slow as u64,
            owed: 0,
            evaluations: 0,
        }
    }

    fn spend(&mut self, evaluations: u64) {
        self.evaluations += evaluations;
        self.owed += evaluations * self.price;
        self.left = self.left.saturating_sub(self.owed / 1000);
        self.owed %= 1000;
    }

    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.limits.interrupted() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

pub struct Search<'p, 'a> {
    pub problem: &'p Problem<'a>,
    pub config: &'p Config,
    machine: Machine,
    /// For the values of all parts of the constraints at one point.
    pub parts: Interpreter,
    pub random: Random,
    pub effort: Effort,
    /// By constraint: what its score counts.
    pub weights: Vec<f64>,
    pub polytope: Polytope,
}

impl<'p, 'a> Search<'p, 'a> {
    pub fn new(problem: &'p Problem<'a>, config: &'p Config, random: Random, effort: Effort) -> Search<'p, 'a> {
        let weights = vec![1.0; problem.constraints.len()];
        let (machine, parts) = (Machine::new(problem.tape.clone()), Interpreter::new(&problem.tape));
        let polytope = Polytope::new(problem);
        Search { problem, config, machine, parts, random, effort, weights, polytope }
    }

    pub fn evaluate(&mut self, point: Point) -> Place {
        self.effort.spend(1);
        let constraints = self.problem.constraints.len();
        let (mut scores, mut gaps) = (vec![0.0; constraints], vec![0.0; constraints]);
        self.machine.run(&point, 1, &mut scores, &mut gaps);
        let total = self.total(&scores);
        Place { point, scores, gaps, total }
    }

    /// Makes the values of all parts known at a point.
    pub fn look_at(&mut self, point: &[u64]) {
        self.effort.spend(1);
        self.parts.run(&self.problem.tape, point);
    }

    fn total(&self, scores: &[f64]) -> f64 {
        scores.iter().zip(&self.weights).map(|(score, weight)| score * weight).sum()
    }

    /// Whether a place with these scores may be gone to.
    pub fn allows(&self, scores: &[f64]) -> bool {
        !self.config.polytope || self.polytope.linear.iter().all(|(constraint, _)| scores[*constraint] == 0.0)
    }

    /// The best of some points, all scored at once; `None` if there are none that the walk may go to.
    pub fn best(&mut self, points: &[Point]) -> Option<Place> {
        let constraints = self.problem.constraints.len();
        let flat: Vec<u64> = points.iter().flatten().copied().collect();
        let mut scores = vec![0.0; points.len() * constraints];
        let mut gaps = scores.clone();
        self.effort.spend(points.len() as u64);
        self.machine.run(&flat, points.len(), &mut scores, &mut gaps);
        let mut best: Option<(usize, f64)> = None;
        for (row, scores) in scores.chunks(constraints).enumerate() {
            let total = self.total(scores);
            if self.allows(scores) && best.is_none_or(|(_, least)| total < least) {
                best = Some((row, total));
            }
        }
        let (row, total) = best?;
        let row_of = |all: &[f64]| all[row * constraints..(row + 1) * constraints].to_vec();
        Some(Place { point: points[row].clone(), scores: row_of(&scores), gaps: row_of(&gaps), total })
    }

    /// One walk from a point, until a solution is found or its steps are used up. Gives where it ended.
    pub fn walk(&mut self, start: Point) -> Place {
        self.weights.fill(1.0);
        let mut here = self.evaluate(start);
        let mut tabu = vec![0u32; self.problem.coordinates.len()];
        let counted = if self.config.polytope { self.polytope.others.len() } else { self.problem.constraints.len() };
        let steps = self.config.steps * counted as u64;
        for _ in 0..steps {
            if here.is_solution() || self.effort.is_spent() {
                break;
            }
            let Some(variable) = self.most_wrong(&here, &tabu) else {
                here = self.kick(here);
                tabu.fill(0);
                continue;
            };
            let neighbours = self.neighbours(&here, variable);
            let mut best = self.best(&neighbours);
            if self.config.intervals && best.as_ref().is_none_or(|best| best.total >= here.total) {
                best = self.along(&here, variable, best);
            }
            match best {
                Some(best) if best.total < here.total => {
                    here = best;
                    for left in &mut tabu {
                        *left = left.saturating_sub(1);
                    }
                }
                _ => tabu[variable] = self.tabu_steps(),
            }
        }
        here
    }

    fn tabu_steps(&self) -> u32 {
        self.config.tabu.min((self.problem.coordinates.len() as u32).div_ceil(2))
    }

    /// The variable with the largest error that is not tabu; one of them if there are several. Those without an error are none: to
    /// change them changes nothing that matters.
    fn most_wrong(&mut self, here: &Place, tabu: &[u32]) -> Option<usize> {
        let mut errors = vec![0.0; tabu.len()];
        for constraint in here.violated() {
            let error = here.scores[constraint] * self.weights[constraint];
            for coordinate in &self.problem.coordinates_of[constraint] {
                errors[*coordinate] += error;
            }
        }
        let open = |at: &usize| tabu[*at] == 0 && errors[*at] > 0.0;
        let most = (0..tabu.len()).filter(open).map(|at| errors[at]).fold(0.0, f64::max);
        let worst: Vec<usize> = (0..tabu.len()).filter(open).filter(|at| errors[*at] == most).collect();
        (!worst.is_empty()).then(|| *self.random.one_of(&worst))
    }
}
