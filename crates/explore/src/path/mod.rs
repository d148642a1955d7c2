//! Pending paths: how they are kept, written down, moved between workers and chosen. A path is its state, the condition on its inputs, and one assignment of inputs that satisfies it.

pub mod aside;
pub mod board;
pub mod crowds;
pub mod decisions;
pub mod distance;
pub mod journal;
pub mod limits;
pub mod memory;
pub mod packing;
pub mod pool;
pub mod saved;
pub mod strategy;

use std::rc::Rc;

use symcrete_exec::State;
use symcrete_expr::{Expr, Model};
use symcrete_solver::Conditions;

use crate::path::crowds::Crowds;
use crate::path::decisions::Decisions;
use crate::path::distance::Place;
use crate::path::limits::{PathLimits, Rounds};
use crate::session::sides::Choices;

/// A side of a fork that the chain could not decide: the decisions that lead there, the last one included.
#[derive(Clone, Debug, PartialEq)]
pub struct Parked {
    pub decisions: Vec<u8>,
    pub depth: u32,
    /// How often it was tried again.
    pub tries: u32,
}

/// A run that was put off.
#[derive(Clone)]
pub struct UnderWay {
    /// Turns that it had.
    pub turns: u32,
    pub diverged: bool,
    /// Its decisions up to the last that was open: the rest follows from them, and may be very long.
    pub firm: Decisions,
}

#[derive(Clone)]
pub struct Path {
    pub state: State,
    pub conditions: Conditions,
    /// Satisfies the conditions.
    pub model: Rc<Model>,
    pub decisions: Decisions,
    /// Forks since the entry.
    pub depth: u32,
    /// Instructions executed when the path last covered something that no path had; `None` if it never did.
    pub new_at: Option<u64>,
    /// What its queries cost: the constraints that they came to, which unlike time is the same in every run.
    pub query_cost: u64,
    /// The number of times that the instruction on which it stands was proposed another value.
    pub proposals: u32,
    /// Instructions that were executed then.
    asked_at: u64,
    /// How often it went round loops.
    pub rounds: Rounds,
    /// How often it forked where it might have gone both ways as one.
    pub crowds: Crowds,
    /// Choices that it made without a fork.
    pub choices: Choices,
    /// What shall hold too, and nobody asked whether it can: the last decision is not in the conditions then.
    pub asked: Option<Expr>,
    /// Whether the model need not satisfy anything, after all.
    pub is_unsolved: bool,
    /// It is a run that goes on where it stands when it has its next turn.
    pub under_way: Option<UnderWay>,
    /// Whether it was put together of pieces, so that nothing has shown yet that it is one of the program's.
    pub is_pieced: bool,
    /// Bits that nobody wrote entered an expression.
    pub may_use_unwritten: bool,
    /// Whether it has a test only if that does something new, though all others have one.
    pub is_extra: bool,
    /// What the run covered from which it comes and that none had.
    pub gain: u64,
}

impl Path {
    /// The state in which it began, by its number.
    pub fn root(&self) -> usize {
        self.decisions.first().unwrap_or(0) as usize
    }

    /// The decisions that lead to it; of a run under way, those from which the rest follows.
    pub fn firm_decisions(&self) -> &Decisions {
        self.under_way.as_ref().map_or(&self.decisions, |run| &run.firm)
    }

    /// A path that has not begun.
    pub fn new(state: State, root: usize) -> Path {
        let mut decisions = Decisions::default();
        decisions.push(root as u64);
        Path {
            state,
            conditions: Conditions::new(),
            model: Rc::new(Model::default()),
            decisions,
            depth: 0,
            new_at: None,
            query_cost: 0,
            proposals: 0,
            asked_at: 0,
            rounds: Rounds::default(),
            crowds: Crowds::default(),
            choices: Choices::default(),
            asked: None,
            is_unsolved: false,
            under_way: None,
            is_pieced: false,
            may_use_unwritten: false,
            is_extra: false,
            gain: 0,
        }
    }

    /// Inputs decide which way it goes from where it stands. Counted again when the path is made again of its decisions.
    pub fn count_fork(&mut self, place: Place, may_join: bool, limits: &PathLimits) {
        if may_join {
            self.crowds.count(place);
        }
        if limits.loops.is_some() {
            self.rounds.count(place, self.state.depth() as u32);
        }
    }

    /// The instruction on which it stands is proposed a value.
    pub fn count_proposal(&mut self) {
        if self.asked_at != self.state.steps {
            (self.asked_at, self.proposals) = (self.state.steps, 0);
        }
        self.proposals += 1;
    }

    /// Bytes that the path takes beside its state, roughly: its own, its model's, and what it added last to what it shares with
    /// its parent.
    pub fn bytes_beside_state(&self) -> usize {
        /// A condition and a decision with their links.
        const ADDED: usize = 128;
        let model = match Rc::strong_count(&self.model) {
            1 => self.model.values().count() * size_of::<(symcrete_expr::dag::VariableId, symcrete_expr::Bits)>(),
            _ => 0,
        };
        size_of::<Path>() - size_of::<State>() + model + ADDED
    }
}
