//! How far concrete runs are from taking a side of a branch: the distance that search-based testing makes smaller. It is measured
//! where the branch is executed, from the operands of the comparisons that decide it, which still stand in their registers.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_expr::float::convert::convert;
use symcrete_expr::{FloatKind, Value, word};
use symcrete_ir::{
    BinaryOp, Block, Body, CastOp, EdgeId, FloatPredicate, FuncId, Inst, IntPredicate, Operand, Reg, Terminator, Type,
};

use crate::Executor;
use crate::code::Op;
use crate::guide::Guide;
use crate::image::Image;
use crate::record::Record;
use crate::state::Frame;
use crate::step::floats;

/// Of a condition that is no comparison and does not hold.
const FLAT: f64 = 1.0;
/// No distance of a branch that was executed is larger, so that sums stay finite.
const MOST: f64 = 1e300;
/// Conditions that are nested deeper count as no comparisons.
const DEPTH: u32 = 16;

/// A way out of a block that ends with a branch or a switch.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Side {
    pub function: FuncId,
    pub block: Block,
    pub edge: EdgeId,
}

/// The sides that are watched, and how near runs came to them.
#[derive(Default)]
pub(crate) struct Watches {
    sides: Vec<Watched>,
    /// The sides by the branch they belong to.
    branches: FxHashMap<(FuncId, Block), SmallVec<[u32; 2]>>,
    /// The operations that stand in the code where nothing is watched.
    replaced: Vec<(FuncId, u32, Op)>,
    /// What runs follow instead of their own way.
    pub guide: Option<Guide>,
    pub record: Option<Record>,
}

struct Watched {
    condition: Condition,
    /// The least distance so far.
    nearest: f64,
}

/// What must hold for a side to be taken.
pub(crate) enum Condition {
    Integers {
        predicate: IntPredicate,
        width: u32,
        operands: [Operand; 2],
    },
    Floats {
        predicate: FloatPredicate,
        kind: FloatKind,
        operands: [Operand; 2],
    },
    All(Box<[Condition; 2]>),
    Any(Box<[Condition; 2]>),
    /// A value of one bit, and which it must be.
    Truth(Operand, bool),
    OneOf {
        value: Operand,
        width: u32,
        cases: Vec<u64>,
    },
    NoneOf {
        value: Operand,
        cases: Vec<u64>,
    },
}

/// The image to be changed: those who look at a program do so between runs.
fn own(image: &mut Rc<Image>) -> &mut Image {
    let Some(image) = Rc::get_mut(image) else { unreachable!("nobody else looks at the program during a run") };
    image
}

impl Executor {
    /// From here on measures how near runs come to these sides, and no others.
    pub fn watch(&mut self, sides: &[Side]) {
        for (function, at, op) in self.watches.replaced.drain(..) {
            own(&mut self.image).code_mut(function).ops[at as usize] = op;
        }
        self.watches.branches.clear();
        self.watches.sides.clear();
        self.watches.guide = None;
        self.watches.record = None;
        for (number, side) in sides.iter().enumerate() {
            let condition = Condition::of_side(&self.image, side);
            self.watches.sides.push(Watched { condition, nearest: f64::INFINITY });
            let members = self.watches.branches.entry((side.function, side.block)).or_default();
            members.push(number as u32);
            if members.len() == 1 {
                self.watch_branches(&[(side.function, side.block)]);
            }
        }
    }

    /// The general way measures: the fast loop must leave these branches to it.
    pub(crate) fn watch_branches(&mut self, places: &[(FuncId, Block)]) {
        for (function, block) in places {
            let code = own(&mut self.image).code_mut(*function);
            let at = code.starts.get(block.index() + 1).map_or(code.ops.len(), |end| *end as usize) - 1;
            let op = std::mem::replace(&mut code.ops[at], Op::GENERAL);
            self.watches.replaced.push((*function, at as u32, op));
        }
    }

    /// The least distance from each watched side since the last call: 0 if it was taken, infinite if its branch was not executed.
    pub fn take_distances(&mut self) -> impl Iterator<Item = f64> + '_ {
        self.watches.sides.iter_mut().map(|watched| std::mem::replace(&mut watched.nearest, f64::INFINITY))
    }
}

impl Watches {
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty() && self.guide.is_none() && self.record.is_none()
    }

    /// A frame is about to leave a block by an edge: the edge that it leaves by.
    pub fn leave(&mut self, image: &Image, frame: &Frame, block: Block, edge: EdgeId) -> EdgeId {
        if let Some(guide) = &mut self.guide {
            return guide.leave(image, frame, block, edge);
        }
        if let Some(record) = &mut self.record {
            record.add(Side { function: frame.function, block, edge });
        }
        self.measure(image, frame, block);
        edge
    }

    fn measure(&mut self, image: &Image, frame: &Frame, block: Block) {
        let Some(members) = self.branches.get(&(frame.function, block)) else { return };
        for number in members {
            let watched = &mut self.sides[*number as usize];
            let distance = watched.condition.distance(&|operand| image.value(frame, operand));
            watched.nearest = watched.nearest.min(distance);
        }
    }
}

impl Condition {
    pub fn of_side(image: &Image, side: &Side) -> Condition {
        let body = image.body(side.function);
        match &body.blocks[side.block].terminator {
            Terminator::Branch { condition, if_true, .. } => {
                let builder = Builder { image, body, block: side.block };
                builder.condition(*condition, *if_true == side.edge, DEPTH)
            }
            Terminator::Switch { value, ty, table } => {
                let table = &body.switches[*table];
                let target = |edge: EdgeId| body.edges[edge].target;
                let leads_there = |edge: EdgeId| target(edge) == target(side.edge);
                let there = |wanted: bool| {
                    let cases = table.cases.iter().filter(move |(_, edge)| leads_there(*edge) == wanted);
                    cases.map(|(case, _)| *case).collect()
                };
                let width = u32::from(ty.bits(image.pointer_bits()));
                match leads_there(table.default) {
                    true => Condition::NoneOf { value: *value, cases: there(false) },
                    false => Condition::OneOf { value: *value, width, cases: there(true) },
                }
            }
            other => unreachable!("a block that ends with {other:?} has no sides"),
        }
    }

    pub fn distance(&self, get: &dyn Fn(Operand) -> Value) -> f64 {
        let word = |operand: Operand| get(operand).low_word();
        match self {
            Condition::Integers { predicate, width, operands: [a, b] } => {
                integer_distance(*predicate, *width, word(*a), word(*b))
            }
            Condition::Floats { predicate, kind, operands: [a, b] } => {
                float_distance(*predicate, number(*kind, &get(*a)), number(*kind, &get(*b)))
            }
            Condition::All(parts) => (parts[0].distance(get) + parts[1].distance(get)).min(MOST),
            Condition::Any(parts) => parts[0].distance(get).min(parts[1].distance(get)),
            Condition::Truth(operand, wanted) => flat(((word(*operand) & 1) != 0) == *wanted),
            Condition::OneOf { value, width, cases } => {
                let value = word(*value);
                let distances = cases.iter().map(|case| integer_distance(IntPredicate::Eq, *width, value, *case));
                distances.fold(MOST, f64::min)
            }
            Condition::NoneOf { value, cases } => flat(!cases.contains(&word(*value))),
        }
    }
}

fn flat(holds: bool) -> f64 {
    if holds { 0.0 } else { FLAT }
}

/// How far two words of a width are from being so. One more where they must not be equal, so that 0 means that it holds.
fn integer_distance(predicate: IntPredicate, width: u32, a: u64, b: u64) -> f64 {
    let signed = |bits| word::sign_extend(width, bits);
    let (holds, distance) = match predicate {
        IntPredicate::Eq => {
            let (up, down) = (a.wrapping_sub(b), b.wrapping_sub(a));
            (a == b, word::truncate(width, up).min(word::truncate(width, down)) as f64)
        }
        IntPredicate::Ne => (a != b, FLAT),
        IntPredicate::Ugt => (a > b, a.abs_diff(b) as f64 + 1.0),
        IntPredicate::Uge => (a >= b, a.abs_diff(b) as f64),
        IntPredicate::Ult => (a < b, a.abs_diff(b) as f64 + 1.0),
        IntPredicate::Ule => (a <= b, a.abs_diff(b) as f64),
        IntPredicate::Sgt => (signed(a) > signed(b), signed(a).abs_diff(signed(b)) as f64 + 1.0),
        IntPredicate::Sge => (signed(a) >= signed(b), signed(a).abs_diff(signed(b)) as f64),
        IntPredicate::Slt => (signed(a) < signed(b), signed(a).abs_diff(signed(b)) as f64 + 1.0),
        IntPredicate::Sle => (signed(a) <= signed(b), signed(a).abs_diff(signed(b)) as f64),
    };
    if holds { 0.0 } else { distance }
}

/// The numeric difference. What is no number is far from any.
fn float_distance(predicate: FloatPredicate, a: f64, b: f64) -> f64 {
    let outcome = match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Equal) => FloatPredicate::EQUAL,
        Some(std::cmp::Ordering::Greater) => FloatPredicate::GREATER,
        Some(std::cmp::Ordering::Less) => FloatPredicate::LESS,
        None => FloatPredicate::UNORDERED,
    };
    if predicate.0 & outcome != 0 {
        return 0.0;
    }
    let distance = (a - b).abs();
    // Infinities that are equal have no difference.
    if outcome == FloatPredicate::EQUAL {
        f64::MIN_POSITIVE
    } else if distance.is_nan() {
        MOST
    } else {
        distance.clamp(f64::MIN_POSITIVE, MOST)
    }
}

/// The value as a double, rounded where it has more digits.
fn number(kind: FloatKind, value: &Value) -> f64 {
    match kind {
        FloatKind::Double => f64::from_bits(value.low_word()),
        FloatKind::Single => f64::from(f32::from_bits(value.low_word() as u32)),
        _ => f64::from_bits(convert(kind, FloatKind::Double, value.low_u128()) as u64),
    }
}

/// Finds the comparisons behind a condition.
struct Builder<'a> {
    image: &'a Image,
    body: &'a Body,
    /// Where most of them are.
    block: Block,
}

impl Builder<'_> {
    fn definition(&self, register: Reg) -> Option<&Inst> {
        let near = self.body.blocks[self.block].insts.iter().rev();
        let all = self.body.blocks.values().flat_map(|block| &block.insts);
        near.chain(all).find(|inst| inst.dst() == Some(register))
    }

    fn is_constant(&self, operand: Operand, bits: u64) -> bool {
        operand.as_const().is_some_and(|constant| self.image.constants()[constant.index()] == Value::Word(bits))
    }

    /// What must hold for an operand to be true, or false: any but zero, or zero.
    fn condition(&self, operand: Operand, wanted: bool, depth: u32) -> Condition {
        let flat = Condition::Truth(operand, wanted);
        let Some(inst) = operand.as_reg().and_then(|register| self.definition(register)) else { return flat };
        if depth == 0 {
            return flat;
        }
        let next = |operand: Operand, wanted: bool| self.condition(operand, wanted, depth - 1);
        match *inst {
            Inst::IntCompare { predicate, ty, lhs, rhs, .. } => {
                let predicate = if wanted { predicate } else { predicate.opposite() };
                let with_zero = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) && self.is_constant(rhs, 0);
                if with_zero && self.is_truth(lhs, depth) {
                    return next(lhs, predicate == IntPredicate::Ne);
                }
                match u32::from(ty.bits(self.image.pointer_bits())) {
                    width @ ..=64 => Condition::Integers { predicate, width, operands: [lhs, rhs] },
                    _ => flat,
                }
            }
            Inst::FloatCompare { predicate, ty, lhs, rhs, .. } => {
                let predicate = FloatPredicate(if wanted { predicate.0 } else { !predicate.0 & 15 });
                Condition::Floats { predicate, kind: floats::float_kind(ty), operands: [lhs, rhs] }
            }
            Inst::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), ty: Type::BOOL, lhs, rhs, .. } => {
                let parts = Box::new([next(lhs, wanted), next(rhs, wanted)]);
                if (op == BinaryOp::And) == wanted { Condition::All(parts) } else { Condition::Any(parts) }
            }
            Inst::Binary { op: BinaryOp::Xor, ty: Type::BOOL, lhs, rhs, .. } if self.is_constant(rhs, 1) => {
                next(lhs, !wanted)
            }
            Inst::Cast { op: CastOp::Trunc | CastOp::ZeroExtend | CastOp::SignExtend, src, .. }
            | Inst::Freeze { src, .. }
            | Inst::Copy { src, .. }
                if self.is_truth(src, depth) =>
            {
                next(src, wanted)
            }
            _ => flat,
        }
    }

    /// Whether a value is nothing but a condition, in one bit or more.
    fn is_truth(&self, operand: Operand, depth: u32) -> bool {
        let Some(inst) = operand.as_reg().and_then(|register| self.definition(register)) else { return false };
        match *inst {
            _ if depth == 0 => false,
            Inst::IntCompare { .. } | Inst::FloatCompare { .. } => true,
            Inst::Binary { ty, .. } => ty == Type::BOOL,
            Inst::Cast { op: CastOp::Trunc | CastOp::ZeroExtend | CastOp::SignExtend, src, .. }
            | Inst::Freeze { src, .. }
            | Inst::Copy { src, .. } => self.is_truth(src, depth - 1),
            _ => false,
        }
    }
}
