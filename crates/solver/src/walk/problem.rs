//! The constraints of a query as a search sees them: scores to bring down to zero, and coordinates to do it with.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Op, post_order};
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Model};
use symcrete_tape::{Metric, Refused, Tape};

use super::coordinate::{self, Coordinate};

/// A valuation of all variables: the words of the tape's inputs.
pub type Point = Vec<u64>;

/// Sets of coordinates; of many coordinates, several share a bit.
pub type CoordinateSet = u128;

pub struct Problem<'a> {
    pub arena: &'a Arena,
    pub constraints: &'a [Expr],
    pub tape: Rc<Tape>,
    pub coordinates: Vec<Coordinate>,
    /// The coordinates of each constraint.
    pub coordinates_of: Vec<Vec<usize>>,
    /// The constraints of each coordinate.
    pub constraints_of: Vec<Vec<usize>>,
    /// Numbers that the constraints name, as integers and as floats.
    pub integers: Vec<u64>,
    pub floats: Vec<f64>,
    /// Which coordinates a part of the constraints depends on.
    reach: FxHashMap<Expr, CoordinateSet>,
    /// The first word of each variable.
    words: FxHashMap<Expr, usize>,
}

impl<'a> Problem<'a> {
    /// Unless the tape would have more than so many instructions.
    pub fn new(arena: &'a Arena, constraints: &'a [Expr], metric: Metric, most: usize) -> Result<Problem<'a>, Refused> {
        let tape = Rc::new(Tape::new(arena, constraints, metric, most)?);
        let coordinates = coordinate::coordinates(arena, constraints, &tape);
        let order = post_order(arena, constraints.iter().copied(), &mut EntitySet::new());
        let mut problem = Problem {
            arena,
            constraints,
            coordinates_of: vec![Vec::new(); constraints.len()],
            constraints_of: vec![Vec::new(); coordinates.len()],
            coordinates,
            integers: Vec::new(),
            floats: Vec::new(),
            reach: FxHashMap::default(),
            words: tape.inputs().iter().map(|input| (input.variable, input.word as usize)).fold(
                FxHashMap::default(),
                |mut words, (variable, word)| {
                    let expr = order.iter().find(|expr| arena.variable_of(**expr) == Some(variable));
                    words.extend(expr.map(|expr| (*expr, word)));
                    words
                },
            ),
            tape,
        };
        problem.note_constants(&order);
        problem.note_reach(&order);
        Ok(problem)
    }

    fn note_constants(&mut self, order: &[Expr]) {
        for expr in order {
            let node = self.arena.node(*expr);
            if let Op::Float(_, kind, _) = node.op {
                for operand in self.arena.operands(*expr) {
                    if let Some(bits) = self.arena.as_constant(operand) {
                        let double = symcrete_expr::float::convert::convert(kind, FloatKind::Double, bits.low_u128());
                        self.floats.push(f64::from_bits(double as u64));
                    }
                }
            }
            if let Some(word) = self.arena.as_word(*expr).filter(|_| node.width > 1) {
                self.integers.push(word);
            }
        }
        self.integers.sort_unstable();
        self.integers.dedup();
        self.floats.sort_unstable_by(f64::total_cmp);
        self.floats.dedup_by_key(|float| float.to_bits());
    }

    fn note_reach(&mut self, order: &[Expr]) {
        let mut of_word: FxHashMap<usize, CoordinateSet> = FxHashMap::default();
        for (at, coordinate) in self.coordinates.iter().enumerate() {
            for word in coordinate.words() {
                *of_word.entry(word).or_default() |= bit(at);
            }
        }
        for expr in order {
            let own = self.words.get(expr).and_then(|word| of_word.get(word)).copied().unwrap_or(0);
            let mut set = own;
            self.arena.for_each_operand(*expr, |operand| set |= self.reach.get(&operand).copied().unwrap_or(0));
            self.reach.insert(*expr, set);
        }
        for (at, constraint) in self.constraints.iter().enumerate() {
            let set = self.reach(*constraint);
            for coordinate in (0..self.coordinates.len()).filter(|coordinate| set & bit(*coordinate) != 0) {
                self.coordinates_of[at].push(coordinate);
                self.constraints_of[coordinate].push(at);
            }
        }
    }

    /// Which coordinates a part of the constraints depends on.
    pub fn reach(&self, expr: Expr) -> CoordinateSet {
        self.reach.get(&expr).copied().unwrap_or(0)
    }

    /// The point that a model stands for.
    pub fn point(&self, model: &Model) -> Point {
        let mut point = vec![0; self.tape.words()];
        for input in self.tape.inputs() {
            if let Some(bits) = model.get(input.variable) {
                point[input.words()].copy_from_slice(&bits.limbs()[..input.words().len()]);
            }
        }
        point
    }

    pub fn model(&self, point: &[u64]) -> Model {
        let mut model = Model::default();
        for input in self.tape.inputs() {
            model.set(input.variable, Bits::from_limbs(input.width, &point[input.words()]));
        }
        model
    }

    /// Gives variables of up to 64 bits new values.
    pub fn change(&self, point: &mut [u64], changes: &[(Expr, u64)]) {
        for (variable, value) in changes {
            if let Some(word) = self.words.get(variable) {
                point[*word] = *value;
            }
        }
    }

    /// Whether a constraint is a comparison for equality that is to hold.
    pub fn is_equality(&self, constraint: usize) -> bool {
        let op = self.arena.node(self.constraints[constraint]).op;
        matches!(op, Op::Equal | Op::Float(symcrete_expr::dag::FloatOperation::Equal, ..))
    }
}

/// The set of one coordinate.
pub fn bit(coordinate: usize) -> CoordinateSet {
    1 << (coordinate % CoordinateSet::BITS as usize)
}
