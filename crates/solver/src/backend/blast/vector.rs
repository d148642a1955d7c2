//! Operations on vectors of literals, lowest bit first: sums, comparisons, shifts. Products are in `multiply`.

use smallvec::SmallVec;
use symcrete_expr::Bits;

use super::gate::{Gates, Literal, Owner};

/// One literal for each bit, the lowest first.
pub(super) type Vector = SmallVec<[Literal; 64]>;

pub(super) fn constant(bits: &Bits) -> Vector {
    (0..bits.width()).map(|at| Literal::constant(bits.bit(at))).collect()
}

/// The bits of a vector that is constant.
pub(super) fn as_constant(vector: &[Literal]) -> Option<Bits> {
    if !vector.iter().all(|literal| literal.is_constant()) {
        return None;
    }
    let mut bits = Bits::zero(vector.len() as u32);
    for (at, &literal) in vector.iter().enumerate().filter(|(_, literal)| **literal == Literal::TRUE) {
        debug_assert_eq!(literal, Literal::TRUE);
        bits.set_bit(at as u32, true);
    }
    Some(bits)
}

/// How many low bits are left when the constant zeros at the top are cut off.
pub(super) fn significant(vector: &[Literal]) -> usize {
    vector.iter().rposition(|&literal| literal != Literal::FALSE).map_or(0, |top| top + 1)
}

pub(super) fn complement(vector: &[Literal]) -> Vector {
    vector.iter().map(|&literal| !literal).collect()
}

impl Gates {
    pub(super) fn inputs(&mut self, width: usize, owner: Owner) -> Vector {
        (0..width).map(|_| self.input(owner)).collect()
    }

    /// The sum with a carry into the lowest bit, and the carry out of the highest.
    pub(super) fn sum(&mut self, a: &[Literal], b: &[Literal], carry: Literal) -> (Vector, Literal) {
        let mut carry = carry;
        let mut sum = Vector::new();
        for (&a, &b) in a.iter().zip(b) {
            sum.push(self.xor3(a, b, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Literal], b: &[Literal]) -> Vector {
        self.sum(a, b, Literal::FALSE).0
    }

    pub(super) fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Vector {
        self.sum(a, &complement(b), Literal::TRUE).0
    }

    pub(super) fn negate_if(&mut self, condition: Literal, a: &[Literal]) -> Vector {
        let zeros: Vector = a.iter().map(|_| Literal::FALSE).collect();
        let flipped: Vector = a.iter().map(|&literal| self.xor(literal, condition)).collect();
        self.sum(&flipped, &zeros, condition).0
    }

    pub(super) fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let mut same = Vector::new();
        for (&a, &b) in a.iter().zip(b) {
            let literal = !self.xor(a, b);
            if literal == Literal::FALSE {
                return Literal::FALSE;
            }
            same.push(literal);
        }
        self.and_many(same)
    }

    /// The carry of `b - a`, bit by bit: one gate for each bit.
    pub(super) fn unsigned_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let mut less = Literal::FALSE;
        for (&a, &b) in a.iter().zip(b) {
            less = self.majority(!a, b, less);
        }
        less
    }

    pub(super) fn signed_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let top = a.len() - 1;
        let less = self.unsigned_less(&a[..top], &b[..top]);
        // Signs weigh the other way round.
        self.majority(a[top], !b[top], less)
    }

    pub(super) fn choose(&mut self, condition: Literal, a: &[Literal], b: &[Literal]) -> Vector {
        a.iter().zip(b).map(|(&a, &b)| self.ite(condition, a, b)).collect()
    }

    pub(super) fn is_zero(&mut self, a: &[Literal]) -> Literal {
        self.and_many(a.iter().map(|&literal| !literal))
    }

    pub(super) fn shift_left(&mut self, a: &[Literal], count: &[Literal]) -> Vector {
        let reversed: Vector = a.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, count, Literal::FALSE);
        result.reverse();
        result
    }

    /// By stages, one for each bit of the count that can leave anything of `a`; the places at the top take `fill`.
    pub(super) fn shift_right(&mut self, a: &[Literal], count: &[Literal], fill: Literal) -> Vector {
        let width = a.len();
        let mut result: Vector = a.into();
        let mut beyond = Vector::new();
        for (stage, &bit) in count.iter().enumerate() {
            let distance = if stage < 32 { 1_usize << stage } else { width };
            if distance >= width {
                beyond.push(bit);
                continue;
            }
            for at in 0..width {
                let moved = result.get(at + distance).copied().unwrap_or(fill);
                result[at] = self.ite(bit, moved, result[at]);
            }
        }
        let beyond = self.or_many(beyond);
        result.iter().map(|&literal| self.ite(beyond, fill, literal)).collect()
    }
}
