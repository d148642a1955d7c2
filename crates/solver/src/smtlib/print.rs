//! Constraints as SMT-LIB text that any solver reads. Floats are in `print/float.rs`.
//!
//! A node that is used more than once, or whose text grows long, becomes a definition of its own, so the text is never
//! longer than a multiple of the DAG. What SMT-LIB cannot say is left open: calls and `fmod` are functions without a
//! body, the bits of a NaN and some conversions that do not fit are fresh constants. The text then has more models than
//! the constraints, and its `unsat` holds for them too. A `Script` that knows the functions reads the calls, and the
//! bits of floats, as what they were.

mod call;
mod float;

use std::fmt::Write;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{FunctionId, Op, VariableId};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};

use super::value;

/// A script that asks whether all constraints can hold at once.
pub fn print(arena: &Arena, constraints: &[Expr]) -> String {
    script(arena, constraints, None)
}

/// The same, with the answer to be expected.
pub fn print_with_status(arena: &Arena, constraints: &[Expr], status: &str) -> String {
    script(arena, constraints, Some(status))
}

fn script(arena: &Arena, constraints: &[Expr], status: Option<&str>) -> String {
    let mut printer = Printer::new(arena, constraints);
    for constraint in constraints {
        printer.visit(*constraint);
        let text = printer.boolean(*constraint);
        let _ = writeln!(printer.lines, "(assert {text})");
    }
    let logic = match (printer.arrays, printer.floats) {
        // Arrays that are the same everywhere belong to no logic, and Z3 takes that to the letter.
        // No more do functions beside arrays and floats.
        _ if printer.tables || printer.calls.is_used() => "ALL",
        (false, false) => "QF_BV",
        (true, false) => "QF_ABV",
        (false, true) => "QF_BVFP",
        (true, true) => "QF_ABVFP",
    };
    let status = status.map(|status| format!("(set-info :status {status})\n")).unwrap_or_default();
    let helpers = if printer.x87 { float::X87_FUNCTION } else { "" };
    format!("(set-logic {logic})\n{status}{helpers}{}(check-sat)\n", printer.lines)
}

/// Which sort the text of a node has.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Shape {
    Boolean,
    Bits,
    Float(FloatKind),
    Array,
}

struct Written {
    text: String,
    shape: Shape,
}

/// Past this many characters a node gets a name.
const LONG: usize = 100;

struct Printer<'a> {
    arena: &'a Arena,
    /// How many operands a node is.
    uses: FxHashMap<Expr, u32>,
    written: FxHashMap<Expr, Written>,
    /// The constants that stand for the bits of float results.
    patterns: FxHashMap<Expr, String>,
    calls: call::Names,
    /// Declarations, definitions and assertions so far.
    lines: String,
    arrays: bool,
    tables: bool,
    floats: bool,
    x87: bool,
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, roots: &[Expr]) -> Printer<'a> {
        let mut printer = Printer {
            arena,
            uses: FxHashMap::default(),
            written: FxHashMap::default(),
            patterns: FxHashMap::default(),
            calls: call::Names::default(),
            lines: String::new(),
            arrays: false,
            tables: false,
            floats: false,
            x87: false,
        };
        printer.count_uses(roots);
        printer
    }

    fn count_uses(&mut self, roots: &[Expr]) {
        let mut waiting = roots.to_vec();
        while let Some(expr) = waiting.pop() {
            let uses = self.uses.entry(expr).or_insert(0);
            *uses += 1;
            if *uses == 1 {
                waiting.extend(self.arena.operands(expr));
            }
        }
    }

    /// Writes a node after its operands.
    fn visit(&mut self, root: Expr) {
        let mut waiting = vec![root];
        while let Some(&expr) = waiting.last() {
            if self.written.contains_key(&expr) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let operands = self.arena.operands(expr);
            waiting.extend(operands.iter().filter(|operand| !self.written.contains_key(operand)));
            if waiting.len() == before {
                let written = self.write(expr);
                let written = self.named(expr, written);
                self.written.insert(expr, written);
                waiting.pop();
            }
        }
    }

    /// Makes a definition of what is long or shared.
    fn named(&mut self, expr: Expr, written: Written) -> Written {
        let leaf = !written.text.starts_with('(') || matches!(self.arena.node(expr).op, Op::Constant);
        let shared = self.uses.get(&expr).is_some_and(|uses| *uses > 1);
        if leaf || (!shared && written.text.len() <= LONG) {
            return written;
        }
        let sort = self.sort(expr, written.shape);
        let name = expr.to_string();
        let _ = writeln!(self.lines, "(define-fun {name} () {sort} {})", written.text);
        Written { text: name, shape: written.shape }
    }

    fn sort(&self, expr: Expr, shape: Shape) -> String {
        let width = self.arena.width(expr);
        match shape {
            Shape::Boolean => "Bool".to_owned(),
            Shape::Bits => value::bits_sort(width),
            Shape::Float(kind) => value::float_sort(kind),
            Shape::Array => value::array_sort(self.arena.index_width(expr), width),
        }
    }

    fn shape(&self, expr: Expr) -> Shape {
        self.written.get(&expr).map_or(Shape::Bits, |written| written.shape)
    }

    fn text(&self, expr: Expr) -> String {
        self.written.get(&expr).map_or_else(String::new, |written| written.text.clone())
    }

    /// As a Boolean.
    fn boolean(&mut self, expr: Expr) -> String {
        match (self.arena.as_word(expr), self.shape(expr)) {
            (Some(word), _) => if word == 1 { "true" } else { "false" }.to_owned(),
            (None, Shape::Boolean) => self.text(expr),
            _ => format!("(= {} #b1)", self.bits(expr)),
        }
    }

    /// As a bit-vector.
    fn bits(&mut self, expr: Expr) -> String {
        match self.shape(expr) {
            Shape::Boolean => format!("(ite {} #b1 #b0)", self.text(expr)),
            Shape::Float(kind) => self.pattern(expr, kind),
            Shape::Bits | Shape::Array => self.text(expr),
        }
    }

    fn all_bits(&mut self, operands: &[Expr]) -> String {
        let texts: Vec<String> = operands.iter().map(|operand| self.bits(*operand)).collect();
        texts.join(" ")
    }

    /// Declares a constant and returns its name.
    fn fresh(&mut self, name: String, sort: &str, why: &str) -> String {
        let _ = writeln!(self.lines, "(declare-const {name} {sort}) ; {why}");
        name
    }

    fn write(&mut self, expr: Expr) -> Written {
        let arena = self.arena;
        let node = arena.node(expr);
        let operands = arena.operands(expr);
        let bits = |text: String| Written { text, shape: Shape::Bits };
        match node.op {
            Op::Constant => bits(arena.as_constant(expr).map(|constant| value::literal(&constant)).unwrap_or_default()),
            Op::Variable | Op::ArrayVariable => self.write_variable(expr),
            Op::Not | Op::And | Op::Or | Op::Xor => self.write_logic(node.op, node.width, &operands),
            Op::Equal => self.write_equal(&operands),
            Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
                let text = format!("({} {})", operator(node.op), self.all_bits(&operands));
                Written { text, shape: Shape::Boolean }
            }
            Op::Ite => self.write_ite(&operands),
            Op::Extract => {
                let (low, high) = (node.b, node.b + node.width - 1);
                bits(format!("((_ extract {high} {low}) {})", self.bits(node.first())))
            }
            Op::ZeroExtend | Op::SignExtend => {
                let more = node.width - arena.width(node.first());
                bits(format!("((_ {} {more}) {})", operator(node.op), self.bits(node.first())))
            }
            Op::Table => self.write_table(expr, &operands),
            Op::Store | Op::ArrayIte => {
                let first = if node.op == Op::Store { self.text(operands[0]) } else { self.boolean(operands[0]) };
                let rest = self.all_bits(&operands[1..]);
                Written { text: format!("({} {first} {rest})", operator(node.op)), shape: Shape::Array }
            }
            Op::Float(operation, kind, rounding) => self.write_float(expr, operation, kind, rounding, &operands),
            Op::FloatConvert(from, to, rounding) => self.write_conversion(from, to, rounding, operands[0]),
            Op::Call => self.write_call(expr, FunctionId::from_u32(node.a), &operands),
            op => bits(format!("({} {})", operator(op), self.all_bits(&operands))),
        }
    }

    fn write_variable(&mut self, expr: Expr) -> Written {
        let node = self.arena.node(expr);
        let id = VariableId::from_u32(node.a);
        let variable = self.arena.variables()[id];
        let shape = if node.op == Op::ArrayVariable { Shape::Array } else { Shape::Bits };
        self.arrays |= shape == Shape::Array;
        let sort = self.sort(expr, shape);
        let origin = format!("input {}, byte {}", variable.input, variable.offset);
        Written { text: self.fresh(id.to_string(), &sort, &origin), shape }
    }

    /// Bitwise operations. Those of one bit stay Booleans where an operand is one.
    fn write_logic(&mut self, op: Op, width: u32, operands: &[Expr]) -> Written {
        if width == 1 && operands.iter().any(|operand| self.shape(*operand) == Shape::Boolean) {
            let name = match op {
                Op::Not => "not",
                Op::And => "and",
                Op::Or => "or",
                _ => "xor",
            };
            let texts: Vec<String> = operands.iter().map(|operand| self.boolean(*operand)).collect();
            return Written { text: format!("({name} {})", texts.join(" ")), shape: Shape::Boolean };
        }
        Written { text: format!("({} {})", operator(op), self.all_bits(operands)), shape: Shape::Bits }
    }

    fn write_equal(&mut self, operands: &[Expr]) -> Written {
        let boolean = operands.iter().any(|operand| self.shape(*operand) == Shape::Boolean);
        let texts: Vec<String> =
            operands.iter().map(|operand| if boolean { self.boolean(*operand) } else { self.bits(*operand) }).collect();
        Written { text: format!("(= {})", texts.join(" ")), shape: Shape::Boolean }
    }

    fn write_ite(&mut self, operands: &[Expr]) -> Written {
        let condition = self.boolean(operands[0]);
        let (a, b) = (operands[1], operands[2]);
        let (text, shape) = match (self.shape(a), self.shape(b)) {
            (Shape::Boolean, _) | (_, Shape::Boolean) => {
                (format!("(ite {condition} {} {})", self.boolean(a), self.boolean(b)), Shape::Boolean)
            }
            // Only where both are floats already: the bits of a NaN must not get lost.
            (Shape::Float(kind), Shape::Float(other)) if kind == other => {
                (format!("(ite {condition} {} {})", self.text(a), self.text(b)), Shape::Float(kind))
            }
            _ => (format!("(ite {condition} {} {})", self.bits(a), self.bits(b)), Shape::Bits),
        };
        Written { text, shape }
    }

    /// A constant array with stores, a few in each definition.
    fn write_table(&mut self, expr: Expr, elements: &[Expr]) -> Written {
        self.tables = true;
        let (index_width, width) = (self.arena.index_width(expr), self.arena.width(expr));
        let sort = value::array_sort(index_width, width);
        let mut text = format!("((as const {sort}) {})", value::literal(&Bits::zero(width)));
        for (at, element) in elements.iter().enumerate() {
            let index = value::literal(&Bits::from_u64(index_width, at as u64));
            text = format!("(store {text} {index} {})", self.bits(*element));
            if text.len() > LONG {
                let name = format!("{expr}_{at}");
                let _ = writeln!(self.lines, "(define-fun {name} () {sort} {text})");
                text = name;
            }
        }
        Written { text, shape: Shape::Array }
    }
}

/// SMT-LIB's name of an operation on bit-vectors or arrays.
fn operator(op: Op) -> &'static str {
    match op {
        Op::Not => "bvnot",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::SDiv => "bvsdiv",
        Op::URem => "bvurem",
        Op::SRem => "bvsrem",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::Equal => "=",
        Op::UnsignedLess => "bvult",
        Op::UnsignedLessEqual => "bvule",
        Op::SignedLess => "bvslt",
        Op::SignedLessEqual => "bvsle",
        Op::Ite | Op::ArrayIte => "ite",
        Op::Concat => "concat",
        Op::ZeroExtend => "zero_extend",
        Op::SignExtend => "sign_extend",
        Op::Select => "select",
        Op::Store => "store",
        // These have forms of their own, above.
        Op::Constant | Op::Variable | Op::ArrayVariable | Op::Table | Op::Extract => "",
        Op::Float(..) | Op::FloatConvert(..) | Op::Call => "",
    }
}
