//! What a register or a place in memory may hold while a function is gone through for its effects: nothing yet, one number, addresses in a few
//! objects, a number of which some bits are known, or anything.

use smallvec::{SmallVec, smallvec};
use symcrete_ir::{BinaryOp, CastOp, IntPredicate};

/// Something that addresses lead to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// It was there before, at this address.
    Before(u64),
    /// The same, and nobody can write it.
    Constant(u64),
    /// Any of those that nobody can write.
    Constants,
    /// The function makes it.
    Made(u32),
}

/// A place in an object; `None`: nobody knows where.
pub type Place = (Object, Option<i64>);

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Held {
    #[default]
    Nothing,
    Word(u64),
    /// Addresses in these objects, or numbers made from such.
    Pointers {
        places: SmallVec<[Place; 2]>,
        null: bool,
    },
    /// A number some of whose bits are known: those of `known` are as in `value`. More than none, and less than all.
    Bits {
        value: u64,
        known: u64,
    },
    Any,
}

/// More objects than that are anything.
const MOST_OBJECTS: usize = 8;

/// In which object an address is, and how far from its beginning.
pub type Resolve<'a> = &'a dyn Fn(u64) -> Option<Place>;

impl Held {
    pub fn to(object: Object, null: bool) -> Held {
        Held::Pointers { places: smallvec![(object, Some(0))], null }
    }

    /// The places to which it leads; `None` if those have no bound.
    pub fn places(&self, resolve: Resolve) -> Option<SmallVec<[Place; 2]>> {
        match self {
            Held::Nothing => Some(SmallVec::new()),
            Held::Word(word) => Some(resolve(*word).into_iter().collect()),
            Held::Pointers { places, .. } => Some(places.clone()),
            Held::Bits { .. } | Held::Any => None,
        }
    }

    /// Adds what else it may be. Whether that is new.
    pub fn join(&mut self, other: &Held, resolve: Resolve) -> bool {
        if *self == *other || matches!(other, Held::Nothing) || matches!(self, Held::Any) {
            return false;
        }
        let joined = match (&*self, other) {
            (Held::Nothing, _) => other.clone(),
            (_, Held::Any) => Held::Any,
            _ => match (self.pointers(resolve), other.pointers(resolve)) {
                (Some((mine, my_null)), Some((theirs, their_null))) if !self.is_number() || !other.is_number() => {
                    union(mine, &theirs, my_null | their_null)
                }
                _ => {
                    let ((mine, my_known), (theirs, their_known)) = (self.bits(), other.bits());
                    Held::number(mine, my_known & their_known & !(mine ^ theirs))
                }
            },
        };
        let is_new = joined != *self;
        *self = joined;
        is_new
    }

    /// As addresses: the places, and whether it may be null. `None` if it is none.
    fn pointers(&self, resolve: Resolve) -> Option<(SmallVec<[Place; 2]>, bool)> {
        match self {
            Held::Word(0) => Some((SmallVec::new(), true)),
            Held::Word(word) => resolve(*word).map(|place| (smallvec![place], false)),
            Held::Pointers { places, null } => Some((places.clone(), *null)),
            Held::Nothing | Held::Bits { .. } | Held::Any => None,
        }
    }

    /// Whether it is small enough to be no address.
    fn is_number(&self) -> bool {
        matches!(self, Held::Word(0))
    }

    /// Those of its bits that are known, and which.
    fn bits(&self) -> (u64, u64) {
        match self {
            Held::Word(word) => (*word, u64::MAX),
            Held::Bits { value, known } => (*value, *known),
            Held::Nothing | Held::Pointers { .. } | Held::Any => (0, 0),
        }
    }

    /// A number of which these bits are known.
    pub fn number(value: u64, known: u64) -> Held {
        match known {
            u64::MAX => Held::Word(value),
            0 => Held::Any,
            _ => Held::Bits { value: value & known, known },
        }
    }

    /// An address that is null or near: nothing is there.
    fn near_null() -> Held {
        Held::Pointers { places: SmallVec::new(), null: true }
    }

    /// The same address, so many bytes further; `None`: nobody knows how many.
    pub fn moved(&self, by: Option<i64>, resolve: Resolve) -> Held {
        match (self, by) {
            (Held::Nothing | Held::Any, _) => self.clone(),
            (Held::Bits { .. }, _) => Held::Any,
            (Held::Word(0), by) if by != Some(0) => Held::near_null(),
            (Held::Word(word), Some(by)) => Held::Word(word.wrapping_add_signed(by)),
            (Held::Word(word), None) => match resolve(*word) {
                Some((object, _)) => Held::Pointers { places: smallvec![(object, None)], null: false },
                None => Held::Any,
            },
            (Held::Pointers { places, null }, _) => {
                let moved = |(object, at): &Place| (*object, by.and_then(|by| (*at)?.checked_add(by)));
                let stays_null = *null && (by == Some(0) || places.is_empty());
                Held::Pointers { places: places.iter().map(moved).collect(), null: stays_null }
            }
        }
    }
}

fn union(mut mine: SmallVec<[Place; 2]>, theirs: &[Place], null: bool) -> Held {
    for (object, at) in theirs {
        match mine.iter_mut().find(|(known, _)| known == object) {
            Some((_, known)) if known != at => *known = None,
            Some(_) => {}
            None => mine.push((*object, *at)),
        }
    }
    let is_constant = |object: &Object| matches!(object, Object::Constant(_) | Object::Constants);
    if mine.len() > MOST_OBJECTS || mine.iter().any(|(object, _)| *object == Object::Constants) {
        let before = mine.len();
        mine.retain(|(object, _)| !is_constant(object));
        if mine.len() < before {
            mine.push((Object::Constants, None));
        }
    }
    mine.sort_unstable();
    if mine.len() > MOST_OBJECTS { Held::Any } else { Held::Pointers { places: mine, null } }
}

fn mask(bits: u16) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// A number as what it means with a sign.
pub fn signed(word: u64, bits: u16) -> i64 {
    let shift = 64 - u32::from(bits.min(64));
    ((word << shift) as i64) >> shift
}

pub fn binary(op: BinaryOp, bits: u16, lhs: &Held, rhs: &Held, resolve: Resolve) -> Held {
    use BinaryOp::*;
    let number = |held: &Held| *held == Held::near_null();
    if number(lhs) || number(rhs) {
        return Held::Any;
    }
    match (lhs, rhs) {
        (Held::Nothing, _) | (_, Held::Nothing) => Held::Nothing,
        (Held::Word(a), Held::Word(b)) if bits <= 64 => {
            let (a, b, limit) = (*a, *b, u64::from(bits));
            let word = match op {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Mul => a.wrapping_mul(b),
                And => a & b,
                Or => a | b,
                Xor => a ^ b,
                Shl if b < limit => a << b,
                LShr if b < limit => a >> b,
                AShr if b < limit => (signed(a, bits) >> b) as u64,
                UDiv if b != 0 => a / b,
                URem if b != 0 => a % b,
                _ => return Held::Any,
            };
            Held::Word(word & mask(bits))
        }
        (pointer, Held::Word(by)) if bits == 64 && matches!(op, Add | Sub) => {
            let by = if op == Add { *by as i64 } else { (*by as i64).wrapping_neg() };
            pointer.moved(Some(by), resolve)
        }
        (Held::Word(by), pointer) if bits == 64 && op == Add => match resolve(*by) {
            Some(_) => lhs.moved(None, resolve).also(pointer.moved(None, resolve), resolve),
            None => pointer.moved(Some(*by as i64), resolve),
        },
        (Held::Pointers { .. }, Held::Bits { .. } | Held::Any) if matches!(op, Add | Sub | And) => {
            lhs.moved(None, resolve)
        }
        (Held::Bits { .. } | Held::Any, Held::Pointers { .. }) if matches!(op, Add | And) => rhs.moved(None, resolve),
        (Held::Word(word), Held::Bits { .. } | Held::Any) if matches!(op, Add | Sub) && resolve(*word).is_some() => {
            lhs.moved(None, resolve)
        }
        (Held::Bits { .. } | Held::Any, Held::Word(word)) if op == Add && resolve(*word).is_some() => {
            rhs.moved(None, resolve)
        }
        (Held::Pointers { .. }, Held::Pointers { .. }) if op == Add => {
            lhs.moved(None, resolve).also(rhs.moved(None, resolve), resolve)
        }
        (Held::Pointers { .. }, Held::Word(_)) if matches!(op, And | Or) => lhs.moved(None, resolve),
        _ if bits <= 64 => bitwise(op, bits, lhs, rhs),
        _ => Held::Any,
    }
}

/// What is known of single bits.
fn bitwise(op: BinaryOp, bits: u16, lhs: &Held, rhs: &Held) -> Held {
    let ((a, known_a), (b, known_b)) = (lhs.bits(), rhs.bits());
    let (value, known) = match op {
        BinaryOp::And => (a & b, known_a & known_b | known_a & !a | known_b & !b),
        BinaryOp::Or => (a | b, known_a & known_b | a | b),
        BinaryOp::Xor => (a ^ b, known_a & known_b),
        BinaryOp::Shl if known_b == u64::MAX && b < u64::from(bits) => (a << b, known_a << b | ((1 << b) - 1)),
        BinaryOp::LShr if known_b == u64::MAX && b < u64::from(bits) => (a >> b, known_a >> b | !(u64::MAX >> b)),
        _ => (0, 0),
    };
    // A value is zero beyond its width.
    Held::number(value & mask(bits), known | !mask(bits))
}

impl Held {
    /// What a sum may be to which both gave an address: one in the objects of either. What is anything tells nothing.
    fn also(self, other: Held, resolve: Resolve) -> Held {
        match (&self, &other) {
            (_, Held::Any) => self,
            (Held::Any, _) => other,
            _ => {
                let mut both = self;
                both.join(&other, resolve);
                both
            }
        }
    }
}

pub fn compare(predicate: IntPredicate, bits: u16, lhs: &Held, rhs: &Held) -> Held {
    use IntPredicate::*;
    match (lhs, rhs) {
        (Held::Nothing, _) | (_, Held::Nothing) => Held::Nothing,
        (Held::Word(a), Held::Word(b)) if bits <= 64 => {
            let (x, y) = (signed(*a, bits), signed(*b, bits));
            Held::Word(u64::from(match predicate {
                Eq => a == b,
                Ne => a != b,
                Ugt => a > b,
                Uge => a >= b,
                Ult => a < b,
                Ule => a <= b,
                Sgt => x > y,
                Sge => x >= y,
                Slt => x < y,
                Sle => x <= y,
            }))
        }
        (Held::Pointers { null: false, .. }, Held::Word(0)) | (Held::Word(0), Held::Pointers { null: false, .. }) => {
            match predicate {
                Eq => Held::Word(0),
                Ne => Held::Word(1),
                _ => Held::Any,
            }
        }
        _ if matches!(predicate, Eq | Ne) => {
            let ((a, known_a), (b, known_b)) = (lhs.bits(), rhs.bits());
            match (a ^ b) & known_a & known_b {
                0 => Held::Any,
                _ => Held::Word(u64::from(predicate == Ne)),
            }
        }
        _ => Held::Any,
    }
}

pub fn cast(op: CastOp, from: u16, to: u16, held: &Held) -> Held {
    match (op, held) {
        (_, Held::Nothing) => Held::Nothing,
        (CastOp::Bitcast, _) if from <= 64 => held.clone(),
        (CastOp::Trunc | CastOp::ZeroExtend | CastOp::PointerToInt | CastOp::IntToPointer, Held::Word(word))
            if to <= 64 =>
        {
            Held::Word(word & mask(to))
        }
        (CastOp::SignExtend, Held::Word(word)) if to <= 64 => Held::Word(signed(*word, from) as u64 & mask(to)),
        (CastOp::PointerToInt | CastOp::IntToPointer, Held::Pointers { .. }) if from == to => held.clone(),
        (CastOp::Trunc | CastOp::ZeroExtend, Held::Bits { .. } | Held::Any) if to <= 64 => {
            let (value, known) = held.bits();
            let narrow = mask(from.min(to));
            Held::number(value & narrow, known | !narrow)
        }
        _ => Held::Any,
    }
}
