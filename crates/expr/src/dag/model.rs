//! An assignment of values to variables. What it makes of an expression is in `evaluate`.

use std::collections::BTreeMap;

use super::arena::VariableId;
use crate::Bits;

/// Variables that are not named are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// In the order of their numbers.
    values: Vec<(VariableId, Bits)>,
    arrays: BTreeMap<VariableId, ArrayModel>,
}

/// The value of an array variable.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayModel {
    pub default: Bits,
    pub entries: BTreeMap<Bits, Bits>,
}

impl ArrayModel {
    pub fn element(&self, index: &Bits) -> &Bits {
        self.entries.get(index).unwrap_or(&self.default)
    }
}

impl Model {
    /// Where the variable is, or belongs.
    #[inline]
    fn position(&self, variable: VariableId) -> Result<usize, usize> {
        // Most models name all variables from the first on.
        let guess = variable.as_u32() as usize;
        match self.values.get(guess) {
            Some((found, _)) if *found == variable => Ok(guess),
            _ => self.values.binary_search_by_key(&variable, |(variable, _)| *variable),
        }
    }

    #[inline]
    pub fn get(&self, variable: VariableId) -> Option<&Bits> {
        self.position(variable).ok().map(|at| &self.values[at].1)
    }

    /// The low 64 bits of the value.
    #[inline]
    pub fn word(&self, variable: VariableId) -> u64 {
        self.get(variable).map_or(0, Bits::low_u64)
    }

    pub fn set(&mut self, variable: VariableId, bits: Bits) {
        match self.position(variable) {
            Ok(at) => self.values[at].1 = bits,
            Err(at) => self.values.insert(at, (variable, bits)),
        }
    }

    pub fn array(&self, variable: VariableId) -> Option<&ArrayModel> {
        self.arrays.get(&variable)
    }

    pub fn set_array(&mut self, variable: VariableId, array: ArrayModel) {
        self.arrays.insert(variable, array);
    }

    /// In the order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = (VariableId, &Bits)> {
        self.values.iter().map(|(variable, bits)| (*variable, bits))
    }

    pub fn arrays(&self) -> impl Iterator<Item = (VariableId, &ArrayModel)> {
        self.arrays.iter().map(|(variable, array)| (*variable, array))
    }

    /// Takes over what the other one says.
    pub fn merge(&mut self, other: &Model) {
        for (variable, bits) in other.values() {
            self.set(variable, bits.clone());
        }
        self.arrays.extend(other.arrays.iter().map(|(variable, array)| (*variable, array.clone())));
    }
}
