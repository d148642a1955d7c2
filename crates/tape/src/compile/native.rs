//! The finished code and what it stands on: the only place of this crate with `unsafe`.
//!
//! What makes running it sound:
//! - The code is one function of the signature `Entry`, made by `translate` for the tape whose sizes are kept here. It
//!   reads `rows * words` words of points, writes `rows * constraints` scores and as many gaps, and uses `scratch`
//!   words of scratch memory. `run` checks that the slices are that large.
//! - It reads the tables of constants and calls through the call sites by addresses that `translate` took from `Held`,
//!   which lives as long as the code and never moves what it holds. Reads of tables are within their bounds by the
//!   code's own checks.
//! - It calls functions by the addresses and signatures of `Native`, and the `extern "C"` functions of `calls` and of
//!   this file.
//! - The memory of the code is freed when `Code` goes, and nobody else has its address.

use std::mem::ManuallyDrop;
use std::rc::Rc;

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::TargetIsa;
use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use smallvec::SmallVec;
use symcrete_expr::Bits;
use symcrete_expr::dag::Evaluate;

use crate::tape::{Operation, Tape};

type Entry = unsafe extern "C" fn(*const u64, usize, *mut f64, *mut f64, *mut u64);

/// What code refers to by address.
pub(super) struct Held {
    pub tables: Vec<Rc<[u64]>>,
    /// Of each call, in the order of the tape.
    pub sites: Box<[Site]>,
}

/// A call of a function that is a closure.
pub(super) struct Site {
    evaluate: Evaluate,
    arguments: Vec<u32>,
    width: u32,
}

impl Held {
    pub fn new(tape: &Tape) -> Held {
        let calls = tape.instructions.iter().filter(|instruction| instruction.op == Operation::Call);
        let sites = calls.map(|call| Site {
            evaluate: tape.functions[call.a as usize].evaluate.clone(),
            arguments: tape.lists[call.b as usize].iter().map(|(_, width)| *width).collect(),
            width: call.c,
        });
        Held { tables: tape.tables.clone(), sites: sites.collect() }
    }
}

/// Calls the closure of a site on words.
///
/// # Safety
/// The site is one of `Held`, and there are as many words as it has arguments. A closure that panics ends the process.
pub(super) unsafe extern "C" fn call_site(site: *const Site, words: *const u64) -> u64 {
    // SAFETY: the caller's promise.
    let (site, words) = unsafe {
        let site = &*site;
        (site, std::slice::from_raw_parts(words, site.arguments.len()))
    };
    let arguments: SmallVec<[Bits; 4]> =
        site.arguments.iter().zip(words).map(|(width, word)| Bits::from_u64(*width, *word)).collect();
    (site.evaluate)(&arguments, site.width).low_u64()
}

/// Code that can run.
pub(super) struct Code {
    /// Taken when the code goes.
    module: ManuallyDrop<JITModule>,
    entry: Entry,
    words: usize,
    constraints: usize,
    scratch: Vec<u64>,
    _held: Held,
}

impl Code {
    /// Of the function that is compiled.
    pub fn signature(isa: &dyn TargetIsa) -> Signature {
        let mut signature = Signature::new(isa.default_call_conv());
        signature.params = vec![AbiParam::new(types::I64); 5];
        signature
    }

    /// Of a function of the module that has been compiled for this tape, with so many words of scratch memory.
    pub fn new(module: JITModule, function: FuncId, held: Held, tape: &Tape, scratch: usize) -> Code {
        let address = module.get_finalized_function(function);
        // SAFETY: the function has this signature.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Code {
            module: ManuallyDrop::new(module),
            entry,
            words: tape.words,
            constraints: tape.outputs.len(),
            scratch: vec![0; scratch],
            _held: held,
        }
    }

    pub fn run(&mut self, points: &[u64], rows: usize, scores: &mut [f64], gaps: &mut [f64]) {
        let results = rows.checked_mul(self.constraints);
        assert!(rows.checked_mul(self.words).is_some_and(|words| words <= points.len()));
        assert!(results.is_some_and(|results| results <= scores.len() && results <= gaps.len()));
        // SAFETY: the slices are as large as the code expects, and so is the scratch memory.
        unsafe {
            (self.entry)(points.as_ptr(), rows, scores.as_mut_ptr(), gaps.as_mut_ptr(), self.scratch.as_mut_ptr());
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: nothing runs the code any more, and the module is not used again.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}
