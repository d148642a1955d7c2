//! What a register or a place in memory may hold while a function is gone through for its effects: nothing yet, one number, addresses in a few
//! objects, a number of which some bits and bounds are known, or anything.

use std::cmp::Ordering;

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
    /// The function that has this address.
    Function(u64),
    /// The function makes it.
    Made(u32),
}

/// Distances from the beginning of an object, from the least to the most, all of them multiples of a power of two.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    pub low: i64,
    pub high: i64,
    /// How many of their last bits are zero.
    zeros: u32,
}

impl Span {
    pub const ANYWHERE: Span = Span { low: i64::MIN, high: i64::MAX, zeros: 0 };

    pub fn exactly(at: i64) -> Span {
        Span { low: at, high: at, zeros: at.trailing_zeros() }
    }

    pub fn between(low: i64, high: i64) -> Span {
        if low == high { Span::exactly(low) } else { Span { low, high, zeros: 0 } }
    }

    /// Anywhere, in steps of so many bytes, which are a power of two.
    pub fn anywhere_by(bytes: u32) -> Span {
        Span { zeros: bytes.trailing_zeros(), ..Span::ANYWHERE }
    }

    /// Whether so many bytes there are always the same as those of another such place, or apart from them.
    pub fn is_in_steps_of(self, bytes: u32) -> bool {
        bytes.is_power_of_two() && self.zeros >= bytes.trailing_zeros()
    }

    /// The one distance, if there is no other.
    pub fn exact(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// So much further, all of it.
    pub fn moved(self, by: Span) -> Span {
        let zeros = self.zeros.min(by.zeros);
        match (self.low.checked_add(by.low), self.high.checked_add(by.high)) {
            (Some(low), Some(high)) if low == high => Span::exactly(low),
            (Some(low), Some(high)) => Span { low, high, zeros },
            _ => Span { zeros, ..Span::ANYWHERE },
        }
    }

    /// The same number of times as much.
    pub fn scaled(self, by: i64) -> Span {
        let zeros = self.zeros.saturating_add(by.trailing_zeros()).min(i64::BITS);
        match (self.low.checked_mul(by), self.high.checked_mul(by)) {
            (Some(a), Some(b)) if a == b => Span::exactly(a),
            (Some(a), Some(b)) => Span { low: a.min(b), high: a.max(b), zeros },
            // It wraps, which leaves the last bits as they are.
            _ => Span { zeros, ..Span::ANYWHERE },
        }
    }

    /// Whether it is near an object, so that an address there is no null. The difference of two addresses is not, and may be zero.
    fn is_inside(self) -> bool {
        const MOST: i64 = 1 << 40;
        0 <= self.low && self.high < MOST
    }

    fn contains(self, other: Span) -> bool {
        self.low <= other.low && other.high <= self.high && self.zeros <= other.zeros
    }

    fn hull(self, other: Span) -> Span {
        let zeros = self.zeros.min(other.zeros);
        Span { low: self.low.min(other.low), high: self.high.max(other.high), zeros }
    }
}

/// A place in an object.
pub type Place = (Object, Span);

/// How what is added to something known makes it grow. Where that goes round, in loops and in memory, it must come to an end.
#[derive(Copy, Clone)]
pub enum Growth<'a> {
    /// To what was added and no further.
    Near,
    /// To the next of these, or far.
    Far(Stops<'a>),
}

/// Where what grows may come to an end: numbers that others are compared with, and how far from the beginning of objects addresses are that
/// others are compared with. Both rise.
#[derive(Copy, Clone)]
pub struct Stops<'a> {
    pub numbers: &'a [u64],
    pub distances: &'a [i64],
}

/// Where numbers stop that grow beyond all others.
const FAR: [u64; 2] = [i32::MAX as u64, i64::MAX as u64];

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Held {
    #[default]
    Nothing,
    Word(u64),
    /// Addresses in these objects, or numbers made from such.
    Pointers {
        places: SmallVec<[Place; 2]>,
        null: Null,
    },
    Number(Number),
    Any,
}

/// Whether something may be no address of an object because it is null, or was made from that.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Null {
    Never,
    /// It may be null.
    Itself,
    /// It may be null, or any number that null became when something was added. Nothing is there.
    Near,
}

impl Null {
    fn moved(self, by: Span) -> Null {
        match self {
            Null::Itself if by.exact() != Some(0) => Null::Near,
            _ => self,
        }
    }
}

/// A number without a sign that is not less than `low` and not more than `high`, and of whose bits those of `known` are as in `value`. More
/// is known of it than nothing, and less than all.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    pub value: u64,
    pub known: u64,
    pub low: u64,
    pub high: u64,
}

impl Number {
    const ANY: Number = Number { value: 0, known: 0, low: 0, high: u64::MAX };

    fn word(word: u64) -> Number {
        Number { value: word, known: u64::MAX, low: word, high: word }
    }

    /// Bits that are zero at the top bound it, and bounds make such bits.
    fn held(self) -> Held {
        let top = u64::MAX.checked_shr(self.high.leading_zeros()).unwrap_or(0);
        let known = self.known | !top;
        let value = self.value & self.known & top;
        let (low, high) = (self.low.max(value), self.high.min(value | !known));
        let number = Number { value, known, low, high };
        match low.cmp(&high) {
            Ordering::Less if number == Number::ANY => Held::Any,
            Ordering::Less => Held::Number(number),
            Ordering::Equal => Held::Word(low),
            Ordering::Greater => Held::Any,
        }
    }

    fn join(self, other: Number, growth: Growth) -> Held {
        let known = self.known & other.known & !(self.value ^ other.value);
        let (mut low, mut high) = (self.low.min(other.low), self.high.max(other.high));
        if let Growth::Far(stops) = growth {
            low = if low < self.low { 0 } else { low };
            if high > self.high {
                high = stops.numbers.iter().chain(&FAR).copied().filter(|stop| *stop >= high).min().unwrap_or(u64::MAX);
            }
        }
        Number { value: self.value & known, known, low, high }.held()
    }
}

/// More objects than that are anything.
const MOST_OBJECTS: usize = 8;
/// More functions than that are any.
const MOST_FUNCTIONS: usize = 64;

/// In which object an address is, and how far from its beginning.
pub type Resolve<'a> = &'a dyn Fn(u64) -> Option<Place>;

impl Held {
    /// An address of an object, or null if it may be.
    pub fn to(object: Object, null: bool) -> Held {
        let null = if null { Null::Itself } else { Null::Never };
        Held::Pointers { places: smallvec![(object, Span::exactly(0))], null }
    }

    /// The places to which it leads; `None` if those have no bound.
    pub fn places(&self, resolve: Resolve) -> Option<SmallVec<[Place; 2]>> {
        match self {
            Held::Nothing => Some(SmallVec::new()),
            Held::Word(word) => Some(resolve(*word).into_iter().collect()),
            Held::Pointers { places, .. } => Some(places.clone()),
            Held::Number(_) | Held::Any => None,
        }
    }

    /// Adds what else it may be. Whether that is new.
    pub fn join(&mut self, other: &Held, growth: Growth, resolve: Resolve) -> bool {
        if *self == *other || matches!(other, Held::Nothing) || matches!(self, Held::Any) {
            return false;
        }
        let joined = match (&*self, other) {
            (Held::Nothing, _) => other.clone(),
            (_, Held::Any) => Held::Any,
            _ => match (self.pointers(resolve), other.pointers(resolve)) {
                (Some((mine, my_null)), Some((theirs, their_null))) if !self.is_number() || !other.is_number() => {
                    union(mine, &theirs, my_null.max(their_null), growth)
                }
                _ => self.as_number().join(other.as_number(), growth),
            },
        };
        let is_new = joined != *self;
        *self = joined;
        is_new
    }

    /// As addresses: the places, and whether it may be null. `None` if it is none.
    fn pointers(&self, resolve: Resolve) -> Option<(SmallVec<[Place; 2]>, Null)> {
        match self {
            Held::Word(0) => Some((SmallVec::new(), Null::Itself)),
            Held::Word(word) => resolve(*word).map(|place| (smallvec![place], Null::Never)),
            Held::Pointers { places, null } => Some((places.clone(), *null)),
            Held::Nothing | Held::Number(_) | Held::Any => None,
        }
    }

    /// Whether it is small enough to be no address.
    fn is_number(&self) -> bool {
        matches!(self, Held::Word(0))
    }

    /// What is known of it as a number.
    fn as_number(&self) -> Number {
        match self {
            Held::Word(word) => Number::word(*word),
            Held::Number(number) => *number,
            Held::Nothing | Held::Pointers { .. } | Held::Any => Number::ANY,
        }
    }

    /// A number of which these bits are known.
    pub fn number(value: u64, known: u64) -> Held {
        Number { value: value & known, known, ..Number::ANY }.held()
    }

    /// Its bounds as a number of so many bits without a sign.
    pub fn bounds(&self, bits: u16) -> (u64, u64) {
        let Number { low, high, .. } = self.as_number();
        if low > mask(bits) { (0, mask(bits)) } else { (low, high.min(mask(bits))) }
    }

    /// The same, if it is known that it is within these bounds too.
    pub fn within(&self, low: u64, high: u64) -> Held {
        match self {
            Held::Number(_) | Held::Any => {
                let number = self.as_number();
                let (low, high) = (low.max(number.low), high.min(number.high));
                if low > high { self.clone() } else { Number { low, high, ..number }.held() }
            }
            Held::Nothing | Held::Word(_) | Held::Pointers { .. } => self.clone(),
        }
    }

    /// As a distance: a number of so many bits with a sign.
    pub fn distance(&self, bits: u16) -> Span {
        let Number { value, known, .. } = self.as_number();
        let zeros = (value | !known).trailing_zeros();
        match (self, self.bounds(bits)) {
            (Held::Word(word), _) => Span::exactly(signed(*word, bits)),
            (_, (low, high)) if high <= mask(bits) >> 1 => Span { low: low as i64, high: high as i64, zeros },
            _ => Span { zeros, ..Span::ANYWHERE },
        }
    }

    /// Null, so many bytes further: nothing is there.
    fn beside_null(by: Span) -> Held {
        let null = Null::Itself.moved(by).max(Null::Itself);
        Held::Pointers { places: SmallVec::new(), null }
    }

    fn is_beside_null(&self) -> bool {
        matches!(self, Held::Pointers { places, .. } if places.is_empty())
    }

    /// The same address, so many bytes further.
    pub fn moved(&self, by: Span, resolve: Resolve) -> Held {
        match (self, by.exact()) {
            (Held::Nothing | Held::Any, _) => self.clone(),
            (Held::Number(_), _) => Held::Any,
            (Held::Word(0), exact) if exact != Some(0) => Held::beside_null(by),
            (Held::Word(word), Some(by)) => Held::Word(word.wrapping_add_signed(by)),
            (Held::Word(word), None) => match resolve(*word) {
                Some((object, at)) => Held::Pointers { places: smallvec![(object, at.moved(by))], null: Null::Never },
                None => Held::Any,
            },
            (Held::Pointers { places, null }, _) => {
                let moved = |(object, at): &Place| (*object, at.moved(by));
                Held::Pointers { places: places.iter().map(moved).collect(), null: null.moved(by) }
            }
        }
    }
}

/// Two places in one object: one that is known, and one more.
fn either(known: Span, other: Span, growth: Growth) -> Span {
    if known.contains(other) {
        return known;
    }
    let hull = known.hull(other);
    let Growth::Far(Stops { distances, .. }) = growth else { return hull };
    // A pointer that goes along an object.
    let below = || distances.iter().rev().copied().find(|stop| *stop <= hull.low).unwrap_or(i64::MIN);
    let above = || distances.iter().copied().find(|stop| *stop >= hull.high).unwrap_or(i64::MAX);
    let low = if hull.low < known.low { below() } else { hull.low };
    let high = if hull.high > known.high { above() } else { hull.high };
    Span { low, high, ..hull }
}

fn union(mut mine: SmallVec<[Place; 2]>, theirs: &[Place], null: Null, growth: Growth) -> Held {
    for (object, at) in theirs {
        match mine.iter_mut().find(|(known, _)| known == object) {
            Some((_, known)) => *known = either(*known, *at, growth),
            None => mine.push((*object, *at)),
        }
    }
    let is_constant = |object: &Object| matches!(object, Object::Constant(_) | Object::Constants);
    let functions = mine.iter().filter(|(object, _)| matches!(object, Object::Function(_))).count();
    if mine.len() - functions > MOST_OBJECTS || mine.iter().any(|(object, _)| *object == Object::Constants) {
        let before = mine.len();
        mine.retain(|(object, _)| !is_constant(object));
        if mine.len() < before {
            mine.push((Object::Constants, Span::ANYWHERE));
        }
    }
    mine.sort_unstable();
    if mine.len() - functions > MOST_OBJECTS || functions > MOST_FUNCTIONS {
        return Held::Any;
    }
    Held::Pointers { places: mine, null }
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
    if lhs.is_beside_null() || rhs.is_beside_null() {
        return Held::Any;
    }
    let somewhere = |held: &Held| held.moved(Span::ANYWHERE, resolve);
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
            pointer.moved_or_sum(op, Span::exactly(by), (bits, lhs, rhs), resolve)
        }
        (Held::Word(by), pointer) if bits == 64 && op == Add => match resolve(*by) {
            Some(_) if !matches!(pointer, Held::Number(_)) => somewhere(lhs).also(somewhere(pointer), resolve),
            Some(_) => lhs.moved(pointer.distance(64), resolve),
            None => pointer.moved_or_sum(op, Span::exactly(*by as i64), (bits, lhs, rhs), resolve),
        },
        (Held::Pointers { .. }, Held::Number(_) | Held::Any) if op == Add => lhs.moved(rhs.distance(64), resolve),
        (Held::Number(_) | Held::Any, Held::Pointers { .. }) if op == Add => rhs.moved(lhs.distance(64), resolve),
        (Held::Pointers { .. }, Held::Number(_) | Held::Any) if matches!(op, Sub | And) => somewhere(lhs),
        (Held::Number(_) | Held::Any, Held::Pointers { .. }) if op == And => somewhere(rhs),
        (Held::Word(word), Held::Number(_) | Held::Any) if op == Sub && resolve(*word).is_some() => somewhere(lhs),
        (Held::Pointers { .. }, Held::Pointers { .. }) if op == Add => somewhere(lhs).also(somewhere(rhs), resolve),
        (Held::Pointers { .. }, Held::Word(_)) if matches!(op, And | Or) => somewhere(lhs),
        _ if bits <= 64 => arithmetic(op, bits, lhs, rhs),
        _ => Held::Any,
    }
}

/// What is known of a result by the bounds of what it is made from, and of its single bits.
fn arithmetic(op: BinaryOp, bits: u16, lhs: &Held, rhs: &Held) -> Held {
    let ((a, b), (c, d)) = (lhs.bounds(bits), rhs.bounds(bits));
    let bounds = match op {
        BinaryOp::Add => sum((a, b), (c, d), bits),
        BinaryOp::Sub => a.checked_sub(d).map(|least| (least, b - c)),
        BinaryOp::Mul => b.checked_mul(d).filter(|most| *most <= mask(bits)).map(|most| (a * c, most)),
        BinaryOp::And => Some((0, b.min(d))),
        BinaryOp::UDiv if c > 0 => Some((a / d, b / c)),
        BinaryOp::URem if c > 0 => Some((0, b.min(d - 1))),
        BinaryOp::LShr => Some((0, b)),
        _ => None,
    };
    let (low, high) = bounds.unwrap_or((0, mask(bits)));
    bitwise(op, bits, lhs, rhs).within(low, high)
}

/// The bounds of a sum, if it wraps always, as where one is taken away by adding -1, or never.
fn sum((a, b): (u64, u64), (c, d): (u64, u64), bits: u16) -> Option<(u64, u64)> {
    let (low, high, all) = (u128::from(a) + u128::from(c), u128::from(b) + u128::from(d), u128::from(mask(bits)));
    let wraps = low > all;
    (wraps || high <= all).then_some(((low & all) as u64, (high & all) as u64))
}

/// What is known of single bits.
fn bitwise(op: BinaryOp, bits: u16, lhs: &Held, rhs: &Held) -> Held {
    let Number { value: a, known: known_a, .. } = lhs.as_number();
    let Number { value: b, known: known_b, .. } = rhs.as_number();
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
    /// What this and a number are together, if it is an address; else what two numbers are.
    fn moved_or_sum(&self, op: BinaryOp, by: Span, (bits, lhs, rhs): (u16, &Held, &Held), resolve: Resolve) -> Held {
        match self {
            Held::Number(_) => arithmetic(op, bits, lhs, rhs),
            _ => self.moved(by, resolve),
        }
    }

    /// What a sum may be to which both gave an address: one in the objects of either. What is anything tells nothing.
    fn also(self, other: Held, resolve: Resolve) -> Held {
        match (&self, &other) {
            (_, Held::Any) => self,
            (Held::Any, _) => other,
            _ => {
                let mut both = self;
                both.join(&other, Growth::Near, resolve);
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
        (Held::Pointers { null: Null::Never, places }, Held::Word(0))
        | (Held::Word(0), Held::Pointers { null: Null::Never, places })
            if places.iter().all(|(_, at)| at.is_inside()) =>
        {
            match predicate {
                Eq => Held::Word(0),
                Ne => Held::Word(1),
                _ => Held::Any,
            }
        }
        _ if matches!(predicate, Eq | Ne) => {
            let (a, b) = (lhs.as_number(), rhs.as_number());
            match (a.value ^ b.value) & a.known & b.known {
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
        (CastOp::Trunc | CastOp::ZeroExtend, Held::Number(_) | Held::Any) if to <= 64 => {
            let Number { value, known, low, high } = held.as_number();
            let narrow = mask(from.min(to));
            let is_kept = high <= narrow;
            let (low, high) = if is_kept { (low, high) } else { (0, narrow) };
            Held::number(value & narrow, known | !narrow).within(low, high)
        }
        (CastOp::SignExtend, Held::Number(number)) if to <= 64 && number.high <= mask(from) >> 1 => held.clone(),
        _ => Held::Any,
    }
}
