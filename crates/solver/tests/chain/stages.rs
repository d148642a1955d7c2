//! What each stage answers, and what it leaves to the next one.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::chain::Stage;
use symcrete_solver::{Answer, Chain, Conditions, Config, Limits, Reason};

use crate::support::{Asked, BruteForce, Scripted, satisfies, variable, variables};

/// A chain over a backend that tries every assignment, and what that was asked.
fn watched(config: Config) -> (Chain, Asked) {
    let asked = Asked::default();
    let mut brute = BruteForce::default();
    let answer =
        move |arena: &mut Arena, constraints: &[Expr], limits: &Limits| brute.check(arena, constraints, limits);
    let backend = Scripted { name: "watched", asked: asked.clone(), answer, doubt: None };
    (Chain::with_backends(config, vec![Box::new(backend)]), asked)
}

fn less(arena: &mut Arena, a: Expr, constant: u64) -> Expr {
    let constant = arena.word(arena.width(a), constant);
    arena.compare(Op::UnsignedLess, a, constant)
}

fn equals(arena: &mut Arena, a: Expr, constant: u64) -> Expr {
    let constant = arena.word(arena.width(a), constant);
    arena.compare(Op::Equal, a, constant)
}

fn path(arena: &Arena, constraints: &[Expr]) -> Conditions {
    let mut conditions = Conditions::new();
    for constraint in constraints {
        conditions.push(arena, *constraint);
    }
    conditions
}

fn model(arena: &Arena, values: &[(Expr, u64)]) -> Rc<Model> {
    let mut model = Model::default();
    for (expr, value) in values {
        model.set(arena.variable_of(*expr).unwrap(), Bits::from_u64(arena.width(*expr), *value));
    }
    Rc::new(model)
}

fn answered(chain: &Chain, stage: Stage) -> u64 {
    chain.statistics().stage(stage).answered
}

fn expect_sat(answer: Answer) -> Model {
    match answer {
        Answer::Sat(model) => model,
        other => panic!("{other:?}"),
    }
}

#[test]
fn facts_and_the_path_itself_answer() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let a = variable(&mut arena, 0, 4);
    let small = less(&mut arena, a, 5);
    let large = arena.not(small);
    let path = path(&arena, &[small]);
    let zero = model(&arena, &[]);
    let truth = arena.boolean(true);
    let falsehood = arena.boolean(false);
    assert!(matches!(chain.check(&mut arena, &path, truth, &zero), Answer::Sat(_)));
    assert!(matches!(chain.check(&mut arena, &path, falsehood, &zero), Answer::Unsat));
    assert!(matches!(chain.check(&mut arena, &path, small, &zero), Answer::Sat(_)));
    assert!(matches!(chain.check(&mut arena, &path, large, &zero), Answer::Unsat));
    assert_eq!(answered(&chain, Stage::Facts), 4);
    assert!(asked.borrow().is_empty());
}

#[test]
fn the_own_model_answers_what_it_satisfies() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let a = variable(&mut arena, 0, 4);
    let small = less(&mut arena, a, 5);
    let three = equals(&mut arena, a, 3);
    let own = model(&arena, &[(a, 3)]);
    let conditions = path(&arena, &[small]);
    let found = expect_sat(chain.check(&mut arena, &conditions, three, &own));
    assert_eq!(found, *own);
    assert_eq!(answered(&chain, Stage::OwnModel), 1);
    assert!(asked.borrow().is_empty());
}

#[test]
fn what_is_independent_is_left_out_and_keeps_its_values() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let [a, b, c, d] = variables(&mut arena, 4, 4)[..] else { unreachable!() };
    let small_a = less(&mut arena, a, 9);
    let b_below_a = arena.compare(Op::UnsignedLess, b, a);
    let c_below_d = arena.compare(Op::UnsignedLess, c, d);
    let path = path(&arena, &[small_a, c_below_d, b_below_a]);
    let own = model(&arena, &[(a, 8), (b, 7), (c, 2), (d, 14)]);
    let b_is_four = equals(&mut arena, b, 4);
    let a_is_five = equals(&mut arena, a, 5);
    let extra = arena.binary(Op::And, b_is_four, a_is_five);
    let found = expect_sat(chain.check(&mut arena, &path, extra, &own));
    // The oldest constraint first, the extra ones last, and nothing about c and d.
    let (constraints, _) = asked.borrow()[0].clone();
    assert_eq!(constraints[..2], [small_a, b_below_a]);
    assert_eq!(constraints.len(), 4);
    assert_eq!(found.get(arena.variable_of(d).unwrap()), own.get(arena.variable_of(d).unwrap()));
    assert!(satisfies(&arena, &found, path.iter().chain([extra])));
}

#[test]
fn a_read_at_a_symbolic_index_depends_on_the_whole_table() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let [a, b, index] = variables(&mut arena, 3, 4)[..] else { unreachable!() };
    let table = arena.table(4, 4, &[a, b]);
    let element = arena.select(table, index);
    let small_b = less(&mut arena, b, 3);
    let small_a = less(&mut arena, a, 3);
    let path = path(&arena, &[small_a, small_b]);
    let own = model(&arena, &[]);
    let large = equals(&mut arena, element, 9);
    assert!(matches!(chain.check(&mut arena, &path, large, &own), Answer::Unsat));
    assert_eq!(asked.borrow()[0].0, [small_a, small_b, large]);
}

#[test]
fn the_same_set_in_another_order_is_not_asked_twice() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let [a, b] = variables(&mut arena, 2, 4)[..] else { unreachable!() };
    let below = arena.compare(Op::UnsignedLess, a, b);
    let small = less(&mut arena, b, 1);
    let zero = model(&arena, &[(b, 1)]);
    let conditions = path(&arena, &[below]);
    assert!(matches!(chain.check(&mut arena, &conditions, small, &zero), Answer::Unsat));
    let nothing = model(&arena, &[]);
    let conditions = path(&arena, &[small]);
    assert!(matches!(chain.check(&mut arena, &conditions, below, &nothing), Answer::Unsat));
    assert_eq!(asked.borrow().len(), 1);
    assert_eq!(answered(&chain, Stage::ExactResults), 1);
}

#[test]
fn a_superset_of_a_contradiction_is_one() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let [a, b] = variables(&mut arena, 2, 4)[..] else { unreachable!() };
    let below = arena.compare(Op::UnsignedLess, a, b);
    let none = less(&mut arena, b, 1);
    assert!(matches!(chain.solve(&mut arena, &[below, none]), Answer::Unsat));
    let more = less(&mut arena, a, 9);
    assert!(matches!(chain.solve(&mut arena, &[more, below, none]), Answer::Unsat));
    assert_eq!(asked.borrow().len(), 1);
    assert_eq!(answered(&chain, Stage::Contradictions), 1);
}

#[test]
fn a_subset_of_what_has_a_model_has_it_too() {
    let mut arena = Arena::new();
    let config = Config { recent_models: 0, ..Config::default() };
    let (mut chain, asked) = watched(config);
    let [a, b] = variables(&mut arena, 2, 4)[..] else { unreachable!() };
    let below = arena.compare(Op::UnsignedLess, a, b);
    let not_small = less(&mut arena, a, 9);
    let not_small = arena.not(not_small);
    let first = chain.solve(&mut arena, &[below, not_small]);
    assert!(matches!(first, Answer::Sat(_)));
    let found = expect_sat(chain.solve(&mut arena, &[below]));
    assert!(satisfies(&arena, &found, [below]));
    assert_eq!(asked.borrow().len(), 1);
    assert_eq!(answered(&chain, Stage::SatisfiedSets), 1);
}

#[test]
fn recent_models_are_tried() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let [a, b] = variables(&mut arena, 2, 4)[..] else { unreachable!() };
    let below = arena.compare(Op::UnsignedLess, a, b);
    let nine = equals(&mut arena, a, 9);
    assert!(matches!(chain.solve(&mut arena, &[below, nine]), Answer::Sat(_)));
    let eight = arena.word(4, 8);
    let large = arena.compare(Op::UnsignedLess, eight, b);
    let found = expect_sat(chain.solve(&mut arena, &[below, large]));
    assert!(satisfies(&arena, &found, [below, large]));
    assert_eq!(asked.borrow().len(), 1);
    assert_eq!(answered(&chain, Stage::RecentModels), 1);
}

#[test]
fn groups_that_share_nothing_are_solved_one_by_one() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let all = variables(&mut arena, 12, 4);
    let constraints: Vec<Expr> = all.iter().map(|a| equals(&mut arena, *a, 7)).collect();
    let found = expect_sat(chain.solve(&mut arena, &constraints));
    assert!(satisfies(&arena, &found, constraints));
    assert!(asked.borrow().iter().all(|(constraints, _)| constraints.len() == 1));
}

#[test]
fn a_wrong_model_is_an_internal_error_with_the_query() {
    let mut arena = Arena::new();
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let wrong = |_: &mut Arena, _: &[Expr], _: &Limits| Answer::Sat(Model::default());
    let backend = Scripted { name: "liar", asked: Asked::default(), answer: wrong, doubt: None };
    let mut chain = Chain::with_backends(Config::default(), vec![Box::new(backend)]);
    assert!(matches!(chain.solve(&mut arena, &[three]), Answer::Unknown(Reason::Internal)));
    let errors = chain.take_errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].backend, "liar");
    assert!(errors[0].query.contains("(assert (= "), "{}", errors[0].query);
    assert!(chain.take_errors().is_empty());
    assert_eq!(chain.statistics().backends[0].wrong, 1);
}

#[test]
fn a_wrong_model_of_one_backend_leaves_the_question_to_the_next() {
    let mut arena = Arena::new();
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let wrong = |_: &mut Arena, _: &[Expr], _: &Limits| Answer::Sat(Model::default());
    let liar = Scripted { name: "liar", asked: Asked::default(), answer: wrong, doubt: None };
    let mut chain = Chain::with_backends(Config::default(), vec![Box::new(liar), Box::new(BruteForce::default())]);
    assert!(matches!(chain.solve(&mut arena, &[three]), Answer::Sat(_)));
    assert_eq!(chain.take_errors().len(), 1);
}

#[test]
fn a_doubted_model_is_unknown_and_no_error() {
    let mut arena = Arena::new();
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let wrong = |_: &mut Arena, _: &[Expr], _: &Limits| Answer::Sat(Model::default());
    let backend = Scripted { name: "floats", asked: Asked::default(), answer: wrong, doubt: Some(Reason::NanBits) };
    let mut chain = Chain::with_backends(Config::default(), vec![Box::new(backend)]);
    assert!(matches!(chain.solve(&mut arena, &[three]), Answer::Unknown(Reason::NanBits)));
    assert!(chain.take_errors().is_empty());
}

#[test]
fn little_effort_first_then_all_of_it_from_the_last_backend_on() {
    let mut arena = Arena::new();
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let order = Rc::new(RefCell::new(Vec::new()));
    let backend = |name: &'static str, reason: Reason| {
        let order = order.clone();
        let answer = move |_: &mut Arena, _: &[Expr], limits: &Limits| {
            order.borrow_mut().push((name, limits.effort));
            Answer::Unknown(reason)
        };
        Box::new(Scripted { name, asked: Asked::default(), answer, doubt: None })
    };
    let config = Config { quick_effort: 10, ..Config::default() };
    let backends: Vec<Box<dyn Backend>> =
        vec![backend("first", Reason::Limit), backend("unable", Reason::Inexpressible), backend("last", Reason::Limit)];
    let mut chain = Chain::with_backends(config, backends);
    let limits = Limits { effort: 1_000, ..Limits::default() };
    assert!(matches!(chain.solve_with(&mut arena, &[three], &limits), Answer::Unknown(Reason::Limit)));
    assert_eq!(*order.borrow(), [("first", 10), ("unable", 10), ("last", 10), ("last", 1_000), ("first", 1_000)]);
    // With no more effort nobody is asked again; with more, all who could need it.
    assert!(matches!(chain.solve_with(&mut arena, &[three], &limits), Answer::Unknown(Reason::Limit)));
    assert_eq!(order.borrow().len(), 5);
    let limits = Limits { effort: 2_000, ..limits };
    assert!(matches!(chain.solve_with(&mut arena, &[three], &limits), Answer::Unknown(Reason::Limit)));
    assert_eq!(order.borrow().len(), 10);
}

#[test]
fn whoever_wants_to_stop_is_heard_and_not_remembered() {
    let mut arena = Arena::new();
    let (mut chain, asked) = watched(Config::default());
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let limits = Limits::default();
    limits.interrupt.store(true, Ordering::Relaxed);
    assert!(matches!(chain.solve_with(&mut arena, &[three], &limits), Answer::Unknown(Reason::Interrupted)));
    assert!(asked.borrow().is_empty());
    limits.interrupt.store(false, Ordering::Relaxed);
    assert!(matches!(chain.solve_with(&mut arena, &[three], &limits), Answer::Sat(_)));
}

#[test]
fn numbers_that_are_used_anew_mean_nothing_of_the_old() {
    let mut arena = Arena::new();
    let (mut chain, _) = watched(Config::default());
    let [a, b] = variables(&mut arena, 2, 4)[..] else { unreachable!() };
    let below = arena.compare(Op::UnsignedLess, a, b);
    let none = less(&mut arena, b, 1);
    assert!(matches!(chain.solve(&mut arena, &[below, none]), Answer::Unsat));
    // The same numbers now belong to other constraints.
    arena.collect([a, b]);
    let nine = equals(&mut arena, a, 9);
    let two = equals(&mut arena, b, 2);
    let found = expect_sat(chain.solve(&mut arena, &[nine, two]));
    assert!(satisfies(&arena, &found, [nine, two]));
}

#[test]
fn queries_for_backends_are_logged() {
    let mut arena = Arena::new();
    let (mut chain, _) = watched(Config::default());
    let logged = Rc::new(RefCell::new(Vec::new()));
    let log = logged.clone();
    chain.set_log(Some(Box::new(move |query| log.borrow_mut().push(query.clone()))));
    let a = variable(&mut arena, 0, 4);
    let three = equals(&mut arena, a, 3);
    let small = less(&mut arena, a, 3);
    chain.solve(&mut arena, &[three]);
    chain.solve(&mut arena, &[three]);
    chain.solve(&mut arena, &[three, small]);
    let logged = logged.borrow();
    let said: Vec<(u64, &str)> = logged.iter().map(|query| (query.number, query.verdict)).collect();
    assert_eq!(said, [(1, "sat"), (2, "unsat")]);
    assert!(logged[1].text.contains("(set-info :status unsat)"));
}

#[test]
fn branches_are_evaluated_under_the_model() {
    let mut arena = Arena::new();
    let (mut chain, _) = watched(Config::default());
    let a = variable(&mut arena, 0, 4);
    let own = model(&arena, &[(a, 6)]);
    let twice = arena.binary(Op::Add, a, a);
    assert_eq!(chain.evaluate(&arena, &own, twice), Bits::from_u64(4, 12));
}
