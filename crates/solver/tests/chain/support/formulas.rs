//! Random formulas, such as programs make: arithmetic, masks, tables, comparisons.

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr};

use super::Random;

pub struct Formulas<'r> {
    pub random: &'r mut Random,
    /// All of one width.
    pub variables: Vec<Expr>,
    pub division: bool,
}

const ARITHMETIC: [Op; 6] = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor];
const SHIFTS: [Op; 3] = [Op::Shl, Op::LShr, Op::AShr];
const DIVISIONS: [Op; 4] = [Op::UDiv, Op::URem, Op::SDiv, Op::SRem];
const COMPARISONS: [Op; 5] = [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];

impl Formulas<'_> {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len() as u64) as usize]
    }

    pub fn constant(&mut self, arena: &mut Arena, width: u32) -> Expr {
        let bits = match self.random.below(4) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::from_u64(width, self.random.below(4)),
            _ => Bits::from_u128(width, u128::from(self.random.next()) << 64 | u128::from(self.random.next())),
        };
        arena.constant(&bits)
    }

    /// A value of the width of the variables.
    pub fn value(&mut self, arena: &mut Arena, depth: u32) -> Expr {
        let width = arena.width(self.variables[0]);
        if depth == 0 || self.random.chance(8) {
            let variables = self.variables.clone();
            return if self.random.chance(4) { self.constant(arena, width) } else { self.pick(&variables) };
        }
        match self.random.below(12) {
            0..=4 => {
                let (a, b) = (self.value(arena, depth - 1), self.value(arena, depth - 1));
                let op = self.pick(&ARITHMETIC);
                arena.binary(op, a, b)
            }
            5 => {
                let (a, b) = (self.value(arena, depth - 1), self.value(arena, depth - 1));
                let op = if self.division { self.pick(&DIVISIONS) } else { self.pick(&SHIFTS) };
                arena.binary(op, a, b)
            }
            6 => {
                let a = self.value(arena, depth - 1);
                arena.not(a)
            }
            7 => {
                let condition = self.condition(arena, depth - 1);
                let (a, b) = (self.value(arena, depth - 1), self.value(arena, depth - 1));
                arena.ite(condition, a, b)
            }
            8 => {
                let a = self.value(arena, depth - 1);
                let part_width = self.random.below(u64::from(width)) as u32 + 1;
                let low = self.random.below(u64::from(width - part_width + 1)) as u32;
                let part = arena.extract(a, low, part_width);
                if self.random.chance(2) { arena.zero_extend(part, width) } else { arena.sign_extend(part, width) }
            }
            9 if width > 1 => {
                let (a, b) = (self.value(arena, depth - 1), self.value(arena, depth - 1));
                let cut = self.random.below(u64::from(width - 1)) as u32 + 1;
                let (high, low) = (arena.extract(a, 0, width - cut), arena.extract(b, 0, cut));
                arena.concat(high, low)
            }
            10 => {
                let elements: Vec<Expr> = (0..3).map(|_| self.value(arena, depth.saturating_sub(2))).collect();
                let mut table = arena.table(width, width, &elements);
                if self.random.chance(2) {
                    let (index, element) = (self.value(arena, 0), self.value(arena, 0));
                    table = arena.store(table, index, element);
                }
                let index = self.value(arena, depth - 1);
                arena.select(table, index)
            }
            _ => {
                let (a, b) = (self.value(arena, depth - 1), self.value(arena, depth - 1));
                let op = self.pick(&SHIFTS);
                arena.binary(op, a, b)
            }
        }
    }

    /// A condition.
    pub fn condition(&mut self, arena: &mut Arena, depth: u32) -> Expr {
        match self.random.below(8) {
            0 if depth > 0 => {
                let (a, b) = (self.condition(arena, depth - 1), self.condition(arena, depth - 1));
                let op = self.pick(&[Op::And, Op::Or, Op::Xor]);
                arena.binary(op, a, b)
            }
            1 if depth > 0 => {
                let a = self.condition(arena, depth - 1);
                arena.not(a)
            }
            _ => {
                let (a, b) = (self.value(arena, depth), self.value(arena, depth / 2));
                let op = self.pick(&COMPARISONS);
                arena.compare(op, a, b)
            }
        }
    }
}
