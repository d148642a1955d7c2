//! A path without its state: the decisions that rebuild it, and the inputs that satisfy its condition. Also as bytes, for keeping many of
//! them.

use symcrete_expr::dag::Variable;
use symcrete_expr::{Arena, Bits, Model};

use crate::path::Path;
use crate::path::packing::{Unpacker, pack_bytes, pack_number};

#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    pub decisions: Vec<u8>,
    /// By what a variable is, not by its number, which is another one in another arena.
    pub model: Vec<(Variable, Bits)>,
    pub depth: u32,
}

impl Aside {
    pub fn of(path: &Path, arena: &Arena) -> Aside {
        let model = path.model.values().map(|(id, bits)| (arena.variables()[id], bits.clone())).collect();
        Aside { decisions: path.firm_decisions().to_bytes(), model, depth: path.depth }
    }

    /// The assignment, in the numbers of an arena.
    pub fn model(&self, arena: &mut Arena) -> Model {
        let mut model = Model::default();
        for (variable, bits) in &self.model {
            let expr = arena.variable(*variable);
            if let Some(id) = arena.variable_of(expr) {
                model.set(id, bits.clone());
            }
        }
        model
    }

    /// Appends it to some bytes. Variables that follow each other in an input, as most do, are named once.
    pub fn pack(&self, out: &mut Vec<u8>) {
        pack_number(out, u64::from(self.depth));
        pack_bytes(out, &self.decisions);
        let runs = || self.model.chunk_by(|left, right| follows(&left.0, &right.0));
        pack_number(out, runs().count() as u64);
        for run in runs() {
            let first = &run[0].0;
            for number in [first.input, first.offset, first.width, first.index_width, run.len() as u32] {
                pack_number(out, u64::from(number));
            }
            for (_, bits) in run {
                out.extend_from_slice(&bits.to_le_bytes()[..bytes_of(first.width)]);
            }
        }
    }

    /// Reads one; `None` if the bytes are damaged.
    pub fn unpack(bytes: &mut Unpacker) -> Option<Aside> {
        let depth = bytes.number_32()?;
        let decisions = bytes.bytes()?.to_vec();
        let mut model = Vec::new();
        for _ in 0..bytes.number()? {
            let (input, offset, width) = (bytes.number_32()?, bytes.number_32()?, bytes.number_32()?);
            let (index_width, count) = (bytes.number_32()?, bytes.number_32()?);
            for at in 0..count {
                let step = at.checked_mul(width / 8)?;
                let offset = offset.checked_add(step)?;
                let value = bytes.raw(bytes_of(width)).filter(|_| width > 0)?;
                model.push((Variable { input, offset, width, index_width }, Bits::from_le_bytes(width, value)));
            }
        }
        Some(Aside { decisions, model, depth })
    }
}

fn bytes_of(width: u32) -> usize {
    width.div_ceil(8) as usize
}

/// Whether a variable comes right behind another one of its kind.
fn follows(left: &Variable, right: &Variable) -> bool {
    left.width.is_multiple_of(8) && *right == Variable { offset: left.offset.wrapping_add(left.width / 8), ..*left }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_path_is_read_as_it_was_written() {
        let variable = |input, offset, width| Variable { input, offset, width, index_width: 0 };
        let mut model: Vec<(Variable, Bits)> =
            (0..9).map(|at| (variable(3, at, 8), Bits::from_u64(8, 200 + u64::from(at)))).collect();
        model.push((variable(4, 0, 1), Bits::ones(1)));
        model.push((variable(5, 0, 64), Bits::ones(64)));
        model.push((variable(5, 8, 64), Bits::from_u64(64, 7)));
        model.push((variable(6, 0, 300), Bits::ones(300)));
        let first = Aside { decisions: (0..200).collect(), model, depth: 300 };
        let second = Aside { decisions: Vec::new(), model: Vec::new(), depth: 0 };
        let mut bytes = Vec::new();
        first.pack(&mut bytes);
        second.pack(&mut bytes);
        let mut reader = Unpacker::new(&bytes);
        assert_eq!(Aside::unpack(&mut reader).unwrap(), first);
        assert_eq!(Aside::unpack(&mut reader).unwrap(), second);
        assert!(reader.is_empty());
        for end in 0..bytes.len() - 3 {
            assert_eq!(Aside::unpack(&mut Unpacker::new(&bytes[..end])).filter(|aside| *aside == first), None, "{end}");
        }
    }
}
