//! Bytes of files that depend on inputs, and data on its way between memory and a file.

use std::collections::BTreeMap;
use std::rc::Rc;

use symcrete_expr::Expr;
use symcrete_memory::Cell;

/// A byte that is part of an expression, as in memory.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Part {
    pub expr: Expr,
    pub index: u32,
}

/// Bytes, and which of them are parts of expressions: there the byte itself means nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data {
    pub bytes: Vec<u8>,
    pub parts: Vec<(usize, Part)>,
}

impl Data {
    pub fn from_cells(cells: &[Cell]) -> Data {
        let mut data = Data::default();
        for (at, cell) in cells.iter().enumerate() {
            match *cell {
                Cell::Byte { bits, .. } => data.bytes.push(bits),
                Cell::Part { expr, index } => {
                    data.bytes.push(0);
                    data.parts.push((at, Part { expr, index }));
                }
            }
        }
        data
    }
}

/// The bytes of a file that are parts of expressions, by their place.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(Option<Rc<BTreeMap<usize, Part>>>);

impl Parts {
    /// Those of a range, by their place in it.
    pub fn range(&self, start: usize, count: usize) -> Vec<(usize, Part)> {
        match &self.0 {
            Some(parts) => {
                parts.range(start..start.saturating_add(count)).map(|(at, part)| (at - start, *part)).collect()
            }
            None => Vec::new(),
        }
    }

    /// Replaces a range.
    pub fn write(&mut self, start: usize, count: usize, new: &[(usize, Part)]) {
        if self.0.is_none() && new.is_empty() {
            return;
        }
        let parts = Rc::make_mut(self.0.get_or_insert_default());
        let old: Vec<usize> = parts.range(start..start + count).map(|(at, _)| *at).collect();
        for at in old {
            parts.remove(&at);
        }
        parts.extend(new.iter().filter(|(at, _)| *at < count).map(|(at, part)| (start + at, *part)));
    }

    /// Forgets what lies beyond a size.
    pub fn truncate(&mut self, size: usize) {
        if let Some(parts) = &mut self.0
            && parts.last_key_value().is_some_and(|(at, _)| *at >= size)
        {
            Rc::make_mut(parts).split_off(&size);
        }
    }

    /// Every expression that a byte is part of.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> + '_ {
        self.0.iter().flat_map(|parts| parts.values()).map(|part| part.expr)
    }
}
