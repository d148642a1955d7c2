//! What `Executor::run` comes back with, shown on programs in the text form of the `ir`: pauses, answers, forks, and the two ways
//! through an instruction.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs::File;

use symcrete_exec::posix::RealHost;
use symcrete_exec::{Config, Ended, Executor, Image, Outcome, Posix, State};
use symcrete_expr::Value;
use symcrete_ir::parse::parse;

/// An executor and a state at the entry of `@main` with these arguments.
fn start(text: &str, args: &[u64], short_forms: bool) -> (Executor, State) {
    let program = parse(&format!("target \"x86_64-pc-linux-gnu\" pointers 64\n\n{text}")).unwrap();
    symcrete_ir::verify::verify(&program).unwrap();
    let main = program.function_named("main").unwrap();
    let config = Config { short_forms, ..Config::default() };
    let image = Image::new(program, &config).unwrap();
    let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
    let host = RealHost::new(null(), null(), null(), b"/".to_vec());
    let mut executor = Executor::new(image, config, Box::new(host));
    let posix = Posix::new(&mut *executor.host, 0);
    let args = args.iter().map(|arg| Value::Word(*arg)).collect();
    let state = State::new(&executor.image, posix, main, args);
    (executor, state)
}

fn returned(outcome: Outcome) -> Vec<u64> {
    match outcome {
        Outcome::Return(values) => values.iter().map(Value::low_word).collect(),
        other => panic!("{other:?}"),
    }
}

/// Sums 1 to the argument, through memory.
const SUM: &str = "function @main(i64) -> i64 {
bb0(r0: i64):
  r1 = alloca i64 1 x 8 align 8
  store i64 0 to r1
  jump bb1(i64 1)
bb1(r2: i64):
  r3 = icmp ule i64 r2, r0
  branch r3, bb2, bb3
bb2:
  r4 = load i64 from r1
  r5 = add i64 r4, r2
  store i64 r5 to r1
  r6 = add i64 r2, i64 1
  jump bb1(r6)
bb3:
  r7 = load i64 from r1
  return r7
}
";

#[test]
fn a_budget_pauses_and_the_state_goes_on() {
    let (mut executor, mut state) = start(SUM, &[1000], true);
    let mut pauses = 0;
    let outcome = loop {
        match executor.run(&mut state, 100) {
            Outcome::Continue => pauses += 1,
            other => break other,
        }
    };
    assert_eq!(returned(outcome), [500_500]);
    assert!(pauses > 50, "{pauses} pauses");
}

#[test]
fn a_copy_of_a_state_goes_its_own_way() {
    let (mut executor, mut state) = start(SUM, &[100], true);
    assert!(matches!(executor.run(&mut state, 50), Outcome::Continue));
    let mut copy = state.clone();
    assert_eq!(returned(executor.run(&mut state, u64::MAX)), [5050]);
    // What the first one wrote to its memory is not seen by the second.
    assert_eq!(returned(executor.run(&mut copy, u64::MAX)), [5050]);
}

#[test]
fn an_undefined_condition_is_for_the_explorer_to_decide() {
    let text = "function @main() -> i32 {
bb0:
  r0 = icmp eq i32 undef i32 \"x\", i32 7
  branch r0, bb1, bb2
bb1:
  return i32 1
bb2:
  return i32 2
}
";
    for short_forms in [true, false] {
        let (mut executor, mut state) = start(text, &[], short_forms);
        let Outcome::Branch { condition, choices } = executor.run(&mut state, u64::MAX) else { panic!() };
        assert!(!condition.is_defined());
        let results: Vec<Vec<u64>> = choices
            .iter()
            .map(|choice| {
                let mut copy = state.clone();
                executor.take(&mut copy, choice.edge);
                returned(executor.run(&mut copy, u64::MAX))
            })
            .collect();
        assert_eq!(results, [[1], [2]]);
    }
}

#[test]
fn an_undefined_address_is_resolved_once() {
    let text = "global @cell size 4 align 4 = \"2a000000\"

function @main() -> i32 {
bb0:
  r0 = alloca i64 1 x 8 align 8
  r1 = load ptr from r0
  r2 = address r1 + 4 + 4 * i32 -1
  r3 = load i32 from r2
  return r3
}
";
    for short_forms in [true, false] {
        let (mut executor, mut state) = start(text, &[], short_forms);
        let Outcome::Resolve { register, value } = executor.run(&mut state, u64::MAX) else { panic!() };
        assert!(!value.is_defined());
        let cell = executor.image.global_named("cell").unwrap();
        executor.resolve(&mut state, register, cell);
        assert_eq!(returned(executor.run(&mut state, u64::MAX)), [42]);
    }
}

#[test]
fn a_small_function_that_fails_is_really_called() {
    let text = "function @main(i32, i32) -> i32 {
bb0(r0: i32, r1: i32):
  r2: i32 = call @divide(i32 r0, i32 r1)
  return r2
}

function @divide(i32, i32) -> i32 {
bb0(r0: i32, r1: i32):
  r2 = sdiv i32 r0, r1
  return r2
}
";
    let (mut executor, mut state) = start(text, &[40, 5], true);
    assert_eq!(returned(executor.run(&mut state, u64::MAX)), [8]);
    let (mut executor, mut state) = start(text, &[40, 0], true);
    let Outcome::Ended(Ended::DivisionByZero) = executor.run(&mut state, u64::MAX) else { panic!() };
    let functions: Vec<String> = state.stack(&executor.image).into_iter().map(|entry| entry.function).collect();
    assert_eq!(functions, ["divide", "main"]);
}

#[test]
fn parallel_copies_of_an_edge_swap() {
    let text = "function @main(i32) -> i64 {
bb0(r0: i32):
  jump bb1(i64 1, i64 2, i64 3, i32 0)
bb1(r1: i64, r2: i64, r3: i64, r4: i32):
  r5 = add i32 r4, i32 1
  r6 = icmp ult i32 r4, r0
  branch r6, bb1(r2, r3, r1, r5), bb2
bb2:
  r7 = mul i64 r1, i64 100
  r8 = mul i64 r2, i64 10
  r9 = add i64 r7, r8
  r10 = add i64 r9, r3
  return r10
}
";
    for (rounds, expected) in [(0, 123), (1, 231), (2, 312), (3, 123)] {
        for short_forms in [true, false] {
            let (mut executor, mut state) = start(text, &[rounds], short_forms);
            assert_eq!(returned(executor.run(&mut state, u64::MAX)), [expected]);
        }
    }
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const WIDTHS: [u32; 8] = [1, 7, 8, 16, 31, 32, 33, 64];

/// Straight-line code over two parameters of each width.
fn random_function(random: &mut Random) -> String {
    let mut values: Vec<u32> = WIDTHS.iter().chain(&WIDTHS).copied().collect();
    let params: Vec<String> = values.iter().map(|width| format!("i{width}")).collect();
    let named: Vec<String> = values.iter().enumerate().map(|(at, width)| format!("r{at}: i{width}")).collect();
    let mut text = format!("function @main({}) -> ({}) {{\nbb0({}):\n", params.join(", "), "RESULTS", named.join(", "));
    for _ in 0..30 {
        let width = random.pick(&WIDTHS);
        let of_width = |random: &mut Random, width: u32, values: &[u32]| {
            let all: Vec<usize> = (0..values.len()).filter(|at| values[*at] == width).collect();
            random.pick(&all)
        };
        let (a, b) = (of_width(random, width, &values), of_width(random, width, &values));
        let dst = values.len();
        match random.below(4) {
            0 => {
                let op = random.pick(&[
                    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
                ]);
                let _ = writeln!(text, "  r{dst} = {op} i{width} r{a}, r{b}");
                values.push(width);
            }
            1 => {
                let op = random.pick(&["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]);
                let _ = writeln!(text, "  r{dst} = icmp {op} i{width} r{a}, r{b}");
                values.push(1);
            }
            2 => {
                let to = random.pick(&WIDTHS);
                let op = match to.cmp(&width) {
                    std::cmp::Ordering::Less => "trunc",
                    std::cmp::Ordering::Greater => random.pick(&["zext", "sext"]),
                    std::cmp::Ordering::Equal => continue,
                };
                let _ = writeln!(text, "  r{dst} = {op} i{width} r{a} to i{to}");
                values.push(to);
            }
            _ => {
                let condition = of_width(random, 1, &values);
                let _ = writeln!(text, "  r{dst} = select i{width} r{condition}, r{a}, r{b}");
                values.push(width);
            }
        }
    }
    let results: Vec<String> = values.iter().map(|width| format!("i{width}")).collect();
    let registers: Vec<String> = (0..values.len()).map(|at| format!("r{at}")).collect();
    let _ = writeln!(text, "  return {}\n}}", registers.join(", "));
    text.replace("RESULTS", &results.join(", "))
}

#[test]
fn short_forms_mean_what_the_instructions_mean() {
    let mut random = Random(0x5eed);
    let special = [0, 1, 2, 31, 32, 63, 64, u64::MAX, i64::MIN as u64, i64::MAX as u64, 0x8000_0000, 0x7fff_ffff];
    let mut finished = 0;
    for _ in 0..400 {
        let text = random_function(&mut random);
        let args: Vec<u64> = WIDTHS
            .iter()
            .chain(&WIDTHS)
            .map(|width| {
                let bits = if random.below(2) == 0 { random.pick(&special) } else { random.0 };
                bits & (u64::MAX >> (64 - width))
            })
            .collect();
        let run = |short_forms| {
            let (mut executor, mut state) = start(&text, &args, short_forms);
            format!("{:?}", executor.run(&mut state, u64::MAX))
        };
        let short = run(true);
        finished += usize::from(short.starts_with("Return"));
        assert_eq!(short, run(false), "{text}");
    }
    assert!(finished > 100, "only {finished} programs came to their end");
}
