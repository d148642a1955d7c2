//! What is printed is read as the very expressions that it was, calls included.

use std::collections::HashMap;

use symcrete_expr::dag::{FloatOperation, FunctionId, Op, Rounding, Variable, VariableId};
use symcrete_expr::{Arena, Expr, FloatKind};
use symcrete_solver::smtlib;

use crate::functions::function;

/// Every node once, as a text by which expressions of different arenas can be compared. Nobody cares in which order the
/// operands of a sum stand.
struct Texts<'a> {
    arena: &'a Arena,
    /// What to call the variables.
    names: &'a dyn Fn(VariableId) -> String,
    numbers: HashMap<String, usize>,
    known: HashMap<Expr, usize>,
}

impl Texts<'_> {
    fn number(&mut self, expr: Expr) -> usize {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let node = self.arena.node(expr);
        let mut operands: Vec<usize> = self.arena.operands(expr).iter().map(|operand| self.number(*operand)).collect();
        if node.op.is_commutative() {
            operands.sort_unstable();
        }
        let own = match node.op {
            Op::Constant => format!("{:x}", self.arena.as_constant(expr).unwrap()),
            Op::Variable | Op::ArrayVariable => (self.names)(VariableId::from_u32(node.a)),
            Op::Call => self.arena.function(FunctionId::from_u32(node.a)).name.clone(),
            Op::Extract => node.b.to_string(),
            _ => String::new(),
        };
        let text = format!("{:?} {} {own} {operands:?}", node.op, node.width);
        let next = self.numbers.len();
        let number = *self.numbers.entry(text).or_insert(next);
        self.known.insert(expr, number);
        number
    }
}

fn assert_read_as_the_same(arena: &Arena, constraints: &[Expr]) {
    let text = smtlib::print(arena, constraints);
    let mut script = crate::script();
    let outcome = script.run(&text.replace("(check-sat)", ""), &mut |line| panic!("{line}\n{text}"));
    assert!(outcome.error.is_none());
    let (read_arena, read) = script.assertions();
    // The variables that a script declares are counted from 0.
    let declared: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("(declare-const ")?.split(' ').next()).collect();
    let read_name = |id: VariableId| declared[read_arena.variables()[id].input as usize].to_owned();
    let mut texts = Texts { arena, names: &|id| id.to_string(), numbers: HashMap::new(), known: HashMap::new() };
    let ours: Vec<usize> = constraints.iter().map(|constraint| texts.number(*constraint)).collect();
    let mut texts = Texts { arena: read_arena, names: &read_name, numbers: texts.numbers, known: HashMap::new() };
    let theirs: Vec<usize> = read.iter().map(|constraint| texts.number(*constraint)).collect();
    assert_eq!(ours, theirs, "{text}");
}

fn variable(arena: &mut Arena, input: u32, width: u32) -> Expr {
    arena.variable(Variable { input, offset: 4, width, index_width: 0 })
}

fn double(arena: &mut Arena, operation: FloatOperation, operands: &[Expr]) -> Expr {
    let width = if operation.is_comparison() { 1 } else { 64 };
    arena.float(operation, FloatKind::Double, Rounding::NearestEven, width, operands)
}

#[test]
fn calls_on_floats_and_bits_are_read_as_calls() {
    use FloatOperation::*;
    let mut arena = Arena::new();
    let (x, y) = (variable(&mut arena, 3, 64), variable(&mut arena, 1, 64));
    let pow = arena.add_function(function("pow"));
    let parts = arena.add_function(function("parts.1"));
    let opaque = arena.add_function(function("opaque"));
    let product = double(&mut arena, Mul, &[x, y]);
    let power = arena.call(pow, 64, &[product, y]);
    let part = arena.call(parts, 64, &[power]);
    let sum = double(&mut arena, Add, &[part, power]);
    let mut constraints = vec![double(&mut arena, Less, &[x, sum]), double(&mut arena, Equal, &[part, power])];
    // The same function on other widths, on the bits of a float, on an integer that was a float.
    let narrow = arena.extract(sum, 12, 20);
    let integer = arena.float(ToSigned, FloatKind::Double, Rounding::Zero, 32, &[sum]);
    let unsigned = arena.float(ToUnsigned, FloatKind::Double, Rounding::Zero, 16, &[power]);
    for arguments in [&[narrow, integer][..], &[unsigned], &[sum, x]] {
        let hash = arena.call(opaque, 32, arguments);
        let small = arena.word(32, 1000);
        constraints.push(arena.compare(Op::UnsignedLess, hash, small));
    }
    let remainder = double(&mut arena, Rem, &[sum, x]);
    let remainder = arena.call(pow, 64, &[remainder, product]);
    constraints.push(double(&mut arena, LessEqual, &[remainder, y]));
    assert_read_as_the_same(&arena, &constraints);
}

#[test]
fn names_that_mean_something_else_are_told_apart() {
    let mut arena = Arena::new();
    let x = variable(&mut arena, 0, 64);
    let mut constraints = Vec::new();
    for (name, argument) in [("opaque", x), ("opaque", arena.extract(x, 0, 32)), ("parts.0", x), ("fabs", x)] {
        let function = arena.add_function(function(name));
        let called = arena.call(function, arena.width(argument), &[argument]);
        constraints.push(arena.compare(Op::SignedLess, called, argument));
    }
    assert_read_as_the_same(&arena, &constraints);
    let text = smtlib::print(&arena, &constraints);
    assert!(text.contains("(declare-fun opaque ") && text.contains("(declare-fun |opaque(2)| "), "{text}");
    // A symbol of the standard is none for a function.
    let select = arena.add_function(function("select"));
    let called = arena.call(select, 64, &[x]);
    let constraint = arena.compare(Op::SignedLess, called, x);
    let text = smtlib::print(&arena, &[constraint]);
    assert!(text.contains("(declare-fun |select(2)| "), "{text}");
}
