//! Booleans, equality, choice, and arrays.

use symcrete_expr::dag::{Op, Rounding};
use symcrete_expr::{Arena, Expr};

use super::{Application, Applied, Misuse, Term, float};
use crate::smtlib::error::Problem;

/// Arrays with indices of up to this many bits are compared element by element.
const MOST_COMPARED_INDEX_BITS: u32 = 8;

/// The constants that have a name.
pub(super) fn constant(arena: &mut Arena, name: &str) -> Option<Term> {
    Some(match name {
        "true" => Term::Boolean(arena.boolean(true)),
        "false" => Term::Boolean(arena.boolean(false)),
        "RNE" | "roundNearestTiesToEven" => Term::Rounding(Rounding::NearestEven),
        "RNA" | "roundNearestTiesToAway" => Term::Rounding(Rounding::NearestAway),
        "RTP" | "roundTowardPositive" => Term::Rounding(Rounding::Up),
        "RTN" | "roundTowardNegative" => Term::Rounding(Rounding::Down),
        "RTZ" | "roundTowardZero" => Term::Rounding(Rounding::Zero),
        _ => return None,
    })
}

pub(super) fn apply(arena: &mut Arena, application: &Application) -> Applied {
    let term = match application.name {
        "not" => match application.all_booleans()?.as_slice() {
            [a] => Term::Boolean(arena.not(*a)),
            _ => return Err(Misuse::Arguments),
        },
        "and" => folded(arena, application, Op::And)?,
        "or" => folded(arena, application, Op::Or)?,
        "xor" => folded(arena, application, Op::Xor)?,
        "=>" => {
            let operands = application.all_booleans()?;
            let (last, before) = operands.split_last().filter(|(_, rest)| !rest.is_empty()).ok_or(Misuse::Arguments)?;
            Term::Boolean(before.iter().rev().fold(*last, |right, left| {
                let negated = arena.not(*left);
                arena.binary(Op::Or, negated, right)
            }))
        }
        "=" => pairwise(arena, application.arguments, false)?,
        "distinct" => pairwise(arena, application.arguments, true)?,
        "ite" => choice(arena, application.arguments)?,
        "select" | "store" => array_access(arena, application.arguments)?,
        _ => return Ok(None),
    };
    Ok(Some(term))
}

fn folded(arena: &mut Arena, application: &Application, op: Op) -> Result<Term, Misuse> {
    let operands = application.all_booleans()?;
    let all = operands.into_iter().reduce(|a, b| arena.binary(op, a, b));
    all.map(Term::Boolean).ok_or(Misuse::Arguments)
}

/// Neighbours are equal, or all pairs are different.
fn pairwise(arena: &mut Arena, terms: &[Term], distinct: bool) -> Result<Term, Misuse> {
    /// All pairs of more than this many are too many.
    const MOST_DISTINCT: usize = 5_000;
    if terms.len() < 2 {
        return Err(Misuse::Arguments);
    }
    if distinct && terms.len() > MOST_DISTINCT {
        return Err(Problem::TooLarge.into());
    }
    let mut all = arena.boolean(true);
    for (at, a) in terms.iter().enumerate() {
        let others = if distinct { &terms[at + 1..] } else { &terms[at + 1..(at + 2).min(terms.len())] };
        for b in others {
            let equal = equal(arena, *a, *b)?;
            let wanted = if distinct { arena.not(equal) } else { equal };
            all = arena.binary(Op::And, all, wanted);
        }
    }
    Ok(Term::Boolean(all))
}

fn equal(arena: &mut Arena, a: Term, b: Term) -> Result<Expr, Misuse> {
    if a.sort(arena) != b.sort(arena) {
        return Err(Misuse::Arguments);
    }
    match (a, b) {
        (Term::Boolean(a), Term::Boolean(b)) | (Term::Bits(a), Term::Bits(b)) => Ok(arena.compare(Op::Equal, a, b)),
        (Term::Float(kind, a), Term::Float(_, b)) => Ok(float::identical(arena, kind, a, b)),
        (Term::Rounding(a), Term::Rounding(b)) => Ok(arena.boolean(a == b)),
        (Term::Array { array, .. }, Term::Array { .. }) => {
            if a == b {
                return Ok(arena.boolean(true));
            }
            let index_width = arena.index_width(array);
            if index_width > MOST_COMPARED_INDEX_BITS {
                return Err(Problem::Unsupported("equalities of arrays with indices of more than 8 bits").into());
            }
            let mut all = arena.boolean(true);
            for index in 0..1 << index_width {
                let index = arena.word(index_width, index);
                let (x, y) = (element(arena, a, index)?, element(arena, b, index)?);
                let equal = arena.compare(Op::Equal, x, y);
                all = arena.binary(Op::And, all, equal);
            }
            Ok(all)
        }
        _ => Err(Misuse::Arguments),
    }
}

fn choice(arena: &mut Arena, terms: &[Term]) -> Result<Term, Misuse> {
    let &[Term::Boolean(condition), a, b] = terms else { return Err(Misuse::Arguments) };
    if a.sort(arena) != b.sort(arena) {
        return Err(Misuse::Arguments);
    }
    match (a, b) {
        _ if a == b => Ok(a),
        (Term::Boolean(a), Term::Boolean(b)) => Ok(Term::Boolean(arena.ite(condition, a, b))),
        (Term::Bits(a), Term::Bits(b)) => Ok(Term::Bits(arena.ite(condition, a, b))),
        (Term::Float(kind, a), Term::Float(_, b)) => Ok(Term::Float(kind, arena.ite(condition, a, b))),
        (Term::Array { array: a, offset: above }, Term::Array { array: b, offset: below }) => {
            let offset = if above == below {
                above
            } else {
                let zero = arena.constant(&symcrete_expr::Bits::zero(arena.width(a)));
                Some(arena.ite(condition, above.unwrap_or(zero), below.unwrap_or(zero)))
            };
            Ok(Term::Array { array: arena.ite(condition, a, b), offset })
        }
        (Term::Rounding(_), _) => Err(Problem::Unsupported("rounding modes that are not constant").into()),
        _ => Err(Misuse::Arguments),
    }
}

fn array_access(arena: &mut Arena, terms: &[Term]) -> Result<Term, Misuse> {
    let (array, index, new) = match *terms {
        [array, Term::Bits(index)] => (array, index, None),
        [array, Term::Bits(index), Term::Bits(new)] => (array, index, Some(new)),
        _ => return Err(Misuse::Arguments),
    };
    let super::Sort::Array { index: index_width, element: width } = array.sort(arena) else {
        return Err(Misuse::Arguments);
    };
    if arena.width(index) != index_width || new.is_some_and(|new| arena.width(new) != width) {
        return Err(Misuse::Arguments);
    }
    match (array, new) {
        (Term::Array { array, offset }, Some(new)) => {
            let new = offset.map_or(new, |offset| arena.binary(Op::Xor, new, offset));
            Ok(Term::Array { array: arena.store(array, index, new), offset })
        }
        _ => Ok(Term::Bits(element(arena, array, index)?)),
    }
}

fn element(arena: &mut Arena, array: Term, index: Expr) -> Result<Expr, Misuse> {
    let Term::Array { array, offset } = array else { return Err(Misuse::Arguments) };
    let stored = arena.select(array, index);
    Ok(offset.map_or(stored, |offset| arena.binary(Op::Xor, stored, offset)))
}

/// The array that is the same everywhere.
pub(super) fn constant_array(arena: &mut Arena, index_width: u32, everywhere: Expr) -> Term {
    let width = arena.width(everywhere);
    let array = arena.table(index_width, width, &[]);
    let zero = arena.as_constant(everywhere).is_some_and(|bits| bits.is_zero());
    Term::Array { array, offset: (!zero).then_some(everywhere) }
}
