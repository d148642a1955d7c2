//! How long it takes to score a point, interpreted and compiled, and after how many points compiling has paid:
//! `cargo run --release -p symcrete-tape --example speed`, which is part of `make bench`. The number in `machine` stems from here.
//! Fails if compiled constraints of the usual size are not faster by what the workloads ask for.

use std::hint::black_box;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use symcrete_expr::dag::{FloatOperation, Function, Native, Op, Rounding, Variable};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};
use symcrete_tape::{Compiled, Interpreter, Metric, Tape};

/// The size for which there are bounds.
const OPERATIONS: usize = 200;
const CONSTRAINTS: usize = 10;
const VARIABLES: u32 = 12;
const ROWS: usize = 256;

/// A counter, well mixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }

    fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[(self.next() % items.len() as u64) as usize]
    }
}

/// What the operations are on.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Integers,
    Doubles,
}

struct Workload {
    name: &'static str,
    sort: Sort,
    /// One operation in so many is a call of libm, if any.
    call_every: Option<usize>,
    /// How many times as fast as interpreted ones compiled constraints must be.
    bound: f64,
}

extern "C" fn sine(x: f64) -> f64 {
    x.sin()
}

extern "C" fn exponential(x: f64) -> f64 {
    x.exp()
}

extern "C" fn logarithm(x: f64) -> f64 {
    x.ln()
}

const FUNCTIONS: &[(&str, extern "C" fn(f64) -> f64)] = &[("sin", sine), ("exp", exponential), ("log", logarithm)];

/// Constraints of so many operations in all, each on a few variables and what was computed before.
fn constraints(arena: &mut Arena, workload: &Workload, operations: usize) -> Vec<Expr> {
    let mut random = Random(1);
    let width = if workload.sort == Sort::Doubles { 64 } else { 32 };
    let variable = |input| Variable { input, offset: 0, width, index_width: 0 };
    let inputs: Vec<Expr> = (0..VARIABLES).map(|input| arena.variable(variable(input))).collect();
    let mut made = 0;
    let mut constraints = Vec::new();
    for _ in 0..CONSTRAINTS {
        let mut side = random.choose(&inputs);
        // The comparison is an operation too.
        for _ in 1..operations / CONSTRAINTS {
            made += 1;
            let other = random.choose(&inputs);
            side = match workload.call_every {
                Some(every) if made % every == 0 => call(arena, &mut random, side),
                _ => operation(arena, &mut random, workload.sort, side, other),
            };
        }
        let other = random.choose(&inputs);
        constraints.push(match workload.sort {
            Sort::Integers => arena.compare(random.choose(&[Op::Equal, Op::SignedLess]), side, other),
            Sort::Doubles => {
                let comparison = random.choose(&[FloatOperation::Equal, FloatOperation::Less]);
                arena.float(comparison, FloatKind::Double, Rounding::NearestEven, 1, &[side, other])
            }
        });
    }
    constraints
}

fn operation(arena: &mut Arena, random: &mut Random, sort: Sort, a: Expr, b: Expr) -> Expr {
    match sort {
        Sort::Integers => {
            let op = random.choose(&[Op::Add, Op::Sub, Op::Mul, Op::Add, Op::Sub, Op::Mul, Op::Xor, Op::UDiv, Op::Shl]);
            arena.binary(op, a, b)
        }
        Sort::Doubles => {
            use FloatOperation::{Add, Div, Mul, Sub};
            let operation = random.choose(&[Add, Sub, Mul, Add, Sub, Mul, Div]);
            arena.float(operation, FloatKind::Double, Rounding::NearestEven, 64, &[a, b])
        }
    }
}

fn call(arena: &mut Arena, random: &mut Random, argument: Expr) -> Expr {
    let (name, function) = random.choose(FUNCTIONS);
    let evaluate = move |arguments: &[Bits], width: u32| {
        Bits::from_u64(width, function(f64::from_bits(arguments[0].low_u64())).to_bits())
    };
    let id = arena.add_function(Function { name: name.to_owned(), evaluate: Rc::new(evaluate) });
    arena.set_native(id, Native::Double1(function));
    arena.call(id, 64, &[argument])
}

/// Points near which the operations do what they usually do.
fn points(sort: Sort, words: usize) -> Vec<u64> {
    let mut random = Random(2);
    let mut word = || match sort {
        Sort::Integers => random.next() >> 48,
        Sort::Doubles => ((random.next() >> 40) as f64 / 1e6 + 0.5).to_bits(),
    };
    (0..words * ROWS).map(|_| word()).collect()
}

/// Nanoseconds that the work takes, the best of several rounds.
fn nanoseconds(rounds: u32, repeats: u32, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let began = Instant::now();
        (0..repeats).for_each(|_| work());
        began.elapsed().as_nanos() as f64 / f64::from(repeats)
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Prints a row; returns whether it is within its bound.
fn measure(workload: &Workload, operations: usize) -> bool {
    let mut arena = Arena::without_rules();
    let constraints = constraints(&mut arena, workload, operations);
    let tape = Tape::new(&arena, &constraints, Metric::Steps, usize::MAX).expect("there are no arrays");
    let points = points(workload.sort, tape.words());
    let (mut scores, mut gaps) = (vec![0.0; ROWS * CONSTRAINTS], vec![0.0; ROWS * CONSTRAINTS]);
    let mut interpreter = Interpreter::new(&tape);
    let interpreted = nanoseconds(20, 8, || interpreter.run_rows(&tape, &points, ROWS, &mut scores, &mut gaps));
    let mut compiled = Compiled::new(&tape).expect("all of it can be compiled");
    let native = nanoseconds(20, 8, || compiled.run(&points, ROWS, &mut scores, &mut gaps));
    black_box((&scores, &gaps));
    let compilation = nanoseconds(20, 5, || drop(black_box(Compiled::new(&tape))));
    let (interpreted, native) = (interpreted / ROWS as f64, native / ROWS as f64);
    let ratio = interpreted / native;
    let bound = (operations == OPERATIONS).then_some(workload.bound);
    println!(
        "{:<24} {:>10} {:>12} {:>12.0} {:>12.0} {:>7.1} {:>6} {:>12.3} {:>11.0}",
        workload.name,
        operations,
        tape.instructions().len(),
        interpreted,
        native,
        ratio,
        bound.map_or(String::new(), |bound| bound.to_string()),
        compilation / 1e6,
        compilation / (interpreted - native)
    );
    bound.is_none_or(|bound| ratio >= bound)
}

fn main() -> ExitCode {
    let workloads = [
        Workload { name: "doubles", sort: Sort::Doubles, call_every: None, bound: 7.0 },
        Workload { name: "doubles with libm", sort: Sort::Doubles, call_every: Some(10), bound: 3.0 },
        Workload { name: "integers", sort: Sort::Integers, call_every: None, bound: 7.0 },
    ];
    println!(
        "{:<24} {:>10} {:>12} {:>12} {:>12} {:>7} {:>6} {:>12} {:>11}",
        "workload",
        "operations",
        "instructions",
        "interpreted",
        "compiled",
        "ratio",
        "bound",
        "compiling",
        "break-even"
    );
    println!(
        "{:<24} {:>10} {:>12} {:>12} {:>12} {:>7} {:>6} {:>12} {:>11}",
        "", "", "", "ns", "ns", "", "", "ms", "points"
    );
    let mut is_within = true;
    for operations in [20, OPERATIONS, 2000] {
        for workload in &workloads {
            is_within &= measure(workload, operations);
        }
    }
    if !is_within {
        eprintln!("speed: out of bounds: compiled constraints are not fast enough");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
