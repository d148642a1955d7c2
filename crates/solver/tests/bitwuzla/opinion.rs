//! A second opinion: what Bitwuzla says of open float queries is what Z3 says of them, as far as that gets.

use std::io::Write;
use std::process::{Command, Stdio};

use symcrete_expr::dag::{FloatOperation, Rounding};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};
use symcrete_solver::Answer;
use symcrete_solver::backend::bitwuzla::Bitwuzla;
use symcrete_solver::smtlib;

use crate::random::Random;
use crate::{MODES, check, equals, variable};

/// `sat`, `unsat` or `unknown`; `None` without Z3.
fn z3(script: &str) -> Option<String> {
    let mut command = Command::new("z3");
    let child =
        command.args(["-in", "-T:5"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string)
}

const NEAREST: Rounding = Rounding::NearestEven;

/// Sums, products and the like of two variables and a constant.
fn number(arena: &mut Arena, random: &mut Random, kind: FloatKind, leaves: &[Expr]) -> Expr {
    let operations = [FloatOperation::Add, FloatOperation::Sub, FloatOperation::Mul, FloatOperation::RoundToIntegral];
    let mut operand = || random.pick(leaves);
    let (a, b) = (operand(), operand());
    let operation = random.pick(&operations);
    arena.float(operation, kind, NEAREST, kind.bits(), &[a, b][..operation.operands()])
}

fn relation(arena: &mut Arena, random: &mut Random, kind: FloatKind, leaves: &[Expr]) -> Expr {
    let comparisons = [FloatOperation::Less, FloatOperation::LessEqual, FloatOperation::Equal];
    let (a, b) = (number(arena, random, kind, leaves), random.pick(leaves));
    let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
    let compared = arena.float(random.pick(&comparisons), kind, NEAREST, 1, &[a, b]);
    if random.below(3) == 0 { arena.not(compared) } else { compared }
}

#[test]
fn open_float_queries() {
    let mut random = Random::new(5);
    let (mut agreed, mut refuted) = (0, 0);
    for round in 0..60 {
        let kind = [FloatKind::Half, FloatKind::BFloat, FloatKind::Single][round % 3];
        let mut arena = Arena::without_rules();
        let mut leaves: Vec<Expr> = (0..2).map(|input| variable(&mut arena, input, kind.bits())).collect();
        let constants = [kind.one(), kind.one() | kind.sign_mask(), 0, kind.largest(false), 1];
        leaves.push(arena.constant(&Bits::from_u128(kind.bits(), random.pick(&constants))));
        let constraints: Vec<Expr> = (0..3).map(|_| relation(&mut arena, &mut random, kind, &leaves)).collect();
        let mut backend = Bitwuzla::new(MODES[round % 3]);
        let word = match check(&mut backend, &mut arena, &constraints) {
            Answer::Sat(model) => {
                assert!(crate::is_satisfied(&arena, &constraints, model), "round {round}: a wrong model");
                "sat"
            }
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => panic!("round {round}: {reason:?}"),
        };
        let script = smtlib::print(&arena, &constraints);
        match z3(&script).as_deref() {
            None => {
                println!("skipped: there is no z3");
                return;
            }
            Some(opinion @ ("sat" | "unsat")) => {
                assert_eq!(opinion, word, "{script}");
                agreed += 1;
                refuted += usize::from(word == "unsat");
            }
            Some(_) => {}
        }
    }
    assert!(agreed >= 20 && refuted >= 5, "{agreed} opinions, {refuted} refutations");
}

/// Facts about floats that everyone knows, and some that are believed and false.
#[test]
fn laws() {
    for kind in [FloatKind::Half, FloatKind::BFloat, FloatKind::Single] {
        let mut arena = Arena::without_rules();
        let (x, y) = (variable(&mut arena, 0, kind.bits()), variable(&mut arena, 1, kind.bits()));
        let mut float = |operation: FloatOperation, operands: &[Expr]| {
            let width = if operation.is_comparison() { 1 } else { kind.bits() };
            arena.float(operation, kind, NEAREST, width, operands)
        };
        let (sum, turned) = (float(FloatOperation::Add, &[x, y]), float(FloatOperation::Add, &[y, x]));
        let commutes = float(FloatOperation::Equal, &[sum, turned]);
        let sum_is_number = float(FloatOperation::Equal, &[sum, sum]);
        let difference = float(FloatOperation::Sub, &[sum, y]);
        let cancels = float(FloatOperation::Equal, &[difference, x]);
        let difference_is_number = float(FloatOperation::Equal, &[difference, difference]);
        let root = float(FloatOperation::SquareRoot, &[x]);
        let zero_or_more = equals(&mut arena, root, &Bits::zero(kind.bits()));
        let negative_root = arena.float(FloatOperation::Less, kind, NEAREST, 1, &[root, x]);
        let mut not = |expr: Expr| arena.not(expr);
        let (differs, does_not_cancel, positive) = (not(commutes), not(cancels), not(zero_or_more));
        let mut backend = Bitwuzla::default();
        assert!(matches!(check(&mut backend, &mut arena, &[sum_is_number, differs]), Answer::Unsat));
        assert!(matches!(check(&mut backend, &mut arena, &[difference_is_number, does_not_cancel]), Answer::Sat(_)));
        assert!(matches!(check(&mut backend, &mut arena, &[positive, negative_root]), Answer::Sat(_)));
        let below = arena.float(FloatOperation::Less, kind, NEAREST, 1, &[x, root]);
        let one = arena.constant(&Bits::from_u128(kind.bits(), kind.one()));
        let above_one = arena.float(FloatOperation::Less, kind, NEAREST, 1, &[one, x]);
        // The root of what is more than one is less.
        if kind != FloatKind::Single {
            assert!(matches!(check(&mut backend, &mut arena, &[above_one, below]), Answer::Unsat));
        }
    }
}
