//! Mixed concrete-symbolic solving (Păsăreanu, Rungta and Visser, 2011): the simple constraints are solved, the complex ones computed
//! with the solution and made simple by it (Figure 2 of the paper), again with other solutions if that fails (Figure 4) and with
//! solutions in parts of a function's domain that somebody named (Figure 5). What is complex is in `complex`.

mod complex;

use std::rc::Rc;
use std::str::FromStr;
use std::time::Instant;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Evaluator, FunctionId, VariableId, VariableSets};
use symcrete_expr::{Arena, Bits, Expr, Model};

use crate::answer::{Answer, Limits, Reason};
use crate::backend::{Backend, Role};
use crate::random::Random;

/// How mixed solving goes about it.
#[derive(Clone, Debug)]
pub struct Config {
    /// MAX_TRIES of the paper: solutions of the simple part that are tried, in each part of a domain. Default: 8; the paper's is 1.
    pub tries: u32,
    /// Random values for inputs that the simple part says nothing about (section 3.5). Default: yes.
    pub random: bool,
    /// What such an input had in an earlier solution comes first (section 3.6, "residual solving"). Default: yes.
    pub residual: bool,
    /// Whether domains are divided as somebody said. Default: yes.
    pub partitions: bool,
    /// Seed of all that is random. Default: 0.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config { tries: 8, random: true, residual: true, partitions: true, seed: 0 }
    }
}

/// Why a setting is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` sets nothing of mixed solving; write tries=N, random=on|off, residual=on|off or partitions=on|off")]
pub struct NoSetting(String);

/// Settings as they are written on a command line: `KEY=VALUE`, separated by commas.
impl FromStr for Config {
    type Err = NoSetting;

    fn from_str(text: &str) -> Result<Config, NoSetting> {
        let mut config = Config::default();
        for setting in text.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let wrong = || NoSetting(setting.to_owned());
            let (key, value) = setting.split_once('=').ok_or_else(wrong)?;
            let switch = match value {
                "on" => Ok(true),
                "off" => Ok(false),
                _ => Err(wrong()),
            };
            match key {
                "tries" => config.tries = value.parse().map_err(|_| wrong())?,
                "random" => config.random = switch?,
                "residual" => config.residual = switch?,
                "partitions" => config.partitions = switch?,
                _ => return Err(wrong()),
            }
        }
        Ok(config)
    }
}

impl Config {
    /// One solution of the simple part and no other: what tools do that make complex terms concrete once and for all.
    pub fn concretising() -> Config {
        Config { tries: 1, random: false, residual: false, partitions: false, ..Config::default() }
    }
}

/// Mixed solving as a stage of the chain. The simple constraints go to backends of its own.
pub struct Mixed {
    config: Config,
    backends: Vec<Box<dyn Backend>>,
    random: Random,
    generation: u32,
    residual: FxHashMap<VariableId, Bits>,
    variables: VariableSets,
}

/// What became of one attempt.
enum Attempt {
    Solved(Model),
    /// No solution of the simple part is left.
    NoneLeft,
    /// This solution of the simple part led nowhere; the equalities say which one it was.
    Failed(Vec<Expr>),
    Unknown(Reason),
}

impl Mixed {
    pub fn new(config: Config, backends: Vec<Box<dyn Backend>>) -> Mixed {
        Mixed {
            random: Random::new(config.seed),
            config,
            backends,
            generation: 0,
            residual: FxHashMap::default(),
            variables: VariableSets::default(),
        }
    }

    /// The first backend that decides.
    fn solve(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        let constraints: Vec<Expr> =
            constraints.iter().copied().filter(|constraint| arena.as_word(*constraint) != Some(1)).collect();
        if constraints.iter().any(|constraint| arena.as_word(*constraint) == Some(0)) {
            return Answer::Unsat;
        }
        if constraints.is_empty() {
            return Answer::Sat(Model::default());
        }
        let mut answer = Answer::Unknown(Reason::Inexpressible);
        for backend in &mut self.backends {
            answer = backend.check(arena, &constraints, limits);
            if !matches!(answer, Answer::Unknown(_)) {
                break;
            }
        }
        answer
    }

    /// mixedIsSatisfiable of the paper.
    fn attempt(&mut self, arena: &mut Arena, simple: &[Expr], complex: &[Expr], limits: &Limits) -> Attempt {
        let model = match self.solve(arena, simple, limits) {
            Answer::Sat(model) => model,
            Answer::Unsat => return Attempt::NoneLeft,
            Answer::Unknown(reason) => return Attempt::Unknown(reason),
        };
        let model = Rc::new(self.filled(arena, model, simple, complex));
        let mut evaluator = Evaluator::new(model.clone());
        if complex.iter().all(|constraint| evaluator.holds(arena, *constraint)) {
            return Attempt::Solved(Model::clone(&model));
        }
        let simplified = complex::simplify(arena, complex, &mut evaluator);
        let mut whole = simple.to_vec();
        whole.extend(&simplified.constraints);
        whole.extend(&simplified.equalities);
        match self.solve(arena, &whole, limits) {
            Answer::Sat(solution) => {
                let mut merged = Model::clone(&model);
                merged.merge(&solution);
                Attempt::Solved(merged)
            }
            Answer::Unsat => Attempt::Failed(simplified.equalities),
            Answer::Unknown(reason) => Attempt::Unknown(reason),
        }
    }

    /// Values for variables of which the simple part says nothing.
    fn filled(&mut self, arena: &Arena, mut model: Model, simple: &[Expr], complex: &[Expr]) -> Model {
        let mut said: Vec<VariableId> = Vec::new();
        for constraint in simple {
            let set = self.variables.of(arena, *constraint);
            said.extend(self.variables.variables(set));
        }
        said.sort_unstable();
        for constraint in complex {
            let set = self.variables.of(arena, *constraint);
            let all: Vec<VariableId> = self.variables.variables(set).collect();
            for variable in all {
                let about = arena.variables()[variable];
                if about.index_width != 0 || said.binary_search(&variable).is_ok() {
                    continue;
                }
                let remembered = self.residual.get(&variable).filter(|_| self.config.residual);
                let value = match remembered {
                    Some(value) => value.clone(),
                    None if self.config.random => random_value(&mut self.random, about.width),
                    None => continue,
                };
                model.set(variable, value);
                said.push(variable);
                said.sort_unstable();
            }
        }
        model
    }

    /// isSat_Incremental of the paper, under a further condition.
    fn incrementally(
        &mut self,
        arena: &mut Arena,
        (simple, complex): (&[Expr], &[Expr]),
        part: Option<Expr>,
        limits: &Limits,
        deadline: Option<Instant>,
    ) -> Answer {
        let mut working = simple.to_vec();
        working.extend(part);
        let residual = self.config.residual;
        let mut answer = Answer::Unknown(Reason::Limit);
        for attempt in 0..self.config.tries.max(1) {
            if limits.interrupted() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            // What was remembered is tried once.
            self.config.residual = residual && attempt == 0;
            match self.attempt(arena, &working, complex, limits) {
                Attempt::Solved(model) => {
                    answer = Answer::Sat(model);
                    break;
                }
                // Nothing was added to the simple part yet: it has no solution by itself.
                Attempt::NoneLeft if attempt == 0 && part.is_none() => {
                    answer = Answer::Unsat;
                    break;
                }
                Attempt::NoneLeft => break,
                Attempt::Unknown(reason) => {
                    answer = Answer::Unknown(reason);
                    break;
                }
                Attempt::Failed(equalities) if equalities.is_empty() => break,
                Attempt::Failed(equalities) => {
                    let both = |arena: &mut Arena, a, b| arena.binary(symcrete_expr::dag::Op::And, a, b);
                    let all = equalities.into_iter().reduce(|a, b| both(arena, a, b));
                    working.extend(all.map(|all| arena.not(all)));
                }
            }
        }
        self.config.residual = residual;
        answer
    }

    /// The conditions that divide the domains of the functions that are called, about the arguments of each call.
    fn parts(&self, arena: &mut Arena, complex: &[Expr]) -> Vec<Expr> {
        if !self.config.partitions {
            return Vec::new();
        }
        let calls = complex::complex_parts(arena, complex);
        let mut parts = Vec::new();
        for call in calls {
            let node = arena.node(call);
            if node.op != symcrete_expr::dag::Op::Call {
                continue;
            }
            let arguments = arena.arguments(call).to_vec();
            let partitions = arena.partitions(FunctionId::from_u32(node.a));
            for partition in partitions.iter() {
                parts.extend(partition.instantiate(arena, &arguments));
            }
        }
        parts
    }
}

/// Small numbers as often as any.
fn random_value(random: &mut Random, width: u32) -> Bits {
    match random.below(3) {
        0 => Bits::from_limbs(width, &vec![random.bits(); width.div_ceil(64) as usize]),
        1 if width == 64 => Bits::from_u64(64, (random.normal() * 100.0).to_bits()),
        1 if width == 32 => Bits::from_u64(32, ((random.normal() * 100.0) as f32).to_bits().into()),
        _ => {
            let small = Bits::from_u64(width, random.below(1 << width.min(7)));
            if random.once_in(2) { Bits::zero(width).sub(&small) } else { small }
        }
    }
}

impl Backend for Mixed {
    fn name(&self) -> &'static str {
        "mixed"
    }

    fn role(&self) -> Role {
        Role::Search
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        if arena.generation() != self.generation {
            self.generation = arena.generation();
            self.variables = VariableSets::default();
        }
        let deadline = Instant::now().checked_add(limits.time);
        let (simple, complex) = complex::split(arena, constraints);
        // Each try has two questions.
        let limits = &Limits { effort: limits.effort / u64::from(2 * self.config.tries.max(1)), ..limits.clone() };
        let mut answer = self.incrementally(arena, (&simple, &complex), None, limits, deadline);
        if matches!(answer, Answer::Unknown(_)) {
            for part in self.parts(arena, &complex) {
                answer = self.incrementally(arena, (&simple, &complex), Some(part), limits, deadline);
                if matches!(answer, Answer::Sat(_)) {
                    break;
                }
                // Within a part there may be none although there is one.
                answer = Answer::Unknown(Reason::Limit);
            }
        }
        if let Answer::Sat(model) = &answer {
            for (variable, value) in model.values() {
                self.residual.insert(variable, value.clone());
            }
        }
        answer
    }

    fn doubt(&self) -> Option<Reason> {
        // The bits of a NaN may be others than the backend chose.
        Some(Reason::NanBits)
    }
}
