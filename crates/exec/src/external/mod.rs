//! Functions that have no body in the program because the engine is their body: allocation, memory blocks, jumps, system calls, libm.
//! One table, by name. Adding a function is one row.

mod allocation;
mod blocks;
pub mod environment;
pub(crate) mod exceptions;
mod files;
mod inputs;
mod interpreted;
mod jumps;
mod kernel;
pub mod lazy;
pub(crate) mod math;
pub mod parameters;
mod system;
mod ubsan;

use smallvec::SmallVec;
use symcrete_expr::Value;
use symcrete_ir::{Call, Type};
use symcrete_memory::{Access, Part, ReadError};

use crate::Executor;
use crate::outcome::Purpose;
use crate::state::State;
use crate::step::symbolic::Symbolic;
use crate::step::{Stop, disagree, needs_word};

/// The implementation of an external function.
#[derive(Copy, Clone)]
pub(crate) enum External {
    /// Computes a result, or none, and goes on behind the call.
    Plain(fn(&mut Context) -> Result<Option<Value>, Stop>),
    /// Decides itself where execution goes on.
    Jump(fn(&mut Context) -> Result<(), Stop>),
    Math(&'static crate::libm::Function),
    /// Returns argc, argv and envp.
    Environment,
    /// Returns the parameters of a function under test.
    Parameters,
    /// Returns a new input of this type.
    Input(&'static str),
    /// Says which check of UndefinedBehaviorSanitizer failed.
    Check,
}

/// What an external function does, for those who do not execute it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Gives inputs; into what its first argument points to, if that is an address.
    GivesInputs,
    /// Computes; writes at most what pointers among its arguments point to.
    Computes,
    /// Makes, moves or frees memory.
    Allocates,
    /// Tells of files and what else is outside of the program.
    AsksWorld,
    /// Tells what comes next in a file, or goes somewhere else in it.
    MovesOn,
    /// Tells of what is outside of the program and may change it.
    ChangesWorld,
    /// Writes to a file, and tells nothing.
    Prints,
    /// Ends the program.
    Ends,
    /// Goes on somewhere else.
    Jumps,
    /// Nothing, or it assumes something.
    Nothing,
}

impl External {
    pub(crate) fn deed(self, name: &str) -> Deed {
        let in_table = |table: &[Row]| table.iter().any(|(known, _)| *known == name);
        let ends = [
            "__symcrete_exit",
            "__symcrete_abort",
            "__symcrete_killed",
            "__symcrete_assertion_failed",
            "symcrete_assertion_failed",
        ];
        let ends_too = ["klee_report_error", "klee_silent_exit", "klee_abort", "reach_error", "__VERIFIER_error"];
        match self {
            External::Input(_) | External::Environment | External::Parameters => Deed::GivesInputs,
            External::Math(_) => Deed::Computes,
            External::Jump(_) => Deed::Jumps,
            External::Check if ubsan::goes_on(name) => Deed::Nothing,
            External::Check => Deed::Ends,
            External::Plain(_) if ends.contains(&name) || ends_too.contains(&name) => Deed::Ends,
            External::Plain(_) if ["__symcrete_write", "__symcrete_kernel_write"].contains(&name) => Deed::Prints,
            External::Plain(_) if in_table(allocation::TABLE) => Deed::Allocates,
            External::Plain(_) if in_table(exceptions::TABLE) => {
                match name.starts_with("_Z") && name != "_ZSt9terminatev" {
                    true => Deed::Allocates,
                    false => Deed::Jumps,
                }
            }
            External::Plain(_) if SYSTEM_TABLES.iter().any(|table| in_table(table)) => system::deed(name),
            External::Plain(_) if in_table(blocks::TABLE) => Deed::Computes,
            External::Plain(_) => match name {
                "klee_make_symbolic" | "symcrete_make_symbolic" | "__VERIFIER_nondet_memory" => Deed::GivesInputs,
                "klee_range" | "klee_int" | "klee_choose" | "symcrete_choice" | "symcrete_range" => Deed::GivesInputs,
                "__symcrete_fuzzer_size" | "__symcrete_fuzzer_data" => Deed::GivesInputs,
                _ => Deed::Nothing,
            },
        }
    }
}

/// A call under way, with what an external function may use.
pub(crate) struct Context<'a> {
    pub executor: &'a mut Executor,
    pub state: &'a mut State,
    pub call: Call,
}

/// The implementation of the function of this name.
pub(crate) fn lookup(name: &str) -> Option<External> {
    let tables = [allocation::TABLE, blocks::TABLE, exceptions::TABLE, inputs::TABLE];
    let plain = tables.iter().chain(SYSTEM_TABLES).flat_map(|table| table.iter()).find(|(known, _)| *known == name);
    if let Some((_, function)) = plain {
        return Some(External::Plain(*function));
    }
    if let Some((_, function)) = jumps::TABLE.iter().find(|(known, _)| *known == name) {
        return Some(External::Jump(*function));
    }
    if name == environment::NAME {
        return Some(External::Environment);
    }
    if name.starts_with(parameters::PREFIX) {
        return Some(External::Parameters);
    }
    if name.starts_with(ubsan::PREFIX) {
        return Some(External::Check);
    }
    if let Some(ty) = inputs::result_type(name) {
        return Some(External::Input(ty));
    }
    crate::libm::function(name).map(External::Math)
}

/// What the C runtime asks of the engine.
const SYSTEM_TABLES: &[&[Row]] = &[files::TABLE, files::LIBRARY_TABLE, system::TABLE, system::ENDS_TABLE];

/// A row of a table of external functions.
type Row = (&'static str, fn(&mut Context) -> Result<Option<Value>, Stop>);

impl External {
    pub(crate) fn call(
        self,
        executor: &mut Executor,
        state: &mut State,
        call: Call,
        function_name: &str,
    ) -> Result<(), Stop> {
        let mut context = Context { executor, state, call };
        let results: SmallVec<[Value; 2]> = match self {
            External::Plain(function) => function(&mut context)?.into_iter().collect(),
            External::Math(function) => math::call(&mut context, function)?,
            External::Input(ty) => inputs::new_result(&mut context, function_name, ty)?.into_iter().collect(),
            External::Environment => environment::make(&mut context)?,
            External::Parameters => parameters::make(&mut context, function_name)?,
            External::Check => ubsan::handle(&mut context, function_name)?.into_iter().collect(),
            External::Jump(function) => return function(&mut context),
        };
        let types = &executor.image.body(state.top.function).calls[call].result_types;
        let pointer_bits = executor.image.pointer_bits();
        let mut symbolic = Symbolic { arena: &mut executor.arena, notes: &mut executor.notes };
        let fitting = |(value, ty): (Value, &Type)| disagree::fitting(&mut symbolic, value, *ty, pointer_bits);
        let results: SmallVec<[Value; 2]> = results.into_iter().zip(types).map(fitting).collect();
        executor.finish_call(state, call, results);
        Ok(())
    }
}

impl Context<'_> {
    /// An argument; one that the caller left out counts as zero.
    pub fn value(&self, at: usize) -> Value {
        let data = &self.executor.image.body(self.state.top.function).calls[self.call];
        match data.args.get(at) {
            Some(operand) => self.executor.image.value(&self.state.top, *operand),
            None => Value::Word(0),
        }
    }

    /// An argument that must be a machine word for the function to make sense.
    pub(crate) fn word(&self, at: usize) -> Result<u64, Stop> {
        let data = &self.executor.image.body(self.state.top.function).calls[self.call];
        let Some(operand) = data.args.get(at) else { return Ok(0) };
        match self.executor.image.value(&self.state.top, *operand) {
            Value::Word(bits) => Ok(bits),
            other => needs_word(*operand, other),
        }
    }

    /// The address of memory that is given back.
    pub(crate) fn freed(&self, at: usize, access: Access) -> Result<u64, Stop> {
        let data = &self.executor.image.body(self.state.top.function).calls[self.call];
        match (data.args.get(at).and_then(|operand| operand.as_reg()), self.value(at)) {
            (Some(register), Value::Expr(expr)) => Err(Stop::ask(expr, Purpose::Freed { register, access })),
            _ => self.word(at),
        }
    }

    /// Bytes of memory that must be concrete for the function to make sense.
    pub(crate) fn bytes(&mut self, address: u64, count: u64) -> Result<Vec<u8>, Stop> {
        let mut bytes = vec![0; count as usize];
        let read = self.state.memory.read_concrete_bytes(address, &mut bytes);
        read.map(|_| bytes).map_err(|error| self.unread(error))
    }

    /// A string without its NUL, cut at a limit; its bytes must be concrete.
    pub(crate) fn text(&mut self, address: u64, limit: usize) -> Result<Vec<u8>, Stop> {
        self.state.memory.read_concrete_c_string(address, limit).map_err(|error| self.unread(error))
    }

    /// Asks for a byte that is not concrete.
    fn unread(&mut self, error: ReadError) -> Stop {
        let address = match error {
            ReadError::Fault(fault) => return fault.into(),
            ReadError::Symbolic { address } => address,
        };
        match self.state.memory.read_run(address, 1) {
            Ok(Some(Part { expr, index })) => {
                let byte = self.executor.symbolic().byte(expr, index);
                Stop::ask(byte, Purpose::Byte(address))
            }
            Ok(None) => unreachable!("the byte at {address:#x} is symbolic"),
            Err(fault) => fault.into(),
        }
    }

    /// Sets the program's `errno`, if it has one.
    pub(crate) fn set_errno(&mut self, number: i32) -> Result<(), Stop> {
        if let Some(address) = self.executor.image.global_named("__symcrete_errno") {
            self.state.memory.write_word(address, 4, number as u32 as u64)?;
        }
        Ok(())
    }

    /// A C `int`.
    pub(crate) fn int(&self, at: usize) -> Result<i32, Stop> {
        Ok(self.word(at)? as i32)
    }

    /// A machine word of the target's width, from a signed number.
    pub(crate) fn signed(&self, number: i64) -> Option<Value> {
        Some(Value::Word(crate::step::arithmetic::truncate(self.result_bits(), number as u64)))
    }

    /// The width of what the call returns; that of a pointer if it is not used.
    fn result_bits(&self) -> u16 {
        let data = &self.executor.image.body(self.state.top.function).calls[self.call];
        let pointer_bits = self.executor.image.pointer_bits();
        data.result_types.first().map_or(pointer_bits, |ty| ty.bits(pointer_bits).min(64))
    }
}
