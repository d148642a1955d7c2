//! What executes and decides: the executor, the solver chain, and the states in which paths begin.

use symcrete_exec::coverage::Coverage;
use symcrete_exec::{Executor, Fork, State};
use symcrete_expr::Expr;
use symcrete_solver::Chain;

use crate::path::Path;
use crate::path::distance::Place;

pub struct Machine {
    pub executor: Executor,
    pub chain: Chain,
    pub roots: Vec<State>,
}

impl Machine {
    /// The alternative that the path's own model takes.
    pub fn own_way(&mut self, path: &Path, fork: &Fork) -> usize {
        let holds = |chain: &mut Chain, condition: Expr| {
            !chain.evaluate(&self.executor.arena, &path.model, condition).is_zero()
        };
        let own = fork.alternatives.iter().position(|alternative| holds(&mut self.chain, alternative.condition));
        own.expect("the alternatives of a fork leave nothing out")
    }

    /// Executes something of which the coverage counts elsewhere.
    pub fn covering<T>(&mut self, coverage: &mut Coverage, execute: impl FnOnce(&mut Machine) -> T) -> T {
        std::mem::swap(&mut self.executor.coverage, coverage);
        let result = execute(self);
        std::mem::swap(&mut self.executor.coverage, coverage);
        result
    }

    /// The value of an expression for the inputs of a path.
    pub fn word(&mut self, path: &Path, expr: Expr) -> u64 {
        self.chain.evaluate(&self.executor.arena, &path.model, expr).low_u64()
    }

    /// What the queries so far cost.
    pub fn queries(&self) -> u64 {
        crate::session::meter::queries(&self.chain)
    }
}

/// Where a state stands.
pub fn place(state: &State, executor: &Executor) -> Place {
    let mut places = state.places(&executor.image);
    let (function, block, instruction) = places.next().expect("a state has a frame");
    Place { function, block, instruction }
}
