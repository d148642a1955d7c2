//! How long the bit-blaster takes for a query of the kinds that symbolic execution asks most. `cargo run --release --example
//! blast_speed` prints a table; nothing is checked here but that the numbers of paths are right.
#![allow(clippy::unwrap_used)]

use std::rc::Rc;
use std::time::{Duration, Instant};

use symcrete_expr::dag::{Evaluator, Op, Variable};
use symcrete_expr::{Arena, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::blast::Blaster;
use symcrete_solver::{Answer, Limits};

/// A path in the making: its condition and a model of it, as the executor keeps them.
struct Explorer {
    arena: Arena,
    blaster: Blaster,
    limits: Limits,
    queries: u64,
    sat: u64,
    time: Duration,
    slowest: Duration,
}

impl Explorer {
    fn new() -> Explorer {
        Explorer {
            arena: Arena::new(),
            blaster: Blaster::new(),
            limits: Limits::default(),
            queries: 0,
            sat: 0,
            time: Duration::ZERO,
            slowest: Duration::ZERO,
        }
    }

    fn variables(&mut self, count: u32, width: u32) -> Vec<Expr> {
        let variable = |offset| Variable { input: 0, offset, width, index_width: 0 };
        (0..count).map(|offset| self.arena.variable(variable(offset))).collect()
    }

    fn check(&mut self, constraints: &[Expr]) -> Option<Rc<Model>> {
        let start = Instant::now();
        let answer = self.blaster.check(&mut self.arena, constraints, &self.limits);
        let took = start.elapsed();
        self.time += took;
        self.slowest = self.slowest.max(took);
        self.queries += 1;
        match answer {
            Answer::Sat(model) => {
                self.sat += 1;
                Some(Rc::new(model))
            }
            Answer::Unsat => None,
            Answer::Unknown(reason) => panic!("{reason:?}"),
        }
    }

    /// Both sides of a branch: the model proves one for nothing, the other is asked for.
    fn branch(&mut self, path: &[Expr], model: &Rc<Model>, condition: Expr) -> Vec<(bool, Vec<Expr>, Rc<Model>)> {
        let taken = Evaluator::new(Rc::clone(model)).word(&self.arena, condition) == 1;
        let opposite = self.arena.not(condition);
        let (own, other) = if taken { (condition, opposite) } else { (opposite, condition) };
        let extended = |constraint: Expr| path.iter().copied().chain([constraint]).collect::<Vec<_>>();
        let mut sides = vec![(taken, extended(own), Rc::clone(model))];
        let other_path = extended(other);
        if let Some(model) = self.check(&other_path) {
            sides.push((!taken, other_path, model));
        }
        sides
    }

    fn report(&self, name: &str, paths: usize) {
        println!(
            "{name:<34} {paths:>6} paths {:>7} queries ({:>6} sat) {:>8.1} us/query {:>9.1} us slowest {:>8.1} ms in all  {:?}",
            self.queries,
            self.sat,
            self.time.as_secs_f64() * 1e6 / self.queries as f64,
            self.slowest.as_secs_f64() * 1e6,
            self.time.as_secs_f64() * 1e3,
            self.blaster.statistics(),
        );
    }
}

/// Sorts so many symbolic integers, every way, depth first.
fn bubble_sort(count: usize, width: u32) {
    let mut explorer = Explorer::new();
    let start = explorer.variables(count as u32, width);
    let mut stack = vec![(start, 0, 0, Vec::new(), Rc::new(Model::default()))];
    let mut paths = 0;
    while let Some((values, round, place, path, model)) = stack.pop() {
        if round + 1 >= count {
            paths += 1;
            continue;
        }
        if place + 1 + round >= count {
            stack.push((values, round + 1, 0, path, model));
            continue;
        }
        let condition = explorer.arena.compare(Op::SignedLess, values[place + 1], values[place]);
        for (swap, path, model) in explorer.branch(&path, &model, condition) {
            let mut values = values.clone();
            if swap {
                values.swap(place, place + 1);
            }
            stack.push((values, round, place + 1, path, model));
        }
    }
    assert_eq!(paths, (1..=count).product::<usize>());
    explorer.report(&format!("bubble sort of {count} x {width} bits"), paths);
}

/// Which of some words the input begins with, compared byte by byte, one word after the other.
fn keywords() {
    const WORDS: [&str; 12] =
        ["if", "else", "while", "for", "return", "break", "continue", "switch", "case", "default", "do", "double"];
    let mut explorer = Explorer::new();
    let bytes = explorer.variables(8, 8);
    let mut stack = vec![(0, 0, Vec::new(), Rc::new(Model::default()))];
    let mut paths = 0;
    while let Some((word, place, path, model)) = stack.pop() {
        if word == WORDS.len() || place == WORDS[word].len() {
            paths += 1;
            continue;
        }
        let constant = explorer.arena.word(8, u64::from(WORDS[word].as_bytes()[place]));
        let condition = explorer.arena.compare(Op::Equal, bytes[place], constant);
        for (same, path, model) in explorer.branch(&path, &model, condition) {
            stack.push(if same { (word, place + 1, path, model) } else { (word + 1, 0, path, model) });
        }
    }
    explorer.report("keywords of up to 8 bytes", paths);
}

/// Classes of characters by a table of 256 entries, as `isdigit` and its kin look them up, for so many bytes.
fn character_classes(count: usize) {
    let mut explorer = Explorer::new();
    let bytes = explorer.variables(count as u32, 8);
    let class = |byte: u8| {
        u64::from(byte.is_ascii_digit())
            | u64::from(byte.is_ascii_uppercase()) << 1
            | u64::from(byte.is_ascii_lowercase()) << 2
            | u64::from(byte.is_ascii_whitespace()) << 3
            | u64::from(byte.is_ascii_punctuation()) << 4
    };
    let elements: Vec<Expr> = (0..=255).map(|byte| explorer.arena.word(16, class(byte))).collect();
    let table = explorer.arena.table(64, 16, &elements);
    let zero = explorer.arena.word(16, 0);
    let mut stack = vec![(0, 0, Vec::new(), Rc::new(Model::default()))];
    let mut paths = 0;
    while let Some((place, bit, path, model)) = stack.pop() {
        if place == count {
            paths += 1;
            continue;
        }
        let index = explorer.arena.zero_extend(bytes[place], 64);
        let found = explorer.arena.select(table, index);
        let mask = explorer.arena.word(16, 1 << bit);
        let masked = explorer.arena.binary(Op::And, found, mask);
        let condition = explorer.arena.compare(Op::Equal, masked, zero);
        for (not, path, model) in explorer.branch(&path, &model, condition) {
            stack.push(if not && bit < 4 { (place, bit + 1, path, model) } else { (place + 1, 0, path, model) });
        }
    }
    assert_eq!(paths, 6_usize.pow(count as u32));
    explorer.report(&format!("character classes of {count} bytes"), paths);
}

/// A number of decimal digits, checked and converted as `atoi` does, then compared.
fn decimal(count: usize) {
    let mut explorer = Explorer::new();
    let bytes = explorer.variables(count as u32, 8);
    let (ten, thousand) = (explorer.arena.word(32, 10), explorer.arena.word(32, 1000));
    let (low, high) = (explorer.arena.word(8, u64::from(b'0')), explorer.arena.word(8, u64::from(b'9')));
    let zero = explorer.arena.word(32, 0);
    let mut stack = vec![(0, 0, zero, Vec::new(), Rc::new(Model::default()))];
    let mut paths = 0;
    while let Some((place, step, value, path, model)) = stack.pop() {
        let arena = &mut explorer.arena;
        let condition = match (place == count, step) {
            (true, 0) => arena.compare(Op::SignedLess, thousand, value),
            (true, _) => {
                paths += 1;
                continue;
            }
            (false, 0) => arena.compare(Op::UnsignedLessEqual, low, bytes[place]),
            (false, _) => arena.compare(Op::UnsignedLessEqual, bytes[place], high),
        };
        for (yes, path, model) in explorer.branch(&path, &model, condition) {
            let arena = &mut explorer.arena;
            stack.push(match (place == count, step, yes) {
                (false, 0, true) => (place, 1, value, path, model),
                (false, 1, true) => {
                    let digit = arena.binary(Op::Sub, bytes[place], low);
                    let digit = arena.zero_extend(digit, 32);
                    let scaled = arena.binary(Op::Mul, value, ten);
                    (place + 1, 0, arena.binary(Op::Add, scaled, digit), path, model)
                }
                _ => (count, 1, value, path, model),
            });
        }
    }
    explorer.report(&format!("decimal number of {count} digits"), paths);
}

/// Queries about one part of the input after the other, as slices by independence are: what was asked before is of no concern.
fn windows(count: u32, again: u32) {
    let mut explorer = Explorer::new();
    let bytes = explorer.variables(count + 4, 8);
    for round in 0..count * again {
        let at = (round % count) as usize;
        let arena = &mut explorer.arena;
        let low = arena.concat(bytes[at + 1], bytes[at]);
        let high = arena.concat(bytes[at + 3], bytes[at + 2]);
        let word = arena.concat(high, low);
        let mut path = Vec::new();
        for step in 0..6 {
            let arena = &mut explorer.arena;
            let constant = arena.word(32, 0x0102_0304 * (step + 1));
            let sum = arena.binary(Op::Add, word, constant);
            let rotated = arena.binary(Op::Xor, sum, word);
            let condition = arena.compare(Op::UnsignedLess, rotated, constant);
            let opposite = arena.not(condition);
            path.push(opposite);
            explorer.check(&path);
            path.pop();
            path.push(condition);
            if explorer.check(&path).is_none() {
                path.pop();
            }
        }
    }
    explorer.report(&format!("{count} windows of 4 bytes, {again} times"), 0);
}

/// One query after the other, each hard arithmetic of its own.
fn arithmetic(name: &str, make: impl Fn(&mut Arena, &[Expr], u64) -> Vec<Expr>) {
    let mut explorer = Explorer::new();
    let variables = explorer.variables(2, 32);
    let wide = {
        let variable = |offset| Variable { input: 1, offset, width: 64, index_width: 0 };
        [explorer.arena.variable(variable(0)), explorer.arena.variable(variable(8))]
    };
    let all: Vec<Expr> = variables.into_iter().chain(wide).collect();
    for round in 0..10 {
        let constraints = make(&mut explorer.arena, &all, round);
        explorer.check(&constraints);
    }
    explorer.report(name, 0);
}

const ALL: [(&str, fn()); 15] = [
    ("bubble5", || bubble_sort(5, 32)),
    ("bubble6", || bubble_sort(6, 32)),
    ("bubble6bytes", || bubble_sort(6, 8)),
    ("keywords", keywords),
    ("classes1", || character_classes(1)),
    ("classes3", || character_classes(3)),
    ("classes4", || character_classes(4)),
    ("decimal4", || decimal(4)),
    ("decimal9", || decimal(9)),
    ("windows1", || windows(50, 1)),
    ("windows5", || windows(50, 5)),
    ("divide32", divide_by_ten),
    ("divide64", divide_wide),
    ("product", product),
    ("quotient", quotient),
];

/// All of them, or those whose names contain the first argument.
fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (_, run) in ALL.iter().filter(|(name, _)| name.contains(&wanted)) {
        run();
    }
}

fn divide_by_ten() {
    arithmetic("x / 10 = c, 32 bits", |arena, variables, round| {
        let (ten, constant) = (arena.word(32, 10), arena.word(32, 123_456 * (round + 1)));
        let quotient = arena.binary(Op::UDiv, variables[0], ten);
        vec![arena.compare(Op::Equal, quotient, constant)]
    });
}

fn divide_wide() {
    arithmetic("x / 10 = c, x % 7 = 3, 64 bits", |arena, variables, round| {
        let (ten, constant) = (arena.word(64, 10), arena.word(64, 123_456_789_012 * (round + 1)));
        let quotient = arena.binary(Op::SDiv, variables[2], ten);
        let (seven, three) = (arena.word(64, 7), arena.word(64, 3));
        let rest = arena.binary(Op::SRem, variables[2], seven);
        vec![arena.compare(Op::Equal, quotient, constant), arena.compare(Op::Equal, rest, three)]
    });
}

fn product() {
    arithmetic("x * y = c, 32 bits, factors < 2^16", |arena, variables, round| {
        let product = arena.binary(Op::Mul, variables[0], variables[1]);
        let (constant, limit) = (arena.word(32, 60_000 * (50_000 + round)), arena.word(32, 1 << 16));
        vec![
            arena.compare(Op::Equal, product, constant),
            arena.compare(Op::UnsignedLess, variables[0], limit),
            arena.compare(Op::UnsignedLess, variables[1], limit),
        ]
    });
}

fn quotient() {
    arithmetic("x / y = c, 32 bits", |arena, variables, round| {
        let quotient = arena.binary(Op::UDiv, variables[0], variables[1]);
        let (constant, limit) = (arena.word(32, 1000 + round), arena.word(32, 1000));
        vec![arena.compare(Op::Equal, quotient, constant), arena.compare(Op::UnsignedLess, limit, variables[1])]
    });
}
