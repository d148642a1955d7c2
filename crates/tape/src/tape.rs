//! The tape itself: plain data. A slot is a place for a word; inputs come first, then constants, then one slot for the
//! result of each instruction, in order, so an instruction reads only slots before its own.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Evaluate, FloatOperation, Native, Op, Rounding, VariableId};
use symcrete_expr::{Expr, FloatKind};

/// The number of a place for a value.
pub type Slot = u32;

/// A variable, and where its words stand in a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    pub variable: VariableId,
    pub width: u32,
    /// The first word, lowest first; there are as many as the width needs.
    pub word: u32,
    /// Where its value is. A value of more than 64 bits is among the wide ones.
    pub slot: Slot,
}

impl Input {
    pub fn words(&self) -> Range<usize> {
        self.word as usize..(self.word + self.width.div_ceil(64)) as usize
    }
}

/// An operation and the slots that it reads; what `a`, `b` and `c` hold otherwise stands with the operation.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub op: Operation,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// Values are words with zeros above their width. Distances and scores are doubles, as bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// An operation of the DAG on two words of this width; comparisons give one bit.
    Binary(Op, u32),
    /// Of a word of this width.
    Not(u32),
    /// `width` bits from bit `low` on.
    Extract {
        low: u32,
        width: u32,
    },
    SignExtend {
        from: u32,
        to: u32,
    },
    /// `a` above `b`, which has this width.
    Concat(u32),
    /// `b` if the condition `a` holds, else `c`.
    Choose,
    /// Of a kind of up to 64 bits. `width` is that of the result, `operand` that of the first operand.
    Float {
        operation: FloatOperation,
        kind: FloatKind,
        rounding: Rounding,
        width: u8,
        operand: u8,
    },
    Convert(FloatKind, FloatKind, Rounding),
    /// The element at index `a` of the constants `b`, which are `Tape::tables[b]`; zero past the end.
    Table,
    /// The value at index `a` of the slots `Tape::lists[b]`; zero past the end.
    Pick,
    /// Function `a` of `Tape::functions` on the slots `Tape::lists[b]`, a result of `c` bits.
    Call,
    /// `Tape::general[a]`: with a value of more than 64 bits somewhere.
    General,
    /// How far apart two values are, as a double that is never negative; huge where one is NaN.
    Distance(View),
    /// The same of values of more than 64 bits, with the view as it is.
    WideDistance(View),
    /// `a` minus `b`, as a double.
    Gap(View),
    /// Zero if the condition `a` holds, else a score of the distance `b`, as Algorithm 2 of the Concolic Walk paper has
    /// it: the distance, and one more if `plus_one`.
    PlainScore {
        plus_one: bool,
    },
    /// Zero if the condition `a` holds, else one and the logarithm of the distance `b`.
    LogarithmicScore,
    /// The score of a condition of which nothing is known but that it does not hold.
    FlatScore,
    /// Of two scores.
    Sum,
    Minimum,
}

/// How two patterns are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As numbers of so many bits.
    Signed(u32),
    Unsigned(u32),
    /// As numbers on a circle: the largest one is next to zero.
    Wrapping(u32),
    /// By the number of bits that differ.
    Pattern(u32),
    /// By their numeric difference.
    Number(FloatKind),
    /// By how many floats lie between them.
    Steps(FloatKind),
}

impl View {
    pub fn width(self) -> u32 {
        match self {
            View::Signed(width) | View::Unsigned(width) | View::Wrapping(width) | View::Pattern(width) => width,
            View::Number(kind) | View::Steps(kind) => kind.bits(),
        }
    }
}

/// An operation with operands or a result of more than 64 bits.
#[derive(Clone, Debug)]
pub struct General {
    pub op: Op,
    pub width: u32,
    /// The number in the node's second place, where that is not an operand.
    pub number: u32,
    /// With their widths.
    pub operands: Vec<(Slot, u32)>,
}

/// A function that the tape calls.
#[derive(Clone)]
pub struct Callee {
    pub evaluate: Evaluate,
    pub native: Option<Native>,
    /// A call takes much longer than one of libm.
    pub is_slow: bool,
}

impl Callee {
    /// The function by its address, if it takes arguments of these widths and gives a result of that one.
    pub fn native_for(&self, arguments: &[(Slot, u32)], width: u32) -> Option<Native> {
        self.native.filter(|native| {
            let fits = |width: u32| width == native.width();
            fits(width) && arguments.len() == native.arguments() && arguments.iter().all(|(_, width)| fits(*width))
        })
    }
}

/// What is computed for each constraint.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Zero exactly if the constraint holds.
    pub score: Slot,
    /// The difference of the two sides, if it is a comparison.
    pub gap: Option<Slot>,
}

pub struct Tape {
    pub(crate) inputs: Vec<Input>,
    /// Of a point.
    pub(crate) words: usize,
    /// The slots before the first instruction's, constants filled in.
    pub(crate) initial: Vec<u64>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) lists: Vec<Vec<(Slot, u32)>>,
    pub(crate) tables: Vec<Rc<[u64]>>,
    pub(crate) functions: Vec<Callee>,
    pub(crate) general: Vec<General>,
    /// Constants of more than 64 bits, with their slots.
    pub(crate) wide_constants: Vec<(Slot, symcrete_expr::Bits)>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) slots: FxHashMap<Expr, Slot>,
}

impl Tape {
    /// In the order of their words in a point.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many words a point has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many constraints there are; scores are given in their order.
    pub fn constraints(&self) -> usize {
        self.outputs.len()
    }

    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// How many calls there are, and how many of them take much longer than one of libm.
    pub fn calls(&self) -> (usize, usize) {
        let calls = self.instructions.iter().filter(|instruction| instruction.op == Operation::Call);
        let is_slow = |call: &Instruction| self.functions[call.a as usize].is_slow;
        calls.fold((0, 0), |(all, slow), call| (all + 1, slow + usize::from(is_slow(call))))
    }

    /// Where the value of a part of the constraints is.
    pub fn slot(&self, expr: Expr) -> Option<Slot> {
        self.slots.get(&expr).copied()
    }

    /// All slots.
    pub fn slot_count(&self) -> usize {
        self.initial.len() + self.instructions.len()
    }

    /// Whether every value is a word.
    pub fn is_narrow(&self) -> bool {
        let wide =
            |instruction: &Instruction| matches!(instruction.op, Operation::General | Operation::WideDistance(_));
        self.inputs.iter().all(|input| input.width <= 64)
            && self.wide_constants.is_empty()
            && !self.instructions.iter().any(wide)
            && self.lists.iter().flatten().all(|(_, width)| *width <= 64)
    }
}
