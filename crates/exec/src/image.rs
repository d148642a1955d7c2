//! The program made ready to run: every global has its address, every constant its value, every external function its implementation.

use std::cell::OnceCell;

use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use symcrete_expr::{Bits, Value};
use symcrete_ir::{
    Block, Body, CallGraph, Const, Constant, ConstantExpression, FuncId, Function, GlobalId, Linkage, Operand,
    OperandKind, Program,
};
use symcrete_memory::{AllocationInfo, Kind, Memory, Site};

use crate::Config;
use crate::choices::Choices;
use crate::code::{self, Code, CodeCall, CodeTarget, Signatures};
use crate::external::exceptions::is_panic;
use crate::external::{self, Deed, External};
use crate::state::Frame;
use crate::step::arithmetic;

/// Why a program cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("the variable `{0}` is declared but defined nowhere; add the source or bitcode that defines it")]
    UndefinedVariable(String),
    #[error("the global variables need more memory than there is: `{name}` has {size} bytes")]
    TooLarge { name: String, size: u64 },
    #[error("a constant in the initialiser of `{0}` cannot be computed before the program runs")]
    BadInitialiser(String),
}

/// Immutable once made; shared by all states.
pub struct Image {
    pub program: Program,
    constants: Vec<Value>,
    function_addresses: Vec<u64>,
    functions_by_address: FxHashMap<u64, FuncId>,
    block_addresses: FxHashMap<(FuncId, Block), u64>,
    blocks_by_address: FxHashMap<u64, (FuncId, Block)>,
    global_addresses: SecondaryMap<GlobalId, u64>,
    globals_by_name: FxHashMap<String, GlobalId>,
    externals: SecondaryMap<FuncId, Option<External>>,
    initial_memory: Memory,
    text_base: u64,
    pointed_to: OnceCell<Vec<FuncId>>,
    codes: Vec<OnceCell<Code>>,
    pub(crate) choices: Choices,
    /// How many arguments a function takes that has a body, no variadic ones, and its parameters in the first registers.
    plain_params: Vec<Option<u32>>,
    pub(crate) signatures: Signatures,
    signed_overflow: bool,
}

fn plain_params(function: &Function) -> Option<u32> {
    let body = function.body.as_ref().filter(|_| !function.variadic)?;
    let params = &body.blocks[Block::ENTRY].params;
    let first = params.iter().enumerate().all(|(at, param)| param.index() == at);
    first.then_some(params.len() as u32)
}

/// Functions and blocks have addresses of their own, far from any data: below the lowest allocation on either pointer width.
const TEXT_BASE: u64 = 0x0010_0000;
/// The same where pointers have 64 bits: no number that programs compute with.
const WIDE_TEXT_BASE: u64 = 0x5554_0000_0000;
const TEXT_STRIDE: u64 = 16;
/// Says of the memory of the text that it is that.
const TEXT_SITE: Site = Site(u32::MAX - 1);

/// Whether an address is one that functions have where pointers have 64 bits.
pub fn is_function_address(address: u64) -> bool {
    (WIDE_TEXT_BASE..WIDE_TEXT_BASE + (1 << 32)).contains(&address) && address.is_multiple_of(TEXT_STRIDE)
}
/// The size given to variables of which only the address is known.
const OPAQUE_BYTES: u64 = 64;

impl Image {
    pub fn new(mut program: Program, config: &Config) -> Result<Image, LoadError> {
        let memory = symcrete_memory::Config { pointer_bits: program.layout.pointer_bits };
        for body in program.functions.values_mut().filter_map(|function| function.body.as_mut()) {
            body.set_markers_aside();
        }
        let mut image = Image {
            constants: Vec::new(),
            function_addresses: Vec::new(),
            functions_by_address: FxHashMap::default(),
            block_addresses: FxHashMap::default(),
            blocks_by_address: FxHashMap::default(),
            global_addresses: SecondaryMap::new(),
            globals_by_name: program.globals.iter().map(|(id, global)| (global.name.clone(), id)).collect(),
            externals: SecondaryMap::new(),
            initial_memory: Memory::new(memory),
            text_base: if program.layout.pointer_bits == 64 { WIDE_TEXT_BASE } else { TEXT_BASE },
            choices: Choices::new(&program),
            pointed_to: OnceCell::new(),
            codes: program.functions.values().map(|_| OnceCell::new()).collect(),
            plain_params: program.functions.values().map(plain_params).collect(),
            signatures: Signatures::new(&program),
            signed_overflow: config.signed_overflow,
            program,
        };
        image.place_text()?;
        image.place_functions();
        image.place_globals()?;
        image.evaluate_constants();
        image.fill_globals()?;
        image.fill_text()?;
        Ok(image)
    }

    /// Where programs look at their text, which they do to check the types of functions, it is memory like any other, beside the globals.
    fn place_text(&mut self) -> Result<(), LoadError> {
        if self.program.functions.values().all(|function| function.text_data.is_empty()) {
            return Ok(());
        }
        let blocks = self.program.constants.values().filter(|constant| matches!(constant, Constant::BlockAddress(..)));
        let size = TEXT_STRIDE * (self.program.functions.len() as u64 + blocks.count() as u64 + 1);
        let made = self.initial_memory.allocate_initialised(size, TEXT_STRIDE, Kind::Global, TEXT_SITE, &[]);
        let (_, base) = made.map_err(|_| LoadError::TooLarge { name: "the text".to_owned(), size })?;
        self.text_base = base + TEXT_STRIDE;
        Ok(())
    }

    /// Writes what stands beside functions, as far as it comes before the next one.
    fn fill_text(&mut self) -> Result<(), LoadError> {
        const ROOM: i64 = TEXT_STRIDE as i64 / 2;
        let pointer_bits = self.program.layout.pointer_bits;
        for (id, function) in self.program.functions.iter() {
            for (start, data) in function.text_data.iter().filter(|(start, _)| (-ROOM..ROOM).contains(start)) {
                let place = self.function_addresses[id.index()].wrapping_add_signed(*start);
                let broken = || LoadError::BadInitialiser(function.name.clone());
                let room = usize::try_from(ROOM - start.rem_euclid(ROOM)).unwrap_or(0).min(data.bytes.len());
                self.initial_memory.write_bytes(place, &data.bytes[..room]).map_err(|_| broken())?;
                for relocation in &data.relocations {
                    let bytes = self.program.constants[relocation.constant].ty().store_bytes(pointer_bits);
                    let at = place + relocation.offset;
                    let value = &self.constants[relocation.constant.index()];
                    crate::step::access::store_constant(&mut self.initial_memory, at, bytes, value)
                        .map_err(|_| broken())?;
                }
            }
        }
        if self.text_base != WIDE_TEXT_BASE && self.text_base != TEXT_BASE {
            self.initial_memory.protect(self.text_base - TEXT_STRIDE);
        }
        Ok(())
    }

    /// Whether an address is in the text, where that is memory, at which a function may begin.
    pub fn is_in_text(info: &AllocationInfo, address: u64) -> bool {
        info.allocated_at == TEXT_SITE && info.kind == Kind::Global && address.is_multiple_of(TEXT_STRIDE)
    }

    fn place_functions(&mut self) {
        let mut address = self.text_base;
        for (id, function) in self.program.functions.iter() {
            self.function_addresses.push(address);
            self.functions_by_address.insert(address, id);
            address += TEXT_STRIDE;
            if function.body.is_none() {
                self.externals[id] = external::lookup(&function.name);
            }
        }
        let named: Vec<(FuncId, Block)> = (self.program.constants.values())
            .filter_map(|constant| match constant {
                Constant::BlockAddress(function, block) => Some((*function, *block)),
                _ => None,
            })
            .collect();
        for key in named {
            self.block_addresses.insert(key, address);
            self.blocks_by_address.insert(address, key);
            address += TEXT_STRIDE;
        }
    }

    fn place_globals(&mut self) -> Result<(), LoadError> {
        for (id, global) in self.program.globals.iter() {
            // Vtables and type information of the C++ library: programs hold their addresses, and only the library looks there. And a
            // cache of UndefinedBehaviorSanitizer, which stays empty.
            let is_cache = global.name == "__ubsan_vptr_type_cache";
            let opaque = global.initialiser.is_none() && (global.name.starts_with("_ZT") || is_cache);
            let (size, bytes) = match &global.initialiser {
                Some(initialiser) => (global.size, &initialiser.bytes[..]),
                None if opaque => (OPAQUE_BYTES.max(global.size), &[][..]),
                None => return Err(LoadError::UndefinedVariable(global.name.clone())),
            };
            let kind = if global.thread_local { Kind::Thread } else { Kind::Global };
            let site = Site(id.index() as u32);
            let (_, base) = (self.initial_memory)
                .allocate_initialised(size, global.align, kind, site, bytes)
                .map_err(|_| LoadError::TooLarge { name: global.name.clone(), size })?;
            self.global_addresses[id] = base;
        }
        Ok(())
    }

    fn evaluate_constants(&mut self) {
        for id in self.program.constants.keys() {
            let value = self.evaluate(id, &self.program.constants[id]);
            self.constants.push(value);
        }
    }

    /// Constants stand after the constants that they are made of, so their values are there already.
    fn evaluate(&self, id: Const, constant: &Constant) -> Value {
        let pointer_bits = self.program.layout.pointer_bits;
        match constant {
            Constant::Word { bits, .. } => Value::Word(*bits),
            Constant::Wide { ty, limbs } => Value::from_bits(Bits::from_limbs(u32::from(ty.bits(pointer_bits)), limbs)),
            Constant::Global { global, offset } => {
                let address = self.global_addresses[*global].wrapping_add(*offset as u64);
                Value::Word(arithmetic::truncate(pointer_bits, address))
            }
            Constant::Function(function) => Value::Word(self.function_addresses[function.index()]),
            Constant::BlockAddress(function, block) => Value::Word(self.block_addresses[&(*function, *block)]),
            Constant::Undefined { ty, .. } => {
                Value::undefined(u32::from(ty.bits(pointer_bits)), crate::diagnose::origin_of_constant(id))
            }
            Constant::Expression(expression) => self.evaluate_expression(expression),
        }
    }

    fn evaluate_expression(&self, expression: &ConstantExpression) -> Value {
        let value = |id: &Const| &self.constants[id.index()];
        let pointer_bits = self.program.layout.pointer_bits;
        match expression {
            ConstantExpression::Binary { op, ty, lhs, rhs } => {
                let width = ty.bits(pointer_bits);
                arithmetic::binary(*op, width, value(lhs), value(rhs)).unwrap_or(Value::Word(0))
            }
            ConstantExpression::Cast { op, from, to, src } => {
                arithmetic::cast(*op, *from, *to, pointer_bits, value(src))
            }
            ConstantExpression::IntCompare { predicate, ty, lhs, rhs } => {
                arithmetic::compare(*predicate, ty.bits(pointer_bits), value(lhs), value(rhs))
            }
            ConstantExpression::Select { condition, if_true, if_false, .. } => {
                let taken = if matches!(value(condition), Value::Word(0)) { if_false } else { if_true };
                value(taken).clone()
            }
        }
    }

    fn fill_globals(&mut self) -> Result<(), LoadError> {
        let pointer_bits = self.program.layout.pointer_bits;
        for (id, global) in self.program.globals.iter() {
            let base = self.global_addresses[id];
            for relocation in global.initialiser.iter().flat_map(|initialiser| &initialiser.relocations) {
                let ty = self.program.constants[relocation.constant].ty();
                let value = &self.constants[relocation.constant.index()];
                let bytes = ty.store_bytes(pointer_bits);
                crate::step::access::store_constant(&mut self.initial_memory, base + relocation.offset, bytes, value)
                    .map_err(|_| LoadError::BadInitialiser(global.name.clone()))?;
            }
            if global.read_only {
                self.initial_memory.protect(base);
            }
        }
        Ok(())
    }

    pub fn initial_memory(&self) -> &Memory {
        &self.initial_memory
    }

    pub fn pointer_bits(&self) -> u16 {
        self.program.layout.pointer_bits
    }

    pub fn pointer_bytes(&self) -> u32 {
        u32::from(self.pointer_bits()) / 8
    }

    #[inline(always)]
    pub fn constants(&self) -> &[Value] {
        &self.constants
    }

    /// The value of an operand in a frame.
    pub(crate) fn value(&self, frame: &Frame, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Reg(reg) => frame.registers.get(reg),
            OperandKind::Const(constant) => self.constants[constant.index()].clone(),
        }
    }

    pub fn constant(&self, constant: Const) -> &Value {
        &self.constants[constant.index()]
    }

    /// Whether the engine is the body of a function.
    pub fn is_provided(&self, function: FuncId) -> bool {
        self.externals[function].is_some()
    }

    /// What a function does whose body is the engine, or of which it is known that it ends the program.
    pub fn deed(&self, function: FuncId) -> Option<Deed> {
        let data = &self.program.functions[function];
        match self.externals[function] {
            Some(external) => Some(external.deed(&data.name)),
            None if data.body.is_none() && is_panic(&data.name) => Some(Deed::Ends),
            None => None,
        }
    }

    /// Whether calls of a function give inputs, and do nothing else.
    pub fn is_input(&self, function: FuncId) -> bool {
        matches!(self.externals[function], Some(External::Input(_)))
    }

    /// How many arguments a function takes, if it has a body and no variadic ones.
    #[inline]
    pub(crate) fn plain_params(&self, function: FuncId) -> Option<u32> {
        self.plain_params[function.index()]
    }

    /// Whether a function takes and gives what this call of it passes and wants: where the function is named, that is known already.
    #[inline]
    pub(crate) fn agrees(&self, call: &CodeCall, function: FuncId) -> bool {
        match call.target {
            CodeTarget::Function(_) => true,
            CodeTarget::Pointer(_) => {
                call.signature.is_some() && call.signature == self.signatures.of_function(function)
            }
        }
    }

    /// A function's code for the fast loop, made when it is first called.
    pub(crate) fn code(&self, function: FuncId) -> &Code {
        self.codes[function.index()]
            .get_or_init(|| code::compile(self, function, &self.constants, self.watches_overflow(function)))
    }

    /// Whether arithmetic that overflows is a finding there: what the C runtime computes is not the program's mistake.
    #[inline]
    pub(crate) fn watches_overflow(&self, function: FuncId) -> bool {
        self.signed_overflow && !self.program.functions[function].runtime
    }

    /// The same, for whoever replaces operations in it.
    pub(crate) fn code_mut(&mut self, function: FuncId) -> &mut Code {
        self.code(function);
        match self.codes[function.index()].get_mut() {
            Some(code) => code,
            None => unreachable!("it was made by the line above"),
        }
    }

    pub(crate) fn external(&self, function: FuncId) -> Option<&External> {
        self.externals[function].as_ref()
    }

    /// The body of a function that is known to have one: every frame's function does.
    pub fn body(&self, function: FuncId) -> &Body {
        match &self.program.functions[function].body {
            Some(body) => body,
            None => unreachable!("{function} has a frame but no body"),
        }
    }

    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.functions_by_address.get(&address).copied()
    }

    pub fn function_address(&self, function: FuncId) -> u64 {
        self.function_addresses[function.index()]
    }

    /// The first and the last address at which there may be a function.
    pub(crate) fn function_range(&self) -> (u64, u64) {
        let first = self.function_addresses.first().copied().unwrap_or_default();
        let last = self.function_addresses.last().copied().unwrap_or_default();
        (first, last + TEXT_STRIDE - 1)
    }

    /// The addresses of the functions to which a caller may have pointers: the runtime's own ones are for the runtime only.
    pub(crate) fn pointed_to(&self, caller: FuncId) -> Vec<u64> {
        let find = || CallGraph::new(&self.program).address_taken().to_vec();
        let functions = &self.program.functions;
        let is_hidden = |function: &Function| {
            function.runtime && (function.linkage == Linkage::Internal || function.name.starts_with("__symcrete"))
        };
        let may_have = |id: &&FuncId| functions[caller].runtime || !is_hidden(&functions[**id]);
        let taken = self.pointed_to.get_or_init(find).iter();
        taken.filter(may_have).map(|function| self.function_address(*function)).collect()
    }

    /// The address of a block, if the program has one of it.
    pub(crate) fn block_address(&self, function: FuncId, block: Block) -> Option<u64> {
        self.block_addresses.get(&(function, block)).copied()
    }

    pub fn block_at(&self, address: u64) -> Option<(FuncId, Block)> {
        self.blocks_by_address.get(&address).copied()
    }

    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.global_addresses[global]
    }

    /// The address of a global by its name, if the program has one.
    pub fn global_named(&self, name: &str) -> Option<u64> {
        self.globals_by_name.get(name).map(|id| self.global_addresses[*id])
    }
}
