//! Calls from code: of functions by their addresses, of closures, and of the float operations that are not one
//! instruction.

use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Type, Value, types};
use symcrete_expr::dag::{FloatOperation, Native};
use symcrete_expr::float::{double, single};

use super::floats::Precision;
use super::native::{Site, call_site};
use super::translate::{Form, Translator};
use crate::tape::Slot;

/// An operation on three words; those with fewer operands leave the last ones alone.
pub(super) type Helper = extern "C" fn(u64, u64, u64) -> u64;

extern "C" fn remainder_of_doubles(a: u64, b: u64, _: u64) -> u64 {
    double::rem(a, b)
}

extern "C" fn remainder_of_singles(a: u64, b: u64, _: u64) -> u64 {
    single::rem(a, b)
}

extern "C" fn fused_doubles(a: u64, b: u64, c: u64) -> u64 {
    double::fma(a, b, c)
}

extern "C" fn fused_singles(a: u64, b: u64, c: u64) -> u64 {
    single::fma(a, b, c)
}

extern "C" fn rounded_double(a: u64, _: u64, _: u64) -> u64 {
    double::round(a)
}

extern "C" fn rounded_single(a: u64, _: u64, _: u64) -> u64 {
    single::round(a)
}

/// For remainders, fused multiplication and addition, and rounding to integers with halves away from zero.
pub(super) fn helper(operation: FloatOperation, precision: Precision) -> Helper {
    match (operation, precision) {
        (FloatOperation::Rem, Precision::Double) => remainder_of_doubles,
        (FloatOperation::Rem, Precision::Single) => remainder_of_singles,
        (FloatOperation::MultiplyAdd, Precision::Double) => fused_doubles,
        (FloatOperation::MultiplyAdd, Precision::Single) => fused_singles,
        (_, Precision::Double) => rounded_double,
        (_, Precision::Single) => rounded_single,
    }
}

/// Those that have been declared, by the type of arguments and result and the number of arguments.
#[derive(Default)]
pub(super) struct Signatures {
    known: Vec<(Type, usize, SigRef)>,
}

impl Translator<'_, '_> {
    pub(super) fn by_helper(&mut self, helper: Helper, operands: [Slot; 3]) -> Form {
        let operands = operands.map(|slot| self.word(slot));
        Form::Word(self.call_address(helper as usize, types::I64, &operands))
    }

    /// Function `function` of the tape on the slots of a list.
    pub(super) fn call(&mut self, function: u32, list: u32, width: u32) -> Form {
        let site = &self.held.sites[self.calls];
        self.calls += 1;
        let arguments = &self.tape.lists[list as usize];
        if let Some(native) = self.tape.functions[function as usize].native_for(arguments, width) {
            return self.call_native(native, arguments);
        }
        self.call_closure(site, arguments)
    }

    fn call_native(&mut self, native: Native, arguments: &[(Slot, u32)]) -> Form {
        let address = match native {
            Native::Double1(function) => function as usize,
            Native::Double2(function) => function as usize,
            Native::Single1(function) => function as usize,
            Native::Single2(function) => function as usize,
        };
        if native.width() == 32 {
            let arguments: Vec<Value> = arguments.iter().map(|(slot, _)| self.single(*slot)).collect();
            return Form::Single(self.call_address(address, types::F32, &arguments));
        }
        let arguments: Vec<Value> = arguments.iter().map(|(slot, _)| self.double(*slot)).collect();
        Form::Double(self.call_address(address, types::F64, &arguments))
    }

    /// Arguments go through the scratch memory, at a place of their own.
    fn call_closure(&mut self, site: &Site, arguments: &[(Slot, u32)]) -> Form {
        let start = self.scratch_words;
        self.scratch_words += arguments.len();
        for (at, (slot, _)) in arguments.iter().enumerate() {
            let word = self.word(*slot);
            self.store(word, self.scratch, start + at);
        }
        let offset = self.number(start as u64 * 8);
        let words = self.builder.ins().iadd(self.scratch, offset);
        let site = self.number(std::ptr::from_ref(site) as u64);
        Form::Word(self.call_address(call_site as *const () as usize, types::I64, &[site, words]))
    }

    /// All arguments and the result have one type.
    fn call_address(&mut self, address: usize, kind: Type, arguments: &[Value]) -> Value {
        let signature = self.signature(kind, arguments.len());
        let address = self.number(address as u64);
        let call = self.builder.ins().call_indirect(signature, address, arguments);
        self.builder.inst_results(call)[0]
    }

    fn signature(&mut self, kind: Type, arguments: usize) -> SigRef {
        let known = self.signatures.known.iter().find(|(of, count, _)| (*of, *count) == (kind, arguments));
        if let Some((_, _, signature)) = known {
            return *signature;
        }
        let mut signature = Signature::new(self.builder.func.signature.call_conv);
        signature.params = vec![AbiParam::new(kind); arguments];
        signature.returns = vec![AbiParam::new(kind)];
        let signature = self.builder.import_signature(signature);
        self.signatures.known.push((kind, arguments, signature));
        signature
    }
}
