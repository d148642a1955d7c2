//! Expressions as SMT-LIB, and a solver that says whether two are equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use cranelift_entity::EntitySet;
use symcrete_expr::dag::{Arena, Expr, FloatOperation, Op, Rounding, VariableId, post_order};
use symcrete_expr::{Bits, FloatKind};

/// Questions for the solver, each a script of its own between `push` and `pop`.
#[derive(Default)]
pub struct Proofs {
    scripts: BTreeMap<String, String>,
}

impl Proofs {
    /// Wants a proof that the two never differ. The same question is asked once.
    pub fn equal(&mut self, name: &str, first: (&Arena, Expr), second: (&Arena, Expr)) {
        let mut printer = Printer::default();
        let a = printer.print(first.0, first.1, "a");
        let b = printer.print(second.0, second.1, "b");
        if a == b {
            return;
        }
        let mut script = String::new();
        for declaration in &printer.declarations {
            writeln!(script, "{declaration}").unwrap();
        }
        for definition in &printer.definitions {
            writeln!(script, "{definition}").unwrap();
        }
        writeln!(script, "(assert (not (= {a} {b})))").unwrap();
        self.scripts.entry(script).or_insert_with(|| name.to_string());
    }

    pub fn len(&self) -> usize {
        self.scripts.len()
    }

    /// Asks the solver everything; panics where it does not say that there is no difference.
    pub fn run(&self) {
        // Bit-blasting, in one go for each question.
        self.run_with("qfaufbv");
    }

    /// The same by another of the solver's tactics.
    pub fn run_with(&self, tactic: &str) {
        let mut solver =
            Command::new("z3").args(["-in"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect(
                "the rules are proved by the SMT solver `z3`, which is not installed (Debian: apt-get install z3)",
            );
        let mut input = solver.stdin.take().unwrap();
        let text: String = self
            .scripts
            .keys()
            .map(|script| format!("(push)\n{script}(check-sat-using (try-for {tactic} 5000))\n(pop)\n"))
            .collect();
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).and_then(|()| input.flush()));
        let answers: Vec<String> =
            BufReader::new(solver.stdout.take().unwrap()).lines().map(|line| line.unwrap()).collect();
        writer.join().unwrap().expect("the solver reads all questions");
        solver.wait().unwrap();
        let failed: Vec<String> = std::iter::zip(&self.scripts, &answers)
            .filter(|(_, answer)| *answer != "unsat")
            .map(|((script, name), answer)| format!("{name} is not proved ({answer}):\n{script}"))
            .collect();
        assert!(failed.is_empty(), "{} of {} questions\n{}", failed.len(), self.len(), failed.join("\n"));
        assert_eq!(answers.len(), self.scripts.len(), "the solver stopped early");
    }
}

#[derive(Default)]
struct Printer {
    declarations: BTreeSet<String>,
    definitions: Vec<String>,
}

impl Printer {
    /// Defines every part; returns what to call the whole.
    fn print(&mut self, arena: &Arena, expr: Expr, prefix: &str) -> String {
        let name = |expr: Expr| match arena.node(expr).op {
            Op::Constant => constant(&arena.as_constant(expr).unwrap()),
            Op::Variable | Op::ArrayVariable => {
                let variable = arena.variables()[VariableId::from_u32(arena.node(expr).a)];
                format!("v{}_{}_{}", variable.input, variable.width, variable.index_width)
            }
            _ => format!("{prefix}{}", expr.as_u32()),
        };
        for part in post_order(arena, [expr], &mut EntitySet::new()) {
            let node = arena.node(part);
            let operands: Vec<String> = arena.operands(part).iter().map(|operand| name(*operand)).collect();
            match node.op {
                Op::Constant => {}
                Op::Variable | Op::ArrayVariable => {
                    self.declarations.insert(format!("(declare-const {} {})", name(part), sort(arena, part)));
                }
                Op::Float(..) | Op::FloatConvert(..) if node.width > 1 => {
                    // There is no function from floats to bits: name the bits of which this is the float.
                    self.definitions.push(format!("(declare-const {} {})", name(part), sort(arena, part)));
                    let (kind, value) = float(arena, part, &operands);
                    self.definitions.push(format!("(assert (= {} {value}))", to_fp(kind, &name(part))));
                }
                _ => {
                    let text = term(arena, part, &operands);
                    self.definitions.push(format!("(define-fun {} () {} {text})", name(part), sort(arena, part)));
                }
            }
        }
        name(expr)
    }
}

fn sort(arena: &Arena, expr: Expr) -> String {
    let element = format!("(_ BitVec {})", arena.width(expr));
    match arena.is_array(expr) {
        true => format!("(Array (_ BitVec {}) {element})", arena.index_width(expr)),
        false => element,
    }
}

fn constant(bits: &Bits) -> String {
    let digits: String = (0..bits.width()).rev().map(|bit| if bits.bit(bit) { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

fn term(arena: &Arena, expr: Expr, operands: &[String]) -> String {
    let node = arena.node(expr);
    let all = operands.join(" ");
    let boolean = |text: String| format!("(ite {text} #b1 #b0)");
    match node.op {
        Op::Not => format!("(bvnot {all})"),
        Op::And => format!("(bvand {all})"),
        Op::Or => format!("(bvor {all})"),
        Op::Xor => format!("(bvxor {all})"),
        Op::Add => format!("(bvadd {all})"),
        Op::Sub => format!("(bvsub {all})"),
        Op::Mul => format!("(bvmul {all})"),
        Op::UDiv => format!("(bvudiv {all})"),
        Op::SDiv => format!("(bvsdiv {all})"),
        Op::URem => format!("(bvurem {all})"),
        Op::SRem => format!("(bvsrem {all})"),
        Op::Shl => format!("(bvshl {all})"),
        Op::LShr => format!("(bvlshr {all})"),
        Op::AShr => format!("(bvashr {all})"),
        Op::Equal => boolean(format!("(= {all})")),
        Op::UnsignedLess => boolean(format!("(bvult {all})")),
        Op::UnsignedLessEqual => boolean(format!("(bvule {all})")),
        Op::SignedLess => boolean(format!("(bvslt {all})")),
        Op::SignedLessEqual => boolean(format!("(bvsle {all})")),
        Op::Ite | Op::ArrayIte => format!("(ite (= {} #b1) {} {})", operands[0], operands[1], operands[2]),
        Op::Concat => format!("(concat {all})"),
        Op::Extract => format!("((_ extract {} {}) {all})", node.b + node.width - 1, node.b),
        Op::ZeroExtend => format!("((_ zero_extend {}) {all})", node.width - arena.width(node.first())),
        Op::SignExtend => format!("((_ sign_extend {}) {all})", node.width - arena.width(node.first())),
        Op::Select => format!("(select {all})"),
        Op::Store => format!("(store {all})"),
        Op::Table => {
            let zero = constant(&Bits::zero(node.width));
            let empty = format!("((as const {}) {zero})", sort(arena, expr));
            operands.iter().enumerate().fold(empty, |array, (at, element)| {
                let index = constant(&Bits::from_u64(arena.index_width(expr), at as u64));
                format!("(store {array} {index} {element})")
            })
        }
        Op::Float(..) => boolean(float(arena, expr, operands).1),
        other => unreachable!("{other:?} is not printed"),
    }
}

fn fp_sort(kind: FloatKind) -> (u32, u32) {
    assert!(!kind.stores_leading_bit());
    (kind.bits() - kind.precision(), kind.precision())
}

fn to_fp(kind: FloatKind, bits: &str) -> String {
    let (exponent, significand) = fp_sort(kind);
    format!("((_ to_fp {exponent} {significand}) {bits})")
}

/// The kind of the result, and the result as a float or, of a comparison, a boolean.
fn float(arena: &Arena, expr: Expr, operands: &[String]) -> (FloatKind, String) {
    let (operation, kind, rounding) = match arena.node(expr).op {
        Op::Float(operation, kind, rounding) => (operation, kind, rounding),
        other => unreachable!("{other:?} is not printed"),
    };
    let mode = match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    };
    let (exponent, significand) = fp_sort(kind);
    let floats: Vec<String> = operands.iter().map(|operand| to_fp(kind, operand)).collect();
    let text = match operation {
        FloatOperation::Equal => format!("(fp.eq {} {})", floats[0], floats[1]),
        FloatOperation::Less => format!("(fp.lt {} {})", floats[0], floats[1]),
        FloatOperation::LessEqual => format!("(fp.leq {} {})", floats[0], floats[1]),
        FloatOperation::FromSigned => format!("((_ to_fp {exponent} {significand}) {mode} {})", operands[0]),
        FloatOperation::FromUnsigned => format!("((_ to_fp_unsigned {exponent} {significand}) {mode} {})", operands[0]),
        other => unreachable!("{other:?} is not printed"),
    };
    (kind, text)
}
