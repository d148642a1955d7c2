//! Tapes against the evaluator of expressions, and compiled tapes against interpreted ones, on random systems.

mod generator;
mod random;
mod systematic;

use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_expr::dag::{Evaluator, Model, post_order};
use symcrete_tape::{Compiled, Interpreter, Machine, Metric, NotCompilable, Tape, points_before_compiling};

use generator::{Kinds, System, system};
use random::Random;

const MOST: usize = 100_000;
const EVERYTHING: Kinds = Kinds { everything: true, arrays: true, calls: true, rules: false };
const COMPILABLE: Kinds = Kinds { everything: false, ..EVERYTHING };

fn tape(system: &System, metric: Metric) -> Tape {
    Tape::new(&system.arena, &system.constraints, metric, MOST).expect("no array is unknown and no element wide")
}

fn metric(round: u64) -> Metric {
    if round.is_multiple_of(2) { Metric::Steps } else { Metric::Difference }
}

/// A point with the model that says the same.
fn point(random: &mut Random, tape: &Tape) -> (Vec<u64>, Rc<Model>) {
    let mut words = vec![0; tape.words()];
    let mut model = Model::default();
    for input in tape.inputs() {
        let bits = random.bits(input.width);
        words[input.words()].copy_from_slice(bits.limbs());
        model.set(input.variable, bits);
    }
    (words, Rc::new(model))
}

/// Every slot has the value that the evaluator gives, and a score is zero exactly if its constraint holds.
fn check_interpreter(system: &System, tape: &Tape, random: &mut Random) {
    let parts = post_order(&system.arena, system.constraints.iter().copied(), &mut EntitySet::new());
    let mut interpreter = Interpreter::new(tape);
    for _ in 0..5 {
        let (words, model) = point(random, tape);
        let mut evaluator = Evaluator::new(model);
        interpreter.run(tape, &words);
        for part in &parts {
            let Some(slot) = tape.slot(*part) else { continue };
            let expected = evaluator.value(&system.arena, *part);
            assert_eq!(interpreter.bits(slot, expected.width()), expected, "{}", system.arena.display(*part));
        }
        for (constraint, output) in system.constraints.iter().zip(tape.outputs()) {
            let (score, holds) = (interpreter.double(output.score), evaluator.holds(&system.arena, *constraint));
            assert!(score >= 0.0 && score.is_finite(), "{score}: {}", system.arena.display(*constraint));
            assert_eq!(score == 0.0, holds, "{score}: {}", system.arena.display(*constraint));
        }
    }
}

/// What a machine says of several points.
struct Said {
    scores: Vec<f64>,
    gaps: Vec<f64>,
}

impl Said {
    fn new(tape: &Tape, rows: usize, run: impl FnOnce(&mut [f64], &mut [f64])) -> Said {
        let mut said =
            Said { scores: vec![-1.0; rows * tape.constraints()], gaps: vec![-1.0; rows * tape.constraints()] };
        run(&mut said.scores, &mut said.gaps);
        said
    }

    /// Bits, with one NaN for all.
    fn bits(&self) -> Vec<u64> {
        let canonical = |number: &f64| if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
        self.scores.iter().chain(&self.gaps).map(canonical).collect()
    }
}

fn check_compiled(system: &System, tape: &Tape, compiled: &mut Compiled, random: &mut Random) {
    const ROWS: usize = 24;
    let points: Vec<u64> = (0..ROWS).flat_map(|_| point(random, tape).0).collect();
    let mut interpreter = Interpreter::new(tape);
    let expected = Said::new(tape, ROWS, |scores, gaps| interpreter.run_rows(tape, &points, ROWS, scores, gaps));
    let said = Said::new(tape, ROWS, |scores, gaps| compiled.run(&points, ROWS, scores, gaps));
    if said.bits() != expected.bits() {
        let texts: Vec<String> = system.constraints.iter().map(|c| system.arena.display(*c).to_string()).collect();
        panic!(
            "compiled {:?} {:?}\ninterpreted {:?} {:?}\n{}",
            said.scores,
            said.gaps,
            expected.scores,
            expected.gaps,
            texts.join("\n")
        );
    }
}

#[test]
fn interpreted_values_are_those_of_the_evaluator() {
    let mut random = Random::new(1);
    for round in 0..6_000 {
        let kinds = Kinds { everything: round % 3 != 0, rules: round % 5 == 0, ..EVERYTHING };
        let system = system(&mut random, kinds, 5 + round as usize % 40);
        check_interpreter(&system, &tape(&system, metric(round)), &mut random);
    }
}

#[test]
fn compiled_scores_are_the_interpreted_ones() {
    let mut random = Random::new(2);
    for round in 0..3_000 {
        let kinds = Kinds { rules: round % 5 == 0, calls: round % 3 == 0, ..COMPILABLE };
        let system = system(&mut random, kinds, 3 + round as usize % 40);
        let tape = tape(&system, metric(round));
        let mut compiled = Compiled::new(&tape).expect("all of it can be compiled");
        check_compiled(&system, &tape, &mut compiled, &mut random);
    }
}

/// One operation between the inputs and the comparison: nothing is diluted.
#[test]
fn small_systems() {
    let mut random = Random::new(3);
    for round in 0..3_000 {
        let system = system(&mut random, COMPILABLE, 1);
        let tape = tape(&system, metric(round));
        let mut compiled = Compiled::new(&tape).expect("all of it can be compiled");
        check_compiled(&system, &tape, &mut compiled, &mut random);
    }
}

#[test]
fn what_is_not_compiled_is_refused() {
    let mut random = Random::new(4);
    let mut refused = [0; 2];
    for round in 0..1_000 {
        let system = system(&mut random, EVERYTHING, 10);
        let tape = tape(&system, metric(round));
        match Compiled::new(&tape) {
            Ok(mut compiled) => check_compiled(&system, &tape, &mut compiled, &mut random),
            Err(NotCompilable::Wide) => refused[0] += 1,
            Err(NotCompilable::Float) => refused[1] += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(refused.iter().all(|count| *count > 20), "{refused:?}");
}

/// A machine says the same before and after it compiles.
#[test]
fn machines_compile_when_it_pays() {
    let mut random = Random::new(5);
    for (kinds, compiles) in [(COMPILABLE, true), (EVERYTHING, false)] {
        let system = system(&mut random, kinds, 60);
        let rows = 50;
        let reference = tape(&system, Metric::Steps);
        assert!(compiles || Compiled::new(&reference).is_err());
        let points: Vec<u64> = (0..rows).flat_map(|_| point(&mut random, &reference).0).collect();
        let mut machine = Machine::new(Rc::new(tape(&system, Metric::Steps)));
        let mut run = || {
            let said = Said::new(&reference, rows, |scores, gaps| machine.run(&points, rows, scores, gaps)).bits();
            (said, machine.is_compiled())
        };
        let (first, compiled) = run();
        assert!(!compiled);
        for _ in 0..=points_before_compiling(&reference) / rows as u64 {
            assert_eq!(run().0, first);
        }
        assert_eq!(run(), (first, compiles));
    }
}

#[test]
fn no_rows_are_no_work() {
    let mut random = Random::new(6);
    let system = system(&mut random, COMPILABLE, 10);
    let tape = tape(&system, Metric::Steps);
    Compiled::new(&tape).expect("all of it can be compiled").run(&[], 0, &mut [], &mut []);
}

/// A sum of terms that all wait on the stack, on the smallest stack that anybody has.
#[test]
fn long_tapes_fit_the_stack() {
    use symcrete_expr::Arena;
    use symcrete_expr::dag::{FloatOperation, Op, Rounding, Variable};
    let run = || {
        let mut arena = Arena::without_rules();
        let kind = symcrete_expr::FloatKind::Double;
        let float =
            |arena: &mut Arena, operation, a, b| arena.float(operation, kind, Rounding::NearestEven, 64, &[a, b]);
        let mut terms = vec![arena.variable(Variable { input: 0, offset: 0, width: 64, index_width: 0 })];
        for _ in 0..9_000 {
            let next = float(&mut arena, FloatOperation::Mul, terms[terms.len() - 1], terms[0]);
            terms.push(next);
        }
        let first = terms[0];
        let sum = terms.iter().rev().fold(first, |sum, term| float(&mut arena, FloatOperation::Add, sum, *term));
        let constraint = arena.compare(Op::Equal, sum, first);
        let system = System { arena, constraints: vec![constraint] };
        let tape = tape(&system, Metric::Steps);
        let mut compiled = Compiled::new(&tape).expect("all of it can be compiled");
        check_compiled(&system, &tape, &mut compiled, &mut Random::new(7));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("a thread").join().expect("enough stack");
}
