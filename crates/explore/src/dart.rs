//! The baseline of DART (Godefroid, Klarlund and Sen, 2005), as the paper on mixed solving compares with it: runs on one assignment of
//! inputs, in which a call of a function that nobody looks into is the number that it gives there; then the last condition that was not
//! tried is negated, the smallest solution is taken, and the program runs again. A run that leaves the way that was foreseen has
//! diverged: the number was that of another run.

use std::rc::Rc;

use symcrete_exec::outcome::Purpose;
use symcrete_exec::{Ended, Outcome, Then};
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Model};
use symcrete_solver::{Answer, Conditions};

use crate::forward::{Explorer, choose, returned};
use crate::path::Path;

/// A condition that a run met, in order.
#[derive(Clone, Copy)]
struct Taken {
    condition: Expr,
    /// Which of two ways it led; `None` where there were more.
    way: Option<bool>,
    /// Whether its negation was tried.
    done: bool,
}

/// Bits beyond which a variable is not made smaller.
const WIDEST: u32 = 64;

impl Explorer {
    /// Explores depth first, until every condition was negated or somebody wants to stop. Gives the number of runs that diverged.
    pub(crate) fn dart(&mut self, stop: &mut dyn FnMut() -> bool) -> u64 {
        let mut model = Rc::new(Model::default());
        let mut foreseen: Vec<Taken> = Vec::new();
        let mut divergences = 0;
        loop {
            let Some(met) = self.run_along(model.clone(), stop) else { return divergences };
            let diverged = met.len() < foreseen.len()
                || foreseen.iter().zip(&met).any(|(foreseen, met)| foreseen.way != met.way && foreseen.way.is_some());
            divergences += u64::from(diverged);
            if !diverged {
                let tried = foreseen.iter().map(|taken| taken.done).chain(std::iter::repeat(false));
                foreseen = met.into_iter().zip(tried).map(|(met, done)| Taken { done, ..met }).collect();
            }
            match self.next_inputs(&mut foreseen, &model) {
                Some(next) => model = next,
                None => return divergences,
            }
        }
    }

    /// Negates the last condition that was not tried and can be otherwise.
    fn next_inputs(&mut self, foreseen: &mut Vec<Taken>, model: &Rc<Model>) -> Option<Rc<Model>> {
        while let Some(last) = foreseen.pop() {
            if last.done {
                continue;
            }
            let arena = &mut self.executor.arena;
            let negated = arena.not(last.condition);
            let mut constraints: Vec<Expr> = foreseen.iter().map(|taken| taken.condition).collect();
            constraints.push(negated);
            // Inputs that the condition does not hang on keep what they have.
            let mut prefix = Conditions::new();
            for taken in foreseen.iter() {
                prefix.push(arena, taken.condition);
            }
            let holds = |chain: &mut symcrete_solver::Chain| {
                foreseen.iter().all(|taken| !chain.evaluate(arena, model, taken.condition).is_zero())
            };
            let answer = match holds(&mut self.chain) {
                true => self.chain.check(&mut self.executor.arena, &prefix, negated, model),
                false => self.chain.solve(&mut self.executor.arena, &constraints),
            };
            if let Answer::Sat(solution) = answer {
                foreseen.push(Taken { condition: negated, way: last.way.map(|way| !way), done: true });
                return Some(Rc::new(self.smallest(&constraints, negated, solution)));
            }
        }
        None
    }

    /// Makes the variables of a condition as small as all conditions allow, one after the other.
    fn smallest(&mut self, constraints: &[Expr], about: Expr, mut model: Model) -> Model {
        let mut constraints = constraints.to_vec();
        let order = symcrete_expr::dag::post_order(&self.executor.arena, [about], &mut Default::default());
        for variable in order {
            let arena = &mut self.executor.arena;
            let Some(id) = arena.variable_of(variable).filter(|_| arena.width(variable) <= WIDEST) else { continue };
            let width = arena.width(variable);
            let (mut low, mut high) = (0u64, model.word(id));
            while low < high {
                let middle = low + (high - low) / 2;
                let bound = self.executor.arena.word(width, middle);
                let smaller = self.executor.arena.compare(Op::UnsignedLessEqual, variable, bound);
                constraints.push(smaller);
                let answer = self.chain.solve(&mut self.executor.arena, &constraints);
                constraints.pop();
                match answer {
                    Answer::Sat(better) => {
                        model.merge(&better);
                        high = model.word(id).min(middle);
                    }
                    _ => low = middle + 1,
                }
            }
            let least = self.executor.arena.word(width, high);
            let fixed = self.executor.arena.compare(Op::Equal, variable, least);
            constraints.push(fixed);
        }
        model
    }

    /// Runs on one assignment of inputs and reports the path; the conditions that it met. `None` if somebody wants to stop.
    fn run_along(&mut self, model: Rc<Model>, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Taken>> {
        let mut path = Path::new(self.roots()[0].clone(), 0);
        path.model = model;
        let mut met = Vec::new();
        loop {
            if stop() {
                return None;
            }
            let before = path.state.steps;
            let outcome = self.executor.run(&mut path.state, 100_000);
            self.counts.instructions += path.state.steps - before;
            self.note(&mut path);
            let ended = match outcome {
                Outcome::Continue => None,
                Outcome::Branch { condition, choices } => {
                    if let Some(choice) = choose(&choices, condition.low_word()) {
                        self.executor.take(&mut path.state, choice.edge);
                    }
                    None
                }
                Outcome::Resolve { register, value } => {
                    self.executor.resolve(&mut path.state, register, value.low_word());
                    None
                }
                Outcome::Return(values) => Some(returned(&values)),
                Outcome::Ended(ended) => Some(ended),
                Outcome::Fork(fork) => self.go_own_way(&mut path, &fork, None, true, &mut met),
                Outcome::Ask(question) => {
                    let bits = self.chain.evaluate(&self.executor.arena, &path.model, question.value).low_u64();
                    let bits = self.executor.answer(&question, bits);
                    let fork = self.executor.propose(&path.state, &question, bits);
                    // The number is believed, and nothing is said about what it hangs on.
                    let says = !matches!(question.purpose, Purpose::Argument(_));
                    self.go_own_way(&mut path, &fork, Some(bits), says, &mut met)
                }
            };
            if let Some(ended) = ended {
                self.finish(&path, ended);
                return Some(met);
            }
        }
    }

    fn go_own_way(
        &mut self,
        path: &mut Path,
        fork: &symcrete_exec::outcome::Fork,
        proposal: Option<u64>,
        says: bool,
        met: &mut Vec<Taken>,
    ) -> Option<Ended> {
        let own = self.own_way(path, fork);
        let alternative = &fork.alternatives[own];
        crate::forward::decide(&mut path.decisions, proposal, own, says);
        if says && self.executor.arena.as_word(alternative.condition).is_none() {
            path.conditions.push(&self.executor.arena, alternative.condition);
            let way = (fork.alternatives.len() == 2).then_some(own == 0);
            met.push(Taken { condition: alternative.condition, way, done: false });
        }
        path.depth += 1;
        let then: &Then = &alternative.then;
        self.executor.proceed(&mut path.state, then)
    }
}
