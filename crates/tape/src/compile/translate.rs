//! Walks the tape: the loop over the rows, the slots as values of the machine, and which file says what an operation
//! becomes.
//!
//! A row is straight-line code in one block, so a value once made is there for all that follows.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::NotCompilable;
use super::calls::Signatures;
use super::native::Held;
use crate::tape::{Instruction, Operation, Slot, Tape};

/// What an operation gives.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// A word with zeros above the width.
    Word(Value),
    /// The same of up to 32 bits, in a register of 32: most programs compute in these.
    Half(Value),
    /// One bit, as comparisons give it: a byte that is 0 or 1.
    Truth(Value),
    Single(Value),
    Double(Value),
}

/// The same value in the forms in which it has been made.
#[derive(Clone, Copy, Default)]
struct Forms {
    constant: Option<u64>,
    word: Option<Value>,
    half: Option<Value>,
    truth: Option<Value>,
    single: Option<Value>,
    double: Option<Value>,
}

pub(super) struct Translator<'a, 'f> {
    pub tape: &'a Tape,
    pub held: &'a Held,
    pub builder: FunctionBuilder<'f>,
    pub signatures: Signatures,
    /// The calls seen so far.
    pub calls: usize,
    /// The address of the scratch memory, and how much of it is used, in words.
    pub scratch: Value,
    pub scratch_words: usize,
    /// Where the elements of a list have been put, in words of the scratch memory.
    pub spilled: Vec<Option<usize>>,
    slots: Vec<Forms>,
}

/// Addresses and counts that change from row to row.
struct Row {
    points: Value,
    rows: Value,
    scores: Value,
    gaps: Value,
}

impl<'a, 'f> Translator<'a, 'f> {
    pub fn new(
        tape: &'a Tape,
        held: &'a Held,
        function: &'f mut ir::Function,
        builders: &'f mut FunctionBuilderContext,
    ) -> Translator<'a, 'f> {
        let mut slots: Vec<Forms> = Vec::with_capacity(tape.slot_count());
        slots.extend(tape.initial.iter().map(|word| Forms { constant: Some(*word), ..Forms::default() }));
        slots.resize(tape.slot_count(), Forms::default());
        Translator {
            tape,
            held,
            builder: FunctionBuilder::new(function, builders),
            signatures: Signatures::default(),
            calls: 0,
            scratch: Value::from_u32(0),
            scratch_words: 0,
            spilled: vec![None; tape.lists.len()],
            slots,
        }
    }

    /// Translates the whole tape; gives how many words of scratch memory the code uses.
    pub fn finish(mut self, target: TargetFrontendConfig) -> Result<usize, NotCompilable> {
        let [entry, body, exit] = [(); 3].map(|()| self.builder.create_block());
        let row = self.begin(entry, body, exit);
        let first = self.tape.initial.len();
        for (at, instruction) in self.tape.instructions.iter().enumerate() {
            let form = self.instruction(instruction)?;
            self.set(first + at, form);
        }
        self.outputs(&row);
        self.repeat(&row, body, exit);
        self.builder.switch_to_block(exit);
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize(target);
        Ok(self.scratch_words)
    }

    /// The head of the loop, inputs loaded.
    fn begin(&mut self, entry: Block, body: Block, exit: Block) -> Row {
        let builder = &mut self.builder;
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let row: Vec<Value> = (0..4).map(|_| builder.append_block_param(body, types::I64)).collect();
        let first: Vec<BlockArg> = parameters[..4].iter().map(|value| BlockArg::Value(*value)).collect();
        self.scratch = parameters[4];
        builder.ins().brif(parameters[1], body, &first, exit, &[]);
        builder.switch_to_block(body);
        let row = Row { points: row[0], rows: row[1], scores: row[2], gaps: row[3] };
        for input in &self.tape.inputs {
            // Never loaded as a float: the code generator would exchange the operands of an addition to load one within
            // it, and of two NaNs the first counts.
            let word = self.load(types::I64, row.points, input.word as usize);
            self.slots[input.slot as usize] = Forms { word: Some(word), ..Forms::default() };
        }
        row
    }

    fn outputs(&mut self, row: &Row) {
        for (at, output) in self.tape.outputs.iter().enumerate() {
            let score = self.double(output.score);
            self.store(score, row.scores, at);
            let gap = match output.gap {
                Some(gap) => self.double(gap),
                None => self.builder.ins().f64const(f64::NAN),
            };
            self.store(gap, row.gaps, at);
        }
    }

    /// Goes on with the next row.
    fn repeat(&mut self, row: &Row, body: Block, exit: Block) {
        let results = self.tape.outputs.len() as i64 * 8;
        let points = self.plus(row.points, self.tape.words as i64 * 8);
        let rows = self.plus(row.rows, -1);
        let scores = self.plus(row.scores, results);
        let gaps = self.plus(row.gaps, results);
        let next = [points, rows, scores, gaps].map(BlockArg::Value);
        self.builder.ins().brif(rows, body, &next, exit, &[]);
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<Form, NotCompilable> {
        let Instruction { op, a, b, c } = *instruction;
        Ok(match op {
            Operation::Binary(op, width) => self.binary(op, width, a, b),
            Operation::Not(width) => self.not(width, a),
            Operation::Extract { low, width } => self.extract(low, width, a),
            Operation::SignExtend { from, to } => self.sign_extend_to(from, to, a),
            Operation::Concat(width) => self.concat(width, a, b),
            Operation::Choose => self.choose(a, b, c),
            Operation::Float { operation, kind, rounding, width, operand } => {
                self.float(operation, kind, rounding, (width.into(), operand.into()), [a, b, c])?
            }
            Operation::Convert(from, to, rounding) => self.convert(from, to, rounding, a)?,
            Operation::Table => self.table(a, b),
            Operation::Pick => self.pick(a, b),
            Operation::Call => self.call(a, b, c),
            Operation::General | Operation::WideDistance(_) => return Err(NotCompilable::Wide),
            Operation::Distance(view) => self.distance(view, a, b)?,
            Operation::Gap(view) => self.gap(view, a, b)?,
            Operation::PlainScore { plus_one } => self.plain_score(plus_one, a, b),
            Operation::LogarithmicScore => self.logarithmic_score(a, b),
            Operation::FlatScore => self.flat_score(a),
            Operation::Sum => self.sum(a, b),
            Operation::Minimum => self.minimum(a, b),
        })
    }

    fn set(&mut self, slot: usize, form: Form) {
        let forms = &mut self.slots[slot];
        match form {
            Form::Word(value) => forms.word = Some(value),
            Form::Half(value) => forms.half = Some(value),
            Form::Truth(value) => forms.truth = Some(value),
            Form::Single(value) => forms.single = Some(value),
            Form::Double(value) => forms.double = Some(value),
        }
    }

    /// The bits of a slot that never changes.
    pub fn constant(&self, slot: Slot) -> Option<u64> {
        self.slots[slot as usize].constant
    }

    /// Whether the slot has already been made as a double.
    pub fn is_double(&self, slot: Slot) -> bool {
        let forms = &self.slots[slot as usize];
        forms.double.is_some()
    }

    pub fn word(&mut self, slot: Slot) -> Value {
        let forms = self.slots[slot as usize];
        if let Some(word) = forms.word {
            return word;
        }
        let word = match forms {
            Forms { constant: Some(constant), .. } => self.number(constant),
            Forms { half: Some(half), .. } => self.builder.ins().uextend(types::I64, half),
            Forms { truth: Some(truth), .. } => self.builder.ins().uextend(types::I64, truth),
            Forms { double: Some(double), .. } => self.cast(types::I64, double),
            Forms { single: Some(_), .. } => {
                let half = self.half(slot);
                self.builder.ins().uextend(types::I64, half)
            }
            _ => unreachable!("slot {slot} is read before it is written"),
        };
        self.slots[slot as usize].word = Some(word);
        word
    }

    /// The low 32 bits.
    pub fn half(&mut self, slot: Slot) -> Value {
        let forms = self.slots[slot as usize];
        if let Some(half) = forms.half {
            return half;
        }
        let half = match forms {
            Forms { constant: Some(constant), .. } => self.builder.ins().iconst(types::I32, i64::from(constant as u32)),
            Forms { single: Some(single), .. } => self.cast(types::I32, single),
            _ => {
                let word = self.word(slot);
                self.builder.ins().ireduce(types::I32, word)
            }
        };
        self.slots[slot as usize].half = Some(half);
        half
    }

    /// Something that is not zero exactly if the slot is not.
    pub fn truth(&mut self, slot: Slot) -> Value {
        match self.slots[slot as usize].truth {
            Some(truth) => truth,
            None => self.word(slot),
        }
    }

    /// The slot of one bit as a byte, if it was made so.
    pub fn known_truth(&self, slot: Slot) -> Option<Value> {
        self.slots[slot as usize].truth
    }

    pub fn single(&mut self, slot: Slot) -> Value {
        let forms = self.slots[slot as usize];
        if let Some(single) = forms.single {
            return single;
        }
        let single = match forms.constant {
            Some(constant) => self.builder.ins().f32const(f32::from_bits(constant as u32)),
            None => {
                let half = self.half(slot);
                self.cast(types::F32, half)
            }
        };
        self.slots[slot as usize].single = Some(single);
        single
    }

    pub fn double(&mut self, slot: Slot) -> Value {
        let forms = self.slots[slot as usize];
        if let Some(double) = forms.double {
            return double;
        }
        let double = match forms.constant {
            Some(constant) => self.builder.ins().f64const(f64::from_bits(constant)),
            None => {
                let word = self.word(slot);
                self.cast(types::F64, word)
            }
        };
        self.slots[slot as usize].double = Some(double);
        double
    }

    pub fn cast(&mut self, to: Type, value: Value) -> Value {
        self.builder.ins().bitcast(to, MemFlagsData::new(), value)
    }

    pub fn number(&mut self, bits: u64) -> Value {
        self.builder.ins().iconst(types::I64, bits as i64)
    }

    fn plus(&mut self, value: Value, constant: i64) -> Value {
        let constant = self.number(constant as u64);
        self.builder.ins().iadd(value, constant)
    }

    /// Compares a word with a constant.
    pub fn compare_with(&mut self, condition: IntCC, value: Value, constant: u64) -> Value {
        let constant = self.number(constant);
        self.builder.ins().icmp(condition, value, constant)
    }

    pub fn load(&mut self, kind: Type, base: Value, word: usize) -> Value {
        self.builder.ins().load(kind, MemFlagsData::trusted(), base, word as i32 * 8)
    }

    pub fn store(&mut self, value: Value, base: Value, word: usize) {
        self.builder.ins().store(MemFlagsData::trusted(), value, base, word as i32 * 8);
    }
}
