//! What a search may move: a variable, or several that are only seen side by side (the bytes of a number). A coordinate is a number on
//! a line: integers in their order, floats in theirs.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_expr::dag::{FloatOperation, FunctionId, NumberKind, Op, post_order};
use symcrete_expr::{Arena, Expr, FloatKind};
use symcrete_tape::Tape;

/// How neighbours of a value are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// On a circle, by ones and by bits.
    Integer,
    /// From one float to the next.
    Float(FloatKind),
}

/// Bits of a point that form one number.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// What it is in the constraints.
    pub expr: Expr,
    pub kind: Kind,
    pub width: u32,
    parts: SmallVec<[Part; 1]>,
}

/// Some bits of a coordinate, which are a variable.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Of a point: the variable's first one.
    word: usize,
    width: u32,
    /// Where in the coordinate.
    shift: u32,
}

/// Wider ones are left to others.
const WIDEST: u32 = 128;

impl Coordinate {
    pub fn read(&self, point: &[u64]) -> u128 {
        self.parts.iter().fold(0, |value, part| {
            let high = if part.width > 64 { u128::from(point[part.word + 1]) << 64 } else { 0 };
            value | (u128::from(point[part.word]) | high) << part.shift
        })
    }

    pub fn write(&self, point: &mut [u64], value: u128) {
        for part in &self.parts {
            let bits = value >> part.shift & ones(part.width);
            point[part.word] = bits as u64;
            if part.width > 64 {
                point[part.word + 1] = (bits >> 64) as u64;
            }
        }
    }

    /// The words of a point that it touches.
    pub fn words(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|part| part.word)
    }

    /// Where a value stands on the line; `None` for what is no number.
    pub fn place(&self, value: u128) -> Option<i128> {
        let sign = 1u128 << (self.width - 1);
        match self.kind {
            Kind::Integer if self.width == 128 => Some(value as i128),
            Kind::Integer if value & sign != 0 => Some(value as i128 - (1i128 << self.width)),
            Kind::Integer => Some(value as i128),
            Kind::Float(kind) if kind.is_nan(value) => None,
            Kind::Float(_) if value & sign != 0 => Some(-((value & !sign) as i128)),
            Kind::Float(_) => Some(value as i128),
        }
    }

    /// The value at a place; integers go round, floats end at the infinities.
    pub fn at(&self, place: i128) -> u128 {
        match self.kind {
            Kind::Integer => place as u128 & ones(self.width),
            Kind::Float(kind) => {
                let most = kind.infinity(false);
                let magnitude = place.unsigned_abs().min(most);
                // The integer bit of an x87 number is set exactly in those with an exponent.
                let magnitude = match kind {
                    FloatKind::X87 => normalised(magnitude),
                    _ => magnitude,
                };
                if place < 0 { magnitude | kind.sign_mask() } else { magnitude }
            }
        }
    }
}

/// Of a pattern of x87 without sign, the one with the integer bit as its exponent wants it.
fn normalised(magnitude: u128) -> u128 {
    const INTEGER_BIT: u128 = 1 << 63;
    if magnitude >> 64 == 0 { magnitude & !INTEGER_BIT } else { magnitude | INTEGER_BIT }
}

/// So many ones.
pub fn ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// How an expression is used.
#[derive(Clone, Copy, Default)]
struct Uses {
    float: Option<FloatKind>,
    integer: bool,
    /// Only as a part of a longer number.
    only_joined: bool,
}

/// The coordinates of the constraints, in the order in which they are first met.
pub fn coordinates(arena: &Arena, constraints: &[Expr], tape: &Tape) -> Vec<Coordinate> {
    let words: FxHashMap<_, _> = tape.inputs().iter().map(|input| (input.variable, input.word as usize)).collect();
    let order = post_order(arena, constraints.iter().copied(), &mut EntitySet::new());
    let mut parts: FxHashMap<Expr, SmallVec<[Part; 1]>> = FxHashMap::default();
    for expr in &order {
        let node = arena.node(*expr);
        if let Some(word) = arena.variable_of(*expr).and_then(|variable| words.get(&variable)) {
            parts.insert(*expr, SmallVec::from_elem(Part { word: *word, width: node.width, shift: 0 }, 1));
        } else if node.op == Op::Concat && node.width <= WIDEST {
            let low_width = arena.width(node.second());
            let (Some(high), Some(low)) = (parts.get(&node.first()), parts.get(&node.second())) else { continue };
            let above = high.iter().map(|part| Part { shift: part.shift + low_width, ..*part });
            let joined: SmallVec<[Part; 1]> = low.iter().copied().chain(above).collect();
            let mut words: Vec<usize> = joined.iter().map(|part| part.word).collect();
            words.sort_unstable();
            words.dedup();
            if words.len() == joined.len() {
                parts.insert(*expr, joined);
            }
        }
    }
    let uses = uses(arena, &order, &parts);
    let mut coordinates = Vec::new();
    for expr in order {
        let (Some(own), uses) = (parts.get(&expr), uses.get(&expr).copied().unwrap_or_default()) else { continue };
        let width = arena.width(expr);
        if width > WIDEST || uses.only_joined {
            continue;
        }
        let mut add = |kind| coordinates.push(Coordinate { expr, kind, width, parts: own.clone() });
        if let Some(kind) = uses.float {
            add(Kind::Float(kind));
        }
        if uses.integer || uses.float.is_none() {
            add(Kind::Integer);
        }
    }
    coordinates
}

/// Who looks at what, from the constraints down: what is read as a float through masks and choices is one.
fn uses(arena: &Arena, order: &[Expr], parts: &FxHashMap<Expr, SmallVec<[Part; 1]>>) -> FxHashMap<Expr, Uses> {
    let mut uses: FxHashMap<Expr, Uses> = FxHashMap::default();
    let note = |uses: &mut FxHashMap<Expr, Uses>, expr: Expr, float: Option<FloatKind>, integer: bool| {
        let entry = uses.entry(expr).or_insert(Uses { only_joined: true, ..Uses::default() });
        entry.only_joined = false;
        entry.float = entry.float.or(float);
        entry.integer |= integer;
    };
    for expr in order.iter().rev() {
        let node = arena.node(*expr);
        let above = uses.get(expr).copied().unwrap_or_default();
        match node.op {
            Op::Float(operation, kind, _) => {
                use FloatOperation::{FromSigned, FromUnsigned};
                let integer = matches!(operation, FromSigned | FromUnsigned);
                for operand in arena.operands(*expr) {
                    note(&mut uses, operand, (!integer).then_some(kind), integer);
                }
            }
            Op::FloatConvert(from, ..) => note(&mut uses, node.first(), Some(from), false),
            Op::Call => {
                let signature = arena.signature(FunctionId::from_u32(node.a));
                for (at, argument) in arena.arguments(*expr).iter().enumerate() {
                    let kind = signature.and_then(|signature| signature.parameters.get(at));
                    let (float, integer) = match (kind, arena.width(*argument)) {
                        (Some(NumberKind::Float(kind)), _) => (Some(*kind), false),
                        (Some(_), _) => (None, true),
                        (None, 64) => (Some(FloatKind::Double), false),
                        (None, 32) => (Some(FloatKind::Single), true),
                        _ => (None, true),
                    };
                    note(&mut uses, *argument, float, integer);
                }
            }
            Op::Ite | Op::And | Op::Or | Op::Xor if above.float.is_some() => {
                let values = arena.operands(*expr);
                for operand in values.iter().filter(|operand| arena.width(**operand) == node.width) {
                    note(&mut uses, *operand, above.float, above.integer);
                }
            }
            Op::Concat if parts.contains_key(expr) => {
                for operand in arena.operands(*expr) {
                    uses.entry(operand).or_insert(Uses { only_joined: true, ..Uses::default() });
                }
            }
            _ => arena.for_each_operand(*expr, |operand| note(&mut uses, operand, None, true)),
        }
    }
    uses
}
