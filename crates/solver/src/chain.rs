//! The way of a query. `Chain::answer` shows all of its stages in order; what each of them knows is in the modules below, and the
//! decision procedures are in `backend/`.
//!
//! `Unsat` comes from an exact backend, or from facts that hold for every assignment, and always about constraints of the query
//! itself. Every model is evaluated on the original constraints before it leaves.

mod cache;
mod config;
mod evaluation;
mod lemmas;
mod plan;
mod slice;
mod statistics;

use std::rc::Rc;
use std::time::Instant;

use rustc_hash::FxHashSet;
use symcrete_expr::dag::{Evaluator, VariableSets};
use symcrete_expr::{Arena, Bits, Expr, Model};

use crate::answer::{Answer, Limits, Reason};
use crate::backend::Backend;
use crate::conditions::{Conditions, conjuncts};
use crate::smtlib;
use cache::{Caches, Known};
use evaluation::{Evaluators, RecentModels};
use plan::Planner;
use slice::Slice;

pub use config::{Config, Solver, UnknownSolver};
pub use statistics::{BackendStatistics, Stage, StageStatistics, Statistics};

/// Answers queries, one after the other. All of it belongs to one arena.
pub struct Chain {
    config: Config,
    backends: Vec<Box<dyn Backend>>,
    /// The generation of the arena that all below are about.
    generation: u32,
    variables: VariableSets,
    caches: Caches,
    states: Evaluators,
    recent: RecentModels,
    planner: Planner,
    statistics: Statistics,
    errors: Vec<InternalError>,
    log: Option<QueryLog>,
    /// Who gave a model to the query that is wrong because calls are anything to it, and the model.
    doubtful: Option<(usize, Rc<Model>)>,
}

/// A backend, or the chain itself, gave a model that the constraints disprove. The query was answered `Unknown`.
#[derive(Clone, Debug)]
pub struct InternalError {
    /// The query, as SMT-LIB.
    pub query: String,
    /// Who was wrong.
    pub backend: &'static str,
}

/// A query that came to the backends, for a log.
#[derive(Clone, Debug)]
pub struct LoggedQuery {
    /// From 1 on.
    pub number: u64,
    /// `sat`, `unsat` or `unknown`.
    pub verdict: &'static str,
    /// As SMT-LIB, with the verdict as its expected status.
    pub text: String,
}

/// Where logged queries go.
pub type QueryLog = Box<dyn FnMut(&LoggedQuery)>;

/// How often a backend is told more of the calls of a query.
const LEMMA_ROUNDS: u64 = 4;

/// What is known of a slice. The model is about the variables of the slice alone.
enum Verdict {
    Sat(Rc<Model>),
    Unsat,
    Unknown(Reason),
}

impl Chain {
    pub fn new(config: Config) -> Chain {
        let backends = crate::backend::chosen(&config);
        Chain::with_backends(config, backends)
    }

    /// Asks these backends, in this order, whatever the configuration names.
    pub fn with_backends(config: Config, backends: Vec<Box<dyn Backend>>) -> Chain {
        let statistics = Statistics::new(backends.iter().map(|backend| backend.name()));
        Chain {
            generation: 0,
            variables: VariableSets::default(),
            caches: Caches::new(&config),
            states: Evaluators::new(config.evaluators),
            recent: RecentModels::new(config.recent_models),
            planner: Planner::default(),
            statistics,
            errors: Vec::new(),
            log: None,
            doubtful: None,
            backends,
            config,
        }
    }

    /// Whether all of the path and the extra condition can hold at once, where the model is known to satisfy the path.
    /// `Sat` holds a model of all of it that says of other variables what the given one says.
    pub fn check(&mut self, arena: &mut Arena, path: &Conditions, extra: Expr, model: &Rc<Model>) -> Answer {
        let limits = self.config.limits.clone();
        self.check_with(arena, path, extra, model, &limits)
    }

    /// As `check`, with limits of its own: for what was not decided before and is worth more.
    pub fn check_with(
        &mut self,
        arena: &mut Arena,
        path: &Conditions,
        extra: Expr,
        model: &Rc<Model>,
        limits: &Limits,
    ) -> Answer {
        self.follow_generation(arena);
        let extra = conjuncts(arena, extra);
        let answer = self.answer(arena, path, extra, model, limits);
        self.counted(answer)
    }

    /// Whether all constraints can hold at once, where nothing is known before.
    pub fn solve(&mut self, arena: &mut Arena, constraints: &[Expr]) -> Answer {
        let limits = self.config.limits.clone();
        self.solve_with(arena, constraints, &limits)
    }

    /// As `solve`, with limits of its own.
    pub fn solve_with(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        self.follow_generation(arena);
        let mut seen = FxHashSet::default();
        let parts = constraints.iter().flat_map(|constraint| conjuncts(arena, *constraint));
        let parts: Vec<Expr> = parts.filter(|part| seen.insert(*part)).collect();
        let groups = match self.config.independence {
            true => slice::components(&mut self.variables, arena, &parts),
            false => vec![parts],
        };
        let mut model = Rc::new(Model::default());
        let mut unknown = None;
        // A contradiction in a later group decides the query, whatever the earlier ones are.
        for group in groups {
            match self.answer(arena, &Conditions::new(), group, &model, limits) {
                Answer::Sat(larger) => model = Rc::new(larger),
                Answer::Unsat => return self.counted(Answer::Unsat),
                Answer::Unknown(reason) => unknown = Some(unknown.map_or(reason, |before| worse(before, reason))),
            }
        }
        let answer = match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => self.checked(arena, constraints, model),
        };
        self.counted(answer)
    }

    /// All stages, from the cheapest to the dearest.
    fn answer(
        &mut self,
        arena: &mut Arena,
        path: &Conditions,
        mut extra: Vec<Expr>,
        model: &Rc<Model>,
        limits: &Limits,
    ) -> Answer {
        if let Some(answer) = self.stage(Stage::Facts, |chain| chain.by_facts(arena, path, &mut extra, model)) {
            return answer;
        }
        if let Some(answer) = self.stage(Stage::OwnModel, |chain| chain.by_own_model(arena, path, &extra, model)) {
            return answer;
        }
        let slice = self.independent_slice(arena, path, &extra);
        let verdict = match self.stage(Stage::ExactResults, |chain| chain.by_exact_result(&slice, limits)) {
            Some(verdict) => verdict,
            None => {
                let verdict = self
                    .stage(Stage::Contradictions, |chain| chain.by_contradiction(&slice))
                    .or_else(|| self.stage(Stage::SatisfiedSets, |chain| chain.by_satisfied_set(arena, &slice)))
                    .or_else(|| self.stage(Stage::RecentModels, |chain| chain.by_recent_model(arena, &slice)))
                    .or_else(|| {
                        self.stage(Stage::Backends, |chain| Some(chain.by_backends(arena, &slice, model, limits)))
                    })
                    .unwrap_or(Verdict::Unknown(Reason::Inexpressible));
                self.remember(&slice, &verdict, limits);
                verdict
            }
        };
        match verdict {
            Verdict::Sat(part) => self.merged(arena, path, &extra, model, &part),
            Verdict::Unsat => Answer::Unsat,
            Verdict::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Runs a stage, and keeps its books.
    fn stage<T>(&mut self, stage: Stage, run: impl FnOnce(&mut Chain) -> Option<T>) -> Option<T> {
        let began = Instant::now();
        let answer = run(self);
        let books = self.statistics.stage_mut(stage);
        books.asked += 1;
        books.answered += u64::from(answer.is_some());
        books.time += began.elapsed();
        answer
    }

    /// Constants, what ranges and known bits say, and what the path says literally. Takes out of the extra conditions what is
    /// certain.
    fn by_facts(
        &mut self,
        arena: &mut Arena,
        path: &Conditions,
        extra: &mut Vec<Expr>,
        model: &Rc<Model>,
    ) -> Option<Answer> {
        extra.retain(|condition| evaluation::always(arena, *condition) != Some(true));
        if extra.iter().any(|condition| evaluation::always(arena, *condition) == Some(false)) {
            return Some(Answer::Unsat);
        }
        if !path.is_empty() {
            let negated: Vec<Expr> = extra.iter().map(|condition| arena.not(*condition)).collect();
            for constraint in path {
                if negated.contains(&constraint) {
                    return Some(Answer::Unsat);
                }
                extra.retain(|condition| *condition != constraint);
            }
        }
        extra.is_empty().then(|| Answer::Sat(Model::clone(model)))
    }

    /// The model satisfies the path; perhaps it satisfies the rest.
    fn by_own_model(&mut self, arena: &Arena, path: &Conditions, extra: &[Expr], model: &Rc<Model>) -> Option<Answer> {
        let evaluator = self.states.of(arena, model);
        debug_assert!(
            path.iter().all(|constraint| evaluator.holds(arena, constraint)),
            "the model is not one of the path"
        );
        let holds = extra.iter().all(|condition| evaluator.holds(arena, *condition));
        holds.then(|| Answer::Sat(Model::clone(model)))
    }

    fn independent_slice(&mut self, arena: &Arena, path: &Conditions, extra: &[Expr]) -> Slice {
        let independence = self.config.independence;
        let began = Instant::now();
        let slice = slice::slice(&mut self.variables, arena, path.iter(), extra, independence);
        let books = self.statistics.stage_mut(Stage::Independence);
        books.asked += 1;
        books.time += began.elapsed();
        self.statistics.constraints += (path.len() + extra.len()) as u64;
        self.statistics.constraints_left += slice.constraints.len() as u64;
        slice
    }

    fn by_exact_result(&mut self, slice: &Slice, limits: &Limits) -> Option<Verdict> {
        match self.caches.exact.get(&slice.key)? {
            Known::Sat(model) => Some(Verdict::Sat(model)),
            Known::Unsat => Some(Verdict::Unsat),
            Known::Unknown(reason, effort) => (limits.effort <= effort).then_some(Verdict::Unknown(reason)),
        }
    }

    fn by_contradiction(&mut self, slice: &Slice) -> Option<Verdict> {
        self.caches.contradictions.refutes(&slice.key).then_some(Verdict::Unsat)
    }

    fn by_satisfied_set(&mut self, arena: &Arena, slice: &Slice) -> Option<Verdict> {
        let model = self.caches.satisfied.model(&slice.key)?;
        Some(Verdict::Sat(Rc::new(slice.restrict(arena, &model))))
    }

    fn by_recent_model(&mut self, arena: &Arena, slice: &Slice) -> Option<Verdict> {
        // What was asked for stands last and is what models fail on.
        let model = self.recent.satisfying(arena, slice.constraints.iter().rev().copied())?;
        Some(Verdict::Sat(Rc::new(slice.restrict(arena, &model))))
    }

    /// Backend after backend, in the order and with the effort that `plan` gives to a query of this shape.
    fn by_backends(&mut self, arena: &mut Arena, slice: &Slice, model: &Rc<Model>, limits: &Limits) -> Verdict {
        let began = Instant::now();
        let shape = self.planner.shape(arena, &slice.constraints);
        self.doubtful = None;
        for backend in &mut self.backends {
            backend.hint(model);
        }
        let mut reasons: Vec<Option<Reason>> = vec![None; self.backends.len()];
        for turn in self.planner.turns(shape, &self.backends, &self.config, limits) {
            let at = turn.backend;
            if limits.interrupted() {
                return self.logged(arena, slice, Verdict::Unknown(Reason::Interrupted));
            }
            // More effort helps only where the limit was met.
            if !matches!(reasons[at], None | Some(Reason::Limit)) {
                continue;
            }
            // The time is for all of them together.
            let time = limits.time.saturating_sub(began.elapsed());
            if time.is_zero() {
                reasons[at] = Some(Reason::Limit);
                break;
            }
            let round = Limits { effort: turn.effort, time, ..limits.clone() };
            let verdict = self.ask(arena, slice, at, &round);
            self.planner.learn(shape, &turn, !matches!(verdict, Verdict::Unknown(_)));
            match verdict {
                Verdict::Unknown(reason) => reasons[at] = Some(reason),
                decided => return self.logged(arena, slice, decided),
            }
        }
        // Who tries values finds more than solutions; so this comes last.
        let time = limits.time.saturating_sub(began.elapsed());
        if let Some((at, model)) = self.doubtful.take()
            && !time.is_zero()
            && let Some(verdict) = self.ask_with_lemmas(arena, slice, at, &model, &Limits { time, ..limits.clone() })
        {
            return self.logged(arena, slice, verdict);
        }
        let reason = reasons.into_iter().flatten().reduce(worse).unwrap_or(Reason::Inexpressible);
        self.logged(arena, slice, Verdict::Unknown(reason))
    }

    /// Asks one backend, and believes no model that it gives.
    fn ask(&mut self, arena: &mut Arena, slice: &Slice, at: usize, limits: &Limits) -> Verdict {
        let backend = &mut self.backends[at];
        let books = &mut self.statistics.backends[at];
        let began = Instant::now();
        let answer = backend.check(arena, &slice.constraints, limits);
        books.queries += 1;
        books.time += began.elapsed();
        match answer {
            Answer::Sat(model) => {
                let model = Rc::new(slice.restrict(arena, &model));
                if self.recent.add(arena, &model, &slice.constraints) {
                    books.sat += 1;
                    return Verdict::Sat(model);
                }
                if let Some(reason) = backend.doubt() {
                    books.unknown += 1;
                    if reason == Reason::Inexpressible {
                        self.doubtful = Some((at, model.clone()));
                    }
                    // It may be near a solution: others can begin there.
                    for other in &mut self.backends {
                        other.hint(&model);
                    }
                    return Verdict::Unknown(reason);
                }
                books.wrong += 1;
                let query = smtlib::print(arena, &slice.constraints);
                self.errors.push(InternalError { query, backend: books.name });
                Verdict::Unknown(Reason::Internal)
            }
            Answer::Unsat => {
                books.unsat += 1;
                let core = backend.core().filter(|core| !core.is_empty());
                if let Some(mut core) = core {
                    core.sort_unstable();
                    core.dedup();
                    self.caches.contradictions.insert(&core);
                }
                Verdict::Unsat
            }
            Answer::Unknown(reason) => {
                books.unknown += 1;
                Verdict::Unknown(reason)
            }
        }
    }

    /// Asks a backend again whose model was wrong because calls are anything to it, with what is certain of the calls.
    fn ask_with_lemmas(
        &mut self,
        arena: &mut Arena,
        slice: &Slice,
        at: usize,
        model: &Rc<Model>,
        limits: &Limits,
    ) -> Option<Verdict> {
        let began = Instant::now();
        let calls = lemmas::calls(arena, &slice.constraints);
        if calls.is_empty() {
            return None;
        }
        let mut query = slice.constraints.clone();
        query.extend(lemmas::congruence(arena, &calls));
        let mut model = model.clone();
        let mut decided = None;
        for _ in 0..LEMMA_ROUNDS {
            query.extend(lemmas::points(arena, &mut Evaluator::new(model.clone()), &calls));
            let time = limits.time.saturating_sub(began.elapsed());
            let limits = Limits { effort: limits.effort / LEMMA_ROUNDS, time, ..limits.clone() };
            match self.backends[at].check(arena, &query, &limits) {
                Answer::Unsat => decided = Some(Verdict::Unsat),
                Answer::Unknown(_) => {}
                Answer::Sat(better) => {
                    model = Rc::new(slice.restrict(arena, &better));
                    if !self.recent.add(arena, &model, &slice.constraints) {
                        continue;
                    }
                    decided = Some(Verdict::Sat(model.clone()));
                }
            }
            break;
        }
        let books = &mut self.statistics.backends[at];
        books.time += began.elapsed();
        match decided {
            Some(Verdict::Unsat) => books.unsat += 1,
            Some(Verdict::Sat(_)) => books.sat += 1,
            _ => {}
        }
        decided
    }

    fn remember(&mut self, slice: &Slice, verdict: &Verdict, limits: &Limits) {
        let known = match verdict {
            Verdict::Sat(model) => {
                self.caches.satisfied.insert(&slice.key, model);
                Known::Sat(model.clone())
            }
            Verdict::Unsat => {
                if !self.caches.contradictions.refutes(&slice.key) {
                    self.caches.contradictions.insert(&slice.key);
                }
                Known::Unsat
            }
            Verdict::Unknown(Reason::Interrupted) => return,
            Verdict::Unknown(reason) => Known::Unknown(*reason, limits.effort),
        };
        self.caches.exact.insert(&slice.key, known);
    }

    /// The state's model with what the slice's model says of the slice's variables; checked on the whole condition.
    fn merged(
        &mut self,
        arena: &mut Arena,
        path: &Conditions,
        extra: &[Expr],
        model: &Rc<Model>,
        part: &Model,
    ) -> Answer {
        let mut merged = Model::clone(model);
        merged.merge(part);
        let whole: Vec<Expr> = extra.iter().copied().chain(path).collect();
        self.checked(arena, &whole, Rc::new(merged))
    }

    /// The last look at a model before it leaves.
    fn checked(&mut self, arena: &mut Arena, constraints: &[Expr], model: Rc<Model>) -> Answer {
        let evaluator = self.states.of(arena, &model);
        if constraints.iter().all(|constraint| evaluator.holds(arena, *constraint)) {
            return Answer::Sat(Model::clone(&model));
        }
        let query = smtlib::print(arena, constraints);
        self.errors.push(InternalError { query, backend: "chain" });
        Answer::Unknown(Reason::Internal)
    }

    fn logged(&mut self, arena: &mut Arena, slice: &Slice, verdict: Verdict) -> Verdict {
        if let Some(log) = &mut self.log {
            let name = match &verdict {
                Verdict::Sat(_) => "sat",
                Verdict::Unsat => "unsat",
                Verdict::Unknown(_) => "unknown",
            };
            let text = smtlib::print_with_status(arena, &slice.constraints, name);
            let number = self.statistics.stage(Stage::Backends).asked + 1;
            log(&LoggedQuery { number, verdict: name, text });
        }
        verdict
    }

    fn counted(&mut self, answer: Answer) -> Answer {
        self.statistics.queries += 1;
        match &answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    /// Forgets everything that is about expressions if their numbers may have changed.
    fn follow_generation(&mut self, arena: &Arena) {
        if arena.generation() != self.generation {
            self.generation = arena.generation();
            self.variables = VariableSets::default();
            self.caches = Caches::new(&self.config);
            self.states = Evaluators::new(self.config.evaluators);
            self.recent = RecentModels::new(self.config.recent_models);
            self.planner.forget();
        }
    }

    /// The value of an expression under a model. What was evaluated stays known while the model is among the newest ones, so asking
    /// which side of a branch a state's model takes costs next to nothing.
    pub fn evaluate(&mut self, arena: &Arena, model: &Rc<Model>, expr: Expr) -> Bits {
        self.follow_generation(arena);
        self.states.of(arena, model).bits(arena, expr)
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What went wrong since this was last asked.
    pub fn take_errors(&mut self) -> Vec<InternalError> {
        std::mem::take(&mut self.errors)
    }

    /// From now on, every query that comes to the backends is given to the log.
    pub fn set_log(&mut self, log: Option<QueryLog>) {
        self.log = log;
    }
}

/// Of two reasons the one that says more about what may help: a limit can be raised.
fn worse(a: Reason, b: Reason) -> Reason {
    let rank = |reason| match reason {
        Reason::Interrupted => 4,
        Reason::Internal => 3,
        Reason::Limit => 2,
        Reason::NanBits => 1,
        Reason::Inexpressible => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}
