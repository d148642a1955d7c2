//! Products and quotients of vectors. A product is a sum of shifted rows; a quotient and its remainder are inputs of which the
//! product says what they are.

use symcrete_expr::Bits;

use super::gate::{Gates, Literal, Owner};
use super::vector::{Vector, as_constant, complement, significant};

/// A factor, taken apart: the sum of these rows is the product.
enum Row {
    /// The other factor where this literal holds, moved up by so many places.
    Add(Literal, usize),
    Subtract(Literal, usize),
}

impl Gates {
    /// The low bits of the product, as many as the factors have.
    pub(super) fn multiply(&mut self, a: &[Literal], b: &[Literal]) -> Vector {
        let (rows_a, rows_b) = (rows(a), rows(b));
        // Fewer rows, fewer adders.
        let (factor, rows) = if rows_a.len() < rows_b.len() { (b, rows_a) } else { (a, rows_b) };
        let width = a.len();
        let mut product: Vector = (0..width).map(|_| Literal::FALSE).collect();
        for row in rows {
            let (place, addend, carry) = match row {
                Row::Add(literal, place) => (place, self.gated(literal, &factor[..width - place]), Literal::FALSE),
                Row::Subtract(literal, place) => {
                    let addend = self.gated(literal, &factor[..width - place]);
                    (place, complement(&addend), Literal::TRUE)
                }
            };
            let (sum, _) = self.sum(&product[place..], &addend, carry);
            product[place..].copy_from_slice(&sum);
        }
        product
    }

    fn gated(&mut self, gate: Literal, vector: &[Literal]) -> Vector {
        vector.iter().map(|&literal| self.and(gate, literal)).collect()
    }

    /// The quotient and the remainder of unsigned numbers. Division by zero: all ones, and the dividend.
    pub(super) fn divide(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Vector, Vector) {
        let width = dividend.len();
        match as_constant(divisor) {
            Some(divisor) if divisor.is_zero() => ((0..width).map(|_| Literal::TRUE).collect(), dividend.into()),
            Some(divisor) => self.divide_by_constant(dividend, &divisor),
            None => self.divide_by_vector(dividend, divisor),
        }
    }

    fn divide_by_constant(&mut self, dividend: &[Literal], divisor: &Bits) -> (Vector, Vector) {
        let width = dividend.len();
        let size = significant(dividend);
        let log = (divisor.width() - 1 - divisor.leading_zeros()) as usize;
        if log >= size {
            // The dividend is too short to reach the divisor.
            return ((0..width).map(|_| Literal::FALSE).collect(), dividend.into());
        }
        let padded = |vector: &[Literal], length: usize| -> Vector {
            (0..length).map(|at| vector.get(at).copied().unwrap_or(Literal::FALSE)).collect()
        };
        if divisor.count_ones() == 1 {
            return (padded(&dividend[log..], width), padded(&dividend[..log], width));
        }
        let obligation = self.new_obligation();
        let quotient = self.inputs(size - log, Owner::Obligation(obligation));
        let remainder = self.inputs(log + 1, Owner::Obligation(obligation));
        // The quotient has so few bits that quotient * divisor + remainder needs one bit more than the dividend.
        let length = size + 1;
        let divisor: Vector =
            (0..length as u32).map(|at| Literal::constant(at < divisor.width() && divisor.bit(at))).collect();
        let product = self.multiply(&padded(&quotient, length), &divisor);
        let sum = self.add(&product, &padded(&remainder, length));
        self.oblige_equal(obligation, &sum, &padded(&dividend[..size], length));
        let fits = self.unsigned_less(&padded(&remainder, length), &divisor);
        self.oblige(obligation, [fits, Literal::FALSE, Literal::FALSE]);
        (padded(&quotient, width), padded(&remainder, width))
    }

    fn divide_by_vector(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Vector, Vector) {
        let width = dividend.len();
        let size = significant(dividend);
        let obligation = self.new_obligation();
        let mut quotient = self.inputs(size, Owner::Obligation(obligation));
        let mut remainder = self.inputs(size, Owner::Obligation(obligation));
        quotient.resize(width, Literal::FALSE);
        remainder.resize(width, Literal::FALSE);
        let mut total = remainder.clone();
        for (place, &bit) in quotient.iter().enumerate().take(size) {
            let (low, high) = divisor.split_at(width - place);
            // Nothing may overflow: neither the moved divisor nor a sum.
            for &lost in high {
                self.oblige(obligation, [!bit, !lost, Literal::FALSE]);
            }
            let addend = self.gated(bit, low);
            let (sum, carry) = self.sum(&total[place..], &addend, Literal::FALSE);
            total[place..].copy_from_slice(&sum);
            self.oblige(obligation, [!carry, Literal::FALSE, Literal::FALSE]);
        }
        self.oblige_equal(obligation, &total, dividend);
        // With a divisor of zero the sum already makes the remainder the dividend.
        let fits = self.unsigned_less(&remainder, divisor);
        let zero = self.is_zero(divisor);
        self.oblige(obligation, [zero, fits, Literal::FALSE]);
        (quotient.iter().map(|&literal| self.or(zero, literal)).collect(), remainder)
    }

    fn oblige_equal(&mut self, obligation: u32, a: &[Literal], b: &[Literal]) {
        for (&a, &b) in a.iter().zip(b) {
            self.oblige(obligation, [!a, b, Literal::FALSE]);
            self.oblige(obligation, [a, !b, Literal::FALSE]);
        }
    }
}

/// The rows that a factor asks for: one for each bit, but fewer for constants and sign-extended numbers.
fn rows(factor: &[Literal]) -> Vec<Row> {
    let width = factor.len();
    if let Some(bits) = as_constant(factor) {
        return constant_rows(&bits);
    }
    let sign = factor[width - 1];
    let run = factor.iter().rev().take_while(|&&literal| literal == sign).count();
    let mut rows = Vec::new();
    let single = |at: usize| (factor[at] != Literal::FALSE).then_some(Row::Add(factor[at], at));
    if run >= 2 && sign != Literal::FALSE {
        // The top bits together weigh -2^(where they begin), modulo 2^width.
        rows.extend((0..width - run).filter_map(single));
        rows.push(Row::Subtract(sign, width - run));
    } else {
        rows.extend((0..width).filter_map(single));
    }
    rows
}

/// Digits 1, 0 and -1, no two neighbours of which are not 0: at most half as many rows as bits.
fn constant_rows(bits: &Bits) -> Vec<Row> {
    let width = bits.width();
    let mut rows = Vec::new();
    let mut carry = false;
    for at in 0..width {
        let bit = bits.bit(at) ^ carry;
        let both = bits.bit(at) && carry;
        let next = at + 1 < width && bits.bit(at + 1);
        carry = if bit && next {
            rows.push(Row::Subtract(Literal::TRUE, at as usize));
            true
        } else {
            if bit {
                rows.push(Row::Add(Literal::TRUE, at as usize));
            }
            both
        };
    }
    rows
}
