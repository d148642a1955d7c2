//! Expressions as text, for dumps and for people. Solvers get theirs from their backends.

use std::fmt::{self, Write};

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

use super::arena::{Arena, FunctionId, VariableId};
use super::node::{Expr, Op};
use super::visit::post_order;

/// Deeper parts get a name, so that lines stay readable.
const DEPTH: u32 = 12;

/// Prints an expression; parts that occur more than once are named first: `e7 = (v0 + 1:8); (e7 * e7)`.
pub struct Display<'a> {
    arena: &'a Arena,
    expr: Expr,
}

impl Arena {
    pub fn display(&self, expr: Expr) -> Display<'_> {
        Display { arena: self, expr }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arena = self.arena;
        let order = post_order(arena, [self.expr], &mut EntitySet::new());
        let mut uses: FxHashMap<Expr, u32> = FxHashMap::default();
        for expr in &order {
            arena.for_each_operand(*expr, |operand| *uses.entry(operand).or_default() += 1);
        }
        // The text of each part that has no name, taken by its only user.
        let mut texts: FxHashMap<Expr, (String, u32)> = FxHashMap::default();
        for expr in order {
            let operands: Vec<(String, u32)> = arena
                .operands(expr)
                .iter()
                .map(|operand| texts.remove(operand).unwrap_or_else(|| (leaf(arena, *operand), 0)))
                .collect();
            let depth = operands.iter().map(|(_, depth)| depth + 1).max().unwrap_or(0);
            if depth == 0 && arena.operands(expr).is_empty() && !matches!(arena.node(expr).op, Op::Table | Op::Call) {
                if expr == self.expr {
                    f.write_str(&leaf(arena, expr))?;
                }
                continue;
            }
            let names: Vec<&str> = operands.iter().map(|(text, _)| text.as_str()).collect();
            let text = inner(arena, expr, &names)?;
            if expr == self.expr {
                f.write_str(&text)?;
            } else if depth >= DEPTH || uses.get(&expr).is_some_and(|uses| *uses > 1) {
                writeln!(f, "{expr} = {text};")?;
            } else {
                texts.insert(expr, (text, depth));
            }
        }
        Ok(())
    }
}

/// A constant or a variable; the name of anything else.
fn leaf(arena: &Arena, expr: Expr) -> String {
    let node = arena.node(expr);
    match node.op {
        Op::Constant => match (arena.as_word(expr), arena.as_constant(expr)) {
            (Some(bits), _) if node.width == 1 => if bits == 1 { "true" } else { "false" }.to_string(),
            (Some(bits), _) if bits < 10 => format!("{bits}:{}", node.width),
            (_, Some(bits)) => format!("0x{bits:x}:{}", node.width),
            _ => format!("{expr}"),
        },
        Op::Variable | Op::ArrayVariable => {
            let variable = arena.variables()[VariableId::from_u32(node.a)];
            format!("i{}[{}]:{}", variable.input, variable.offset, variable.width)
        }
        _ => format!("{expr}"),
    }
}

/// The sign of an operation between two operands.
fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::UDiv => "/u",
        Op::SDiv => "/s",
        Op::URem => "%u",
        Op::SRem => "%s",
        Op::Shl => "<<",
        Op::LShr => ">>u",
        Op::AShr => ">>s",
        Op::Equal => "==",
        Op::UnsignedLess => "<u",
        Op::UnsignedLessEqual => "<=u",
        Op::SignedLess => "<s",
        Op::SignedLessEqual => "<=s",
        Op::Concat => "++",
        _ => return None,
    })
}

fn inner(arena: &Arena, expr: Expr, operands: &[&str]) -> Result<String, fmt::Error> {
    let node = arena.node(expr);
    let mut text = String::new();
    match (node.op, operands) {
        (op, [a, b]) if infix(op).is_some() => write!(text, "({a} {} {b})", infix(op).unwrap_or(""))?,
        (Op::Not, [a]) => write!(text, "!{a}")?,
        (Op::Ite | Op::ArrayIte, [condition, a, b]) => write!(text, "({condition} ? {a} : {b})")?,
        (Op::Extract, [a]) => write!(text, "{a}[{}..{}]", node.b, node.b + node.width)?,
        (Op::ZeroExtend, [a]) => write!(text, "zext({a}):{}", node.width)?,
        (Op::SignExtend, [a]) => write!(text, "sext({a}):{}", node.width)?,
        (Op::Select, [array, index]) => write!(text, "{array}[{index}]")?,
        (Op::Store, [array, index, element]) => write!(text, "{array}[{index} := {element}]")?,
        (Op::Table, _) => write!(text, "[{}]", operands.join(", "))?,
        (Op::Call, _) => {
            let name = &arena.function(FunctionId::from_u32(node.a)).name;
            write!(text, "{name}({}):{}", operands.join(", "), node.width)?;
        }
        (Op::Float(operation, kind, rounding), _) => {
            write!(text, "{operation:?}.{kind:?}.{rounding:?}({}):{}", operands.join(", "), node.width)?;
        }
        (Op::FloatConvert(from, to, rounding), _) => {
            write!(text, "Convert.{from:?}.{to:?}.{rounding:?}({})", operands.join(", "))?;
        }
        (op, _) => write!(text, "{op:?}({})", operands.join(", "))?,
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::Variable;

    #[test]
    fn shared_parts_are_named() {
        let mut arena = Arena::new();
        let x = arena.variable(Variable { input: 0, offset: 1, width: 8, index_width: 0 });
        let three = arena.word(8, 3);
        let sum = arena.binary(Op::Add, x, three);
        let square = arena.binary(Op::Mul, sum, sum);
        assert_eq!(arena.display(sum).to_string(), "(i0[1]:8 + 3:8)");
        assert_eq!(arena.display(square).to_string(), format!("{sum} = (i0[1]:8 + 3:8);\n({sum} * {sum})"));
        assert_eq!(arena.display(x).to_string(), "i0[1]:8");
    }
}
