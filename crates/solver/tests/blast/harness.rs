//! What the tests share: random numbers, variables, and queries whose answer is known because it was planted.

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, Op, Variable};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::blast::Blaster;
use symcrete_solver::{Answer, Limits};

/// Marsaglia's xorshift: the same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Often a number at the edge of its range.
    pub fn bits(&mut self, width: u32) -> Bits {
        match self.below(8) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::from_u64(width, 1).shl(u64::from(width) - 1),
            3 => Bits::from_u64(width, self.next() % 8),
            _ => {
                let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
                Bits::from_limbs(width, &limbs)
            }
        }
    }
}

/// An arena, the variables made so far with values planted for them, and one blaster for everything that is asked.
pub struct Bench {
    pub arena: Arena,
    pub blaster: Blaster,
    pub random: Random,
    pub variables: Vec<Expr>,
    pub planted: Model,
}

impl Bench {
    /// Expressions are built as they are told: every operation reaches the blaster.
    pub fn new(seed: u64) -> Bench {
        Bench {
            arena: Arena::without_rules(),
            blaster: Blaster::new(),
            random: Random::new(seed),
            variables: Vec::new(),
            planted: Model::default(),
        }
    }

    pub fn variable(&mut self, width: u32) -> Expr {
        let offset = self.variables.len() as u32;
        let variable = self.arena.variable(Variable { input: 0, offset, width, index_width: 0 });
        self.variables.push(variable);
        let bits = self.random.bits(width);
        self.plant(variable, bits);
        variable
    }

    pub fn plant(&mut self, variable: Expr, bits: Bits) {
        self.planted.set(self.arena.variable_of(variable).unwrap(), bits);
    }

    pub fn plant_anew(&mut self) {
        for variable in self.variables.clone() {
            let bits = self.random.bits(self.arena.width(variable));
            self.plant(variable, bits);
        }
    }

    pub fn constant(&mut self, width: u32) -> Expr {
        let bits = self.random.bits(width);
        self.arena.constant(&bits)
    }

    /// The value under the planted values.
    pub fn value(&self, expr: Expr) -> Bits {
        Evaluator::new(Rc::new(self.planted.clone())).value(&self.arena, expr)
    }

    pub fn is(&mut self, expr: Expr, bits: &Bits) -> Expr {
        let constant = self.arena.constant(bits);
        self.arena.compare(Op::Equal, expr, constant)
    }

    /// All variables have their planted values.
    pub fn fixed(&mut self) -> Vec<Expr> {
        let variables = self.variables.clone();
        variables.into_iter().map(|variable| self.is(variable, &self.value(variable))).collect()
    }

    pub fn check(&mut self, constraints: &[Expr]) -> Answer {
        self.blaster.check(&mut self.arena, constraints, &Limits::default())
    }

    pub fn assert_sat(&mut self, constraints: &[Expr]) -> Model {
        match self.check(constraints) {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(Rc::new(model.clone()));
                for &constraint in constraints {
                    assert_eq!(evaluator.word(&self.arena, constraint), 1, "{constraint}: {model:?}\n{:?}", self.arena);
                }
                model
            }
            other => panic!("{other:?}\n{:?}", self.arena),
        }
    }

    pub fn assert_unsat(&mut self, constraints: &[Expr]) {
        match self.check(constraints) {
            Answer::Unsat => {
                let core = self.blaster.core();
                assert!(!core.is_empty());
                assert!(core.iter().all(|constraint| constraints.contains(constraint)));
            }
            other => panic!("{other:?}\n{:?}", self.arena),
        }
    }

    /// The expression takes its planted value, and no other once the variables have theirs.
    pub fn assert_exact(&mut self, expr: Expr) {
        let value = self.value(expr);
        let equal = self.is(expr, &value);
        self.assert_sat(&[equal]);
        let mut constraints = self.fixed();
        constraints.push(equal);
        self.assert_sat(&constraints);
        constraints.pop();
        constraints.push(self.arena.not(equal));
        self.assert_unsat(&constraints);
    }
}
