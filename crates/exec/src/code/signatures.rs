//! Types of parameters and results as numbers, so that a call through a pointer sees at once whether the function expects what it passes.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use symcrete_ir::{CallData, FuncId, Program, Type};

/// The number of a list of types of parameters and results.
pub type Signature = u32;

/// The signatures of the functions that have a body and take no arguments in memory.
#[derive(Default)]
pub struct Signatures {
    known: FxHashMap<(Vec<Type>, Vec<Type>), Signature>,
    of_function: Vec<Option<Signature>>,
}

impl Signatures {
    pub fn new(program: &Program) -> Signatures {
        let mut signatures = Signatures::default();
        for function in program.functions.values() {
            let is_plain = function.body.is_some() && function.params.iter().all(|param| param.by_value.is_none());
            let signature = is_plain.then(|| {
                let params = function.params.iter().map(|param| param.ty).collect();
                let next = signatures.known.len() as Signature;
                *signatures.known.entry((params, function.results.clone())).or_insert(next)
            });
            signatures.of_function.push(signature);
        }
        signatures
    }

    pub fn of_call(&self, call: &CallData) -> Option<Signature> {
        self.known.get(&(call.arg_types.clone(), call.result_types.clone())).copied()
    }

    #[inline]
    pub fn of_function(&self, function: FuncId) -> Option<Signature> {
        self.of_function[function.index()]
    }
}
