//! Both sides of a choice that does not fork. `c ? a : b` of simple values is one instruction: a path that executes it goes on as one,
//! with an expression for either value. A suite should have a test for each side all the same, so paths remember such choices until
//! they end.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::coverage::Mark;
use symcrete_expr::Expr;

/// A choice by its sides; the one where its condition does not hold comes first.
pub type Choice = [Mark; 2];

/// Choices that a path made, with their conditions.
#[derive(Clone, Default)]
pub struct Choices(Rc<Vec<(Choice, Expr)>>);

/// More than this of one path are forgotten.
const MOST_CHOICES: usize = 32;

/// How often a side is looked for without success at one place.
const TRIES: u8 = 64;

impl Choices {
    pub fn add(&mut self, choice: Choice, condition: Expr) {
        if self.0.len() < MOST_CHOICES {
            self.add_always(choice, condition);
        }
    }

    /// Adds a choice, however many there are.
    pub fn add_always(&mut self, choice: Choice, condition: Expr) {
        if !self.0.contains(&(choice, condition)) {
            Rc::make_mut(&mut self.0).push((choice, condition));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Choice, Expr)> + '_ {
        self.0.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How often sides were looked for without success.
#[derive(Default)]
pub struct Tries(FxHashMap<Choice, u8>);

impl Tries {
    /// Whether a choice is worth another one.
    pub fn is_open(&self, choice: Choice) -> bool {
        self.0.get(&choice).is_none_or(|tries| *tries < TRIES)
    }

    /// No inputs of a path take the side that is missing, or none were found.
    pub fn count(&mut self, choice: Choice) {
        let tries = self.0.entry(choice).or_default();
        *tries = tries.saturating_add(1);
    }
}
