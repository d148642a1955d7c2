//! Random sizes, bytes and cells. What is done with them is in `world`.

use cranelift_entity::EntityRef;
use symcrete_expr::Expr;
use symcrete_memory::Cell;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// Mostly defined.
    pub fn masks(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| if self.below(3) == 0 { self.next() as u8 } else { 0 }).collect()
    }

    pub fn expr(&mut self) -> Expr {
        Expr::new(self.below(100_000_000) as usize)
    }

    /// Runs of bytes of all kinds; undefined bits may be set, as those who write cells need not care.
    pub fn cells(&mut self, length: u64) -> Vec<Cell> {
        let mut cells = Vec::new();
        while (cells.len() as u64) < length {
            let run = 1 + self.below(12) as u32;
            match self.below(4) {
                0 => cells.extend(self.bytes(run.into()).into_iter().map(|bits| Cell::Byte { bits, undefined: 0 })),
                1 => {
                    cells.extend((0..run).map(|_| Cell::Byte { bits: self.next() as u8, undefined: self.next() as u8 }))
                }
                2 => cells.extend((0..run).map(|_| Cell::Byte { bits: 0, undefined: 0xff })),
                _ => {
                    let (expr, first) = (self.expr(), self.below(3) as u32 * 1000);
                    cells.extend((0..run).map(|at| Cell::Part { expr, index: first + at }));
                }
            }
        }
        cells.truncate(length as usize);
        cells
    }

    /// Small as a rule, at times many pages.
    pub fn size(&mut self) -> u64 {
        match self.below(10) {
            0 => 0,
            1..=5 => self.below(40) + 1,
            6..=7 => self.below(600) + 1,
            8 => 256 * (self.below(4) + 1),
            _ => self.below(9000) + 1,
        }
    }
}
