//! Phase two of symcretic execution: concrete and concolic runs along a trace (section 4.3 of the paper). Each run tells how far the
//! branches of the trace are from being taken; inputs are changed until all are. What a run shows of the conditions, with memory resolved,
//! is handed to the solvers; what they cannot decide, and loops that run as they will, are left to heuristic search. An input counts when the
//! real program, followed by nobody's hand, comes to the target with it.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use symcrete_exec::State;
use symcrete_exec::coverage::Coverage;
use symcrete_exec::distance::Side;
use symcrete_exec::guide::Fit;
use symcrete_ir::{Block, FuncId, LocId};

use super::along::{self, Solved};
use super::goal::Goal;
use super::prover::Prover;
use super::search::Verdict;
use super::seed::Seed;
use super::trace::Role;
use super::{Outcome, is_reached};
use crate::drive::confirm;
use crate::drive::trials::Trials;
use crate::local_search::candidate::Candidate;
use crate::local_search::moves::{Move, Moves};
use crate::local_search::{constants, is_nearer};
use crate::path::strategy::Random;
use crate::report::Finder;
use crate::session::Session;

#[derive(Clone, Debug)]
pub struct Config {
    /// Instructions that one run may take. Default: 200,000; so many times more for what solvers gave.
    pub budget: u64,
    /// Runs along one trace. Default: 2,000.
    pub evaluations: u64,
    /// Instructions of all runs along one trace. Default: 10 million.
    pub work: u64,
    /// Runs that come no nearer before a place is given up. Default: 100.
    pub patience: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { budget: 200_000, evaluations: 2_000, work: 10_000_000, patience: 100 }
    }
}

pub struct PhaseTwo {
    config: Config,
    random: Random,
    moves: Option<Moves>,
    trials: Trials,
    /// What runs that are led cover, which is of no interest.
    scratch: Option<Coverage>,
    /// Instructions so far.
    pub work: u64,
}

/// What beginning and ending a run costs, in instructions.
const RUN: u64 = 1_000;

/// What is looked for now.
struct Chase<'a> {
    session: &'a mut Session,
    fits: &'a [Fit],
    stop: &'a AtomicBool,
    evaluations: u64,
    work: u64,
    time: Duration,
}

/// What one run along a trace came to.
struct Run {
    state: State,
    distances: Vec<f64>,
    score: f64,
}

/// How many times longer a run may be that solvers say is right; and the run of the program itself on what they gave.
const LONG: u64 = 20;
const LONGEST: u64 = 100_000;

/// Of a branch to which a run does not come.
const NOT_REACHED: f64 = 800.0;

impl PhaseTwo {
    pub fn new(config: Config, seed: u64) -> PhaseTwo {
        PhaseTwo {
            config,
            random: Random::new(seed ^ 0x2A5E),
            moves: None,
            trials: Trials::of(Finder::Backward),
            scratch: None,
            work: 0,
        }
    }

    /// Looks for inputs along the trace of a goal that came to the beginning. `None` if the target was reached, or else why not.
    pub fn run(
        &mut self,
        session: &mut Session,
        prover: &mut Prover,
        goal: &Goal,
        target: usize,
        outcome: &mut Outcome,
        stop: &AtomicBool,
    ) -> Option<Verdict> {
        let numbered = goal.trace.fits(|function: FuncId, header: Block, side: &Side| {
            let shape = prover.shapes.shape(function);
            match shape.loop_of(header) {
                Some(around) if around.exits == [side.edge] => Role::OnlyExit,
                Some(around) if around.blocks.contains(&side.block) => Role::Inside,
                _ => Role::Outside,
            }
        });
        let fits: Vec<Fit> = numbered.iter().map(|(_, fit)| *fit).collect();
        let contradiction = match goal.is_assuming {
            true => Verdict::Failed(Vec::new()),
            false => Verdict::Refuted,
        };
        let Some(mut seed) = Seed::of(prover, goal) else { return Some(contradiction) };
        outcome.traces += 1;
        let began = Instant::now();
        let ran = self.run_seed(session, &seed, goal.is_loose, outcome, stop);
        outcome.evaluation_time += began.elapsed();
        if ran && is_reached(session, target) {
            return None;
        }
        let scratch = self.scratch.take().unwrap_or_else(|| Coverage::new(&session.machine.executor.image));
        let real = std::mem::replace(&mut session.machine.executor.coverage, scratch);
        session.machine.executor.guide(&fits);
        let mut chase = Chase { session, fits: &fits, stop, evaluations: 0, work: 0, time: Duration::ZERO };
        let (found, nearest) = self.search(&mut chase, &mut seed);
        let Chase { evaluations, work, time, .. } = chase;
        outcome.evaluations += evaluations;
        outcome.evaluation_time += time;
        self.work += work + RUN * evaluations;
        session.machine.executor.watch(&[]);
        self.scratch = Some(std::mem::replace(&mut session.machine.executor.coverage, real));
        if let Some(candidate) = found {
            let began = Instant::now();
            let (root, budget) = (candidate.root, self.config.budget * LONG);
            self.trials.run(session, root, Rc::new(candidate), budget, &mut self.work);
            outcome.evaluation_time += began.elapsed();
            outcome.evaluations += 1;
            if is_reached(session, target) {
                return None;
            }
        }
        let Some((missed, distance)) = nearest else { return Some(Verdict::Failed(Vec::new())) };
        if distance.is_finite() && outcome.nearest.is_none_or(|(_, known)| distance < known) {
            outcome.nearest = Some((location(session, &fits[missed]), distance));
        }
        // Perhaps there is nothing to be found.
        match seed.is_solved || prover.is_satisfiable(goal) {
            true => Some(Verdict::Failed(goal.trace.blamed(numbered[missed].0, distance.is_finite()))),
            false => Some(contradiction),
        }
    }

    /// Runs the program on what the backward search says of its inputs, which may take long.
    fn run_seed(
        &mut self,
        session: &mut Session,
        seed: &Seed,
        is_guess: bool,
        outcome: &mut Outcome,
        stop: &AtomicBool,
    ) -> bool {
        let first = Candidate::unknown(0);
        let supply = Rc::new(first.clone());
        let trial = self.trials.run(session, 0, supply, self.config.budget, &mut self.work);
        outcome.evaluations += 1;
        let Some(trial) = trial else { return false };
        let at = first.given(&trial.state);
        let Some(seeded) = seed.apply(&trial.state, &at).filter(|_| seed.is_solved) else { return true };
        let budget = self.config.budget * if is_guess { 1 } else { LONGEST };
        self.trials.run_until(session, 0, Rc::new(seeded), budget, &mut self.work, stop);
        outcome.evaluations += 1;
        true
    }

    /// Inputs that satisfy all branches of the trace, as far as it was followed; or which branch the nearest run missed, and by how much.
    fn search(&mut self, chase: &mut Chase, seed: &mut Seed) -> (Option<Candidate>, Option<(usize, f64)>) {
        let first = Candidate::unknown(0);
        let Some(mut best) = chase.run(first.clone(), &self.config) else { return (None, None) };
        let mut at = first.given(&best.state);
        if let Some(seeded) = seed.apply(&best.state, &at)
            && let Some(run) = chase.run_long(seeded.clone(), &self.config)
            && run.score <= best.score
        {
            at = seeded.given(&run.state);
            best = run;
        }
        // Runs on special and random values may have come nearer.
        for other in chase.session.meeting.runs.clone() {
            if best.score == 0.0 || chase.is_over(&self.config) {
                break;
            }
            if let Some(run) = chase.run(other.clone(), &self.config)
                && run.score < best.score
            {
                at = other.given(&run.state);
                best = run;
                seed.free();
            }
        }
        let mut tried_symbolically = f64::INFINITY;
        loop {
            if best.score == 0.0 {
                return (Some(at), None);
            }
            // Memory is resolved now: the solvers see exact conditions.
            if best.score < tried_symbolically {
                tried_symbolically = best.score;
                let solved = along::solve(
                    &mut chase.session.machine,
                    chase.fits,
                    &best.state,
                    self.config.budget * 10,
                    chase.stop,
                );
                if let Solved::Inputs(candidate) = &solved
                    && let Some(run) = chase.run_long(candidate.clone(), &self.config)
                    && run.score < best.score
                {
                    at = candidate.given(&run.state);
                    best = run;
                    continue;
                }
                if matches!(solved, Solved::Never) {
                    break;
                }
            }
            if chase.is_over(&self.config) || at.layout.variables.is_empty() {
                break;
            }
            let before = best.score;
            self.climb(chase, seed, &mut at, &mut best);
            if best.score >= before && !seed.free() {
                break;
            }
        }
        let missed = best.distances.iter().position(|distance| *distance > 0.0);
        (None, missed.map(|number| (number, best.distances[number])))
    }

    /// Changes inputs as long as that comes nearer.
    fn climb(&mut self, chase: &mut Chase, seed: &Seed, at: &mut Candidate, best: &mut Run) {
        let random = self.random.split();
        let program = &chase.session.machine.executor.image.program;
        let moves = self.moves.get_or_insert_with(|| Moves::new(random, constants(program)));
        moves.forget();
        let mut left = self.config.patience;
        let mut mark = best.score;
        while left > 0 && best.score > 0.0 && !chase.is_over(&self.config) {
            left -= 1;
            let made = moves.propose(at, at);
            let before = best.score;
            let after = step(chase, &self.config, at, best, seed.keep(at, made.apply(at, 1.0)), &mut self.random);
            if after != before {
                moves.learn(&made);
            }
            if after < before && matches!(made, Move::Direction(_)) {
                let mut times = 2.0;
                loop {
                    let before = best.score;
                    let bytes = seed.keep(at, made.apply(at, times));
                    if step(chase, &self.config, at, best, bytes, &mut self.random) >= before
                        || chase.is_over(&self.config)
                    {
                        break;
                    }
                    times *= 2.0;
                }
            }
            if is_nearer(best.score, mark) {
                mark = best.score;
                left = self.config.patience;
            }
        }
    }
}

/// Tries other bytes, and keeps them if they come nearer, or sometimes if they come as near; how near they come.
fn step(
    chase: &mut Chase,
    config: &Config,
    at: &mut Candidate,
    best: &mut Run,
    bytes: Vec<u8>,
    random: &mut Random,
) -> f64 {
    if bytes[..] == at.bytes[..] {
        return best.score;
    }
    let candidate = at.with(bytes);
    let Some(run) = chase.run(candidate.clone(), config) else { return f64::INFINITY };
    let score = run.score;
    if score < best.score || score == best.score && random.once_in(8) {
        let given = candidate.given(&run.state);
        if !given.layout.variables.is_empty() {
            *at = given;
            *best = run;
        }
    }
    score
}

impl Chase<'_> {
    fn is_over(&self, config: &Config) -> bool {
        self.evaluations >= config.evaluations || self.work >= config.work || self.stop.load(Ordering::Relaxed)
    }

    /// One run with inputs that solvers gave, which may be long.
    fn run_long(&mut self, candidate: Candidate, config: &Config) -> Option<Run> {
        self.run_within(candidate, config.budget * LONG)
    }

    fn run(&mut self, candidate: Candidate, config: &Config) -> Option<Run> {
        self.run_within(candidate, config.budget)
    }

    /// One concrete run that is led along the trace. `None` if that is no run of the program at all.
    fn run_within(&mut self, candidate: Candidate, budget: u64) -> Option<Run> {
        let executor = &mut self.session.machine.executor;
        let mut state = self.session.machine.roots.get(candidate.root)?.clone();
        let begun = state.steps;
        state.inputs.supply = Some(Rc::new(candidate));
        executor.restart_guide();
        self.evaluations += 1;
        let began = Instant::now();
        confirm::execute(executor, &mut state, budget);
        self.time += began.elapsed();
        self.work += state.steps - begun;
        let distances = executor.guide_distances().to_vec();
        let score = distances.iter().map(|distance| score(*distance)).sum();
        Some(Run { state, distances, score })
    }
}

/// How far a branch is from being taken, for sums: halving what is large counts as much as halving what is small.
fn score(distance: f64) -> f64 {
    if distance.is_finite() { distance.ln_1p() } else { NOT_REACHED }
}

fn location(session: &Session, fit: &Fit) -> LocId {
    session.machine.executor.image.body(fit.side.function).blocks[fit.side.block].terminator_loc
}
