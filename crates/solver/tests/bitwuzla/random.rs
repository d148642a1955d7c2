//! Random values and random expressions, the same in every run.

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr};

/// A generator by xorshift and multiplication.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.word() >> 16) as usize % limit
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Often a value at a limit, or a small one.
    pub fn bits(&mut self, width: u32) -> Bits {
        let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
        match self.below(6) {
            0 => Bits::from_u64(width, self.word() % 5),
            1 => Bits::ones(width),
            2 => {
                let mut bits = Bits::zero(width);
                bits.set_bit(self.below(width as usize) as u32, true);
                bits
            }
            _ => Bits::from_limbs(width, &limbs),
        }
    }
}

const BINARY: [Op; 13] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
];
const COMPARISONS: [Op; 5] = [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];

/// Expressions over vectors and arrays that are there: each step adds one that is made of earlier ones.
pub struct Grower {
    pub random: Random,
    pub vectors: Vec<Expr>,
    pub arrays: Vec<Expr>,
}

impl Grower {
    /// One of the vectors, brought to a width.
    pub fn vector(&mut self, arena: &mut Arena, width: u32) -> Expr {
        let expr = self.random.pick(&self.vectors);
        let own = arena.width(expr);
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => expr,
            std::cmp::Ordering::Greater => {
                arena.extract(expr, self.random.below((own - width + 1) as usize) as u32, width)
            }
            std::cmp::Ordering::Less if self.random.below(2) == 0 => arena.zero_extend(expr, width),
            std::cmp::Ordering::Less => arena.sign_extend(expr, width),
        }
    }

    pub fn grow(&mut self, arena: &mut Arena, widths: &[u32]) {
        let width = self.random.pick(widths);
        let (a, b) = (self.vector(arena, width), self.vector(arena, width));
        let grown = match self.random.below(12) {
            0 => arena.not(a),
            1 | 2 => {
                let op = self.random.pick(&COMPARISONS);
                arena.compare(op, a, b)
            }
            3 => {
                let condition = self.vector(arena, 1);
                arena.ite(condition, a, b)
            }
            4 => arena.concat(a, b),
            5 if !self.arrays.is_empty() => {
                let array = self.random.pick(&self.arrays);
                let index = self.vector(arena, arena.index_width(array));
                arena.select(array, index)
            }
            6 if !self.arrays.is_empty() => {
                let array = self.random.pick(&self.arrays);
                let index = self.vector(arena, arena.index_width(array));
                let element = self.vector(arena, arena.width(array));
                let stored = arena.store(array, index, element);
                self.arrays.push(stored);
                a
            }
            7 if self.arrays.len() > 1 => {
                let (one, other) = (self.random.pick(&self.arrays), self.random.pick(&self.arrays));
                if arena.width(one) == arena.width(other) && arena.index_width(one) == arena.index_width(other) {
                    let condition = self.vector(arena, 1);
                    let chosen = arena.ite(condition, one, other);
                    self.arrays.push(chosen);
                }
                b
            }
            _ => {
                let op = self.random.pick(&BINARY);
                arena.binary(op, a, b)
            }
        };
        self.vectors.push(grown);
    }
}
