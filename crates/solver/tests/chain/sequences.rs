//! Sequences of queries as a symbolic executor makes them: a tree of paths, each branch asked with the model of its state. Every
//! configuration of the chain gives the same verdicts, and Z3 agrees with them.

use std::rc::Rc;

use symcrete_expr::{Arena, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::{Answer, Chain, Conditions, Config, Limits, Solver};

use crate::support::formulas::Formulas;
use crate::support::{BruteForce, Random, satisfies, variables, verdict, z3};

/// One query of a sequence.
struct Query {
    path: Conditions,
    extra: Expr,
    model: Rc<Model>,
}

/// Explores a random tree of paths with a chain and writes down what was asked and answered.
fn explore(arena: &mut Arena, chain: &mut Chain, seed: u64, width: u32, steps: u32) -> Vec<(Query, &'static str)> {
    let mut random = Random(seed);
    let variables = variables(arena, 3, width);
    // Few conditions, so that paths meet them again in other company.
    let division = random.chance(2);
    let mut formulas = Formulas { random: &mut random, variables, division };
    let conditions: Vec<Expr> = (0..12).map(|_| formulas.condition(arena, 3)).collect();
    let mut states = vec![(Conditions::new(), Rc::new(Model::default()))];
    let mut queries = Vec::new();
    for _ in 0..steps {
        let at = random.below(states.len() as u64) as usize;
        let (path, model) = states[at].clone();
        let condition = conditions[random.below(conditions.len() as u64) as usize];
        let negated = arena.not(condition);
        let mut sides = Vec::new();
        for extra in [condition, negated] {
            let answer = chain.check(arena, &path, extra, &model);
            queries.push((Query { path: path.clone(), extra, model: model.clone() }, verdict(&answer)));
            if let Answer::Sat(found) = answer {
                assert!(satisfies(arena, &found, path.iter().chain([extra])), "a model that is none");
                let mut longer = path.clone();
                longer.push(arena, extra);
                sides.push((longer, Rc::new(found)));
            }
        }
        assert!(!sides.is_empty(), "a state whose both sides are impossible");
        states.splice(at..=at, sides);
    }
    queries
}

fn brute_force() -> Vec<Box<dyn Backend>> {
    vec![Box::new(BruteForce::default())]
}

#[test]
fn caches_and_slices_change_no_verdict() {
    for seed in 0..15 {
        let mut arena = Arena::new();
        let mut chain = Chain::with_backends(Config::default(), brute_force());
        let mut plain = Chain::with_backends(Config::default().without_caches(), brute_force());
        let mut tiny = Config::default();
        (tiny.exact_results, tiny.contradictions, tiny.satisfied_sets, tiny.evaluators) = (20, 20, 10, 2);
        let mut tiny = Chain::with_backends(tiny, brute_force());
        for (query, said) in explore(&mut arena, &mut chain, seed, 3, 40) {
            let Query { path, extra, model } = query;
            let alone = verdict(&plain.check(&mut arena, &path, extra, &model));
            let small = verdict(&tiny.check(&mut arena, &path, extra, &model));
            assert_eq!((said, said), (alone, small), "seed {seed}");
            let all: Vec<Expr> = path.iter().chain([extra]).collect();
            let fresh = BruteForce::default().check(&mut arena, &all, &Limits::default());
            assert_eq!(said, verdict(&fresh), "seed {seed}");
        }
        assert!(chain.take_errors().is_empty());
    }
}

#[test]
fn the_backends_agree_with_trying_everything() {
    for seed in 100..115 {
        let mut arena = Arena::new();
        let mut chain = Chain::with_backends(Config::default(), brute_force());
        let mut others: Vec<Chain> =
            Solver::ALL.map(|solver| Chain::new(Config { solver, ..Config::default() })).into_iter().collect();
        for (query, said) in explore(&mut arena, &mut chain, seed, 3, 25) {
            for other in &mut others {
                let answer = other.check(&mut arena, &query.path, query.extra, &query.model);
                let name = other.config().solver.name();
                assert!(verdict(&answer) == said || verdict(&answer) == "unknown", "seed {seed}, {name}: {answer:?}");
            }
        }
        for other in &mut others {
            assert!(other.take_errors().is_empty());
        }
    }
}

#[test]
fn two_chains_of_the_same_kind_say_the_same() {
    let run = || {
        let mut arena = Arena::new();
        let mut chain = Chain::new(Config::default());
        let queries = explore(&mut arena, &mut chain, 7, 16, 60);
        let models: Vec<String> = queries.iter().map(|(query, said)| format!("{said} {:?}", query.model)).collect();
        let books: Vec<_> = chain.statistics().stages().map(|(_, books)| (books.asked, books.answered)).collect();
        (models, books)
    };
    assert_eq!(run(), run());
}

#[test]
fn z3_agrees_on_sequences() {
    let mut printed = Vec::new();
    for seed in 200..208 {
        let mut arena = Arena::new();
        let mut chain = Chain::new(Config::default());
        let width = [8, 16, 32, 5][seed as usize % 4];
        for (query, said) in explore(&mut arena, &mut chain, seed, width, 15) {
            let all: Vec<Expr> = query.path.iter().chain([query.extra]).collect();
            printed.push((symcrete_solver::smtlib::print(&arena, &all), said));
        }
        assert!(chain.take_errors().is_empty());
    }
    let unsat = printed.iter().filter(|(_, said)| *said == "unsat").count();
    assert!(unsat > 10, "too few contradictions to be worth a test: {unsat}");
    z3::confirm(&printed);
}
