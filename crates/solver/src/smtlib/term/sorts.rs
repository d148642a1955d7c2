//! Sorts as they are written, and names that a script gives them.

use rustc_hash::FxHashMap;
use symcrete_expr::FloatKind;

use super::{Sort, float_kind, width};
use crate::smtlib::error::{Error, Problem};
use crate::smtlib::read::{Kind, NodeId, Tree};

/// The sorts that a script has defined.
#[derive(Default)]
pub(in crate::smtlib) struct Sorts {
    names: FxHashMap<String, Sort>,
}

impl Sorts {
    pub fn define(&mut self, name: &str, sort: Sort) -> Result<(), Problem> {
        match self.names.insert(name.to_owned(), sort) {
            Some(_) => Err(Problem::Redeclared(name.to_owned())),
            None => Ok(()),
        }
    }

    pub fn forget(&mut self, name: &str) {
        self.names.remove(name);
    }

    pub fn read(&self, tree: &Tree, node: NodeId) -> Result<Sort, Error> {
        self.find(tree, node).map_err(|problem| tree.error(node, problem))
    }

    fn find(&self, tree: &Tree, node: NodeId) -> Result<Sort, Problem> {
        let unknown = || Problem::UnknownSort(tree.source(node));
        if let Some(name) = tree.symbol(node) {
            let known = match name {
                "Bool" => Some(Sort::Boolean),
                "RoundingMode" => Some(Sort::Rounding),
                "Float16" => Some(Sort::Float(FloatKind::Half)),
                "Float32" => Some(Sort::Float(FloatKind::Single)),
                "Float64" => Some(Sort::Float(FloatKind::Double)),
                "Float128" => Some(Sort::Float(FloatKind::Quad)),
                name => self.names.get(name).copied(),
            };
            return known.ok_or_else(unknown);
        }
        let parts = tree.children(node);
        let name = parts.first().and_then(|head| tree.symbol(*head));
        match (name, parts) {
            (Some("_"), [_, family, indices @ ..]) => {
                let numbers: Option<Vec<u64>> = indices.iter().map(|index| numeral(tree, *index)).collect();
                match (tree.symbol(*family), numbers.ok_or_else(unknown)?.as_slice()) {
                    (Some("BitVec"), [bits]) => Ok(Sort::Bits(width(*bits)?)),
                    (Some("FloatingPoint"), [exponent, significand]) => {
                        Ok(Sort::Float(float_kind(*exponent, *significand)?))
                    }
                    _ => Err(unknown()),
                }
            }
            // The parts of an array are vectors, so this goes no deeper than one step.
            (Some("Array"), [_, index, element]) if is_flat(tree, *index) && is_flat(tree, *element) => {
                match (self.find(tree, *index)?, self.find(tree, *element)?) {
                    (Sort::Bits(index), Sort::Bits(element)) => Ok(Sort::Array { index, element }),
                    _ => Err(unknown()),
                }
            }
            _ => Err(unknown()),
        }
    }
}

fn is_flat(tree: &Tree, node: NodeId) -> bool {
    tree.children(node).iter().all(|child| tree.kind(*child) != Kind::List)
}

/// A numeral that fits a word.
pub(in crate::smtlib) fn numeral(tree: &Tree, node: NodeId) -> Option<u64> {
    (tree.kind(node) == Kind::Numeral).then(|| tree.atom(node).parse().ok()).flatten()
}
