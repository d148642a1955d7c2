//! From a tape to machine code: one function that scores points, row by row. `translate` walks the tape, `integers`,
//! `floats`, `scores` and `calls` say what each operation becomes; `native` holds the finished code and is the only one
//! to run it.
//!
//! Code is made as fast as it can be, not as good as it can be: a query is solved once.

mod calls;
mod floats;
mod integers;
#[allow(unsafe_code)]
mod native;
mod scores;
mod translate;

use std::sync::{Arc, OnceLock};

use cranelift_codegen::Context;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, ModuleError, default_libcall_names};

use crate::tape::Tape;
use native::{Code, Held};
use translate::Translator;

/// Values that do not fit the registers are kept on the stack while a row is computed: a tape of this many instructions
/// needs about a quarter of a megabyte there.
pub const MOST_INSTRUCTIONS: usize = 20_000;

/// Why a tape stays with the interpreter.
#[derive(Debug, thiserror::Error)]
pub enum NotCompilable {
    #[error("the tape has more than {MOST_INSTRUCTIONS} instructions")]
    TooLarge,
    #[error("the tape has values of more than 64 bits")]
    Wide,
    #[error("the tape has floats of a kind or a rounding that the machine does not compute in one instruction")]
    Float,
    #[error("there is no code for this machine")]
    Machine,
    #[error("the code generator failed: {0}")]
    Generator(#[from] Box<ModuleError>),
}

/// A tape as machine code. It holds all that it needs: the tape may go.
pub struct Compiled {
    code: Code,
}

impl Compiled {
    pub fn new(tape: &Tape) -> Result<Compiled, NotCompilable> {
        if !tape.is_narrow() {
            return Err(NotCompilable::Wide);
        }
        if tape.instructions.len() > MOST_INSTRUCTIONS {
            return Err(NotCompilable::TooLarge);
        }
        let mut module = JITModule::new(JITBuilder::with_isa(machine()?, default_libcall_names()));
        let mut context = Context::new();
        context.func.signature = Code::signature(module.isa());
        let mut builders = FunctionBuilderContext::new();
        let held = Held::new(tape);
        let scratch = Translator::new(tape, &held, &mut context.func, &mut builders).finish(module.target_config())?;
        let name = module.declare_anonymous_function(&context.func.signature).map_err(Box::new)?;
        module.define_function(name, &mut context).map_err(Box::new)?;
        module.finalize_definitions().map_err(Box::new)?;
        Ok(Compiled { code: Code::new(module, name, held, tape, scratch) })
    }

    /// The score of each constraint for each point, and the difference of its sides, which is not a number where it has
    /// no sides. Points, scores and gaps stand row by row.
    pub fn run(&mut self, points: &[u64], rows: usize, scores: &mut [f64], gaps: &mut [f64]) {
        self.code.run(points, rows, scores, gaps);
    }
}

/// The processor that this program runs on. Results are bit for bit those of its floats only if it is an x86-64.
fn machine() -> Result<Arc<dyn TargetIsa>, NotCompilable> {
    static MACHINE: OnceLock<Option<Arc<dyn TargetIsa>>> = OnceLock::new();
    let machine = MACHINE.get_or_init(|| {
        let mut flags = settings::builder();
        let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
        let wanted = [
            ("opt_level", "none"),
            ("regalloc_algorithm", "single_pass"),
            ("enable_verifier", verifier),
            // A frame that is larger than a page must not reach past the end of the stack.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
            ("unwind_info", "false"),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
        ];
        for (name, value) in wanted {
            flags.set(name, value).ok()?;
        }
        let builder = cranelift_native::builder().ok().filter(|_| cfg!(all(target_arch = "x86_64", unix)))?;
        builder.finish(settings::Flags::new(flags)).ok()
    });
    machine.clone().ok_or(NotCompilable::Machine)
}
