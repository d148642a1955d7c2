//! Our instructions in LLVM's text form.

use symcrete_frontend::module::{
    Atomic, AtomicOrdering, Call, ConstantKind, FastMath, InstructionId, InstructionKind as Kind, LandingPadClause,
    ReadModifyWriteOperator, SyncScope, TailKind, Type, Value,
};

use crate::print::{
    Printer, binary_name, calling_convention, cast_name, element_flags, float_predicate, integer_predicate,
    shuffle_mask, wrap_flags,
};

impl Printer<'_> {
    /// A whole instruction, without attributes and metadata.
    pub fn instruction(&self, id: InstructionId) -> String {
        let instruction = &self.body.unwrap().instructions[id];
        let text = self.operation(&instruction.kind, &self.ty(instruction.ty));
        match instruction.result.expand() {
            Some(result) => format!("%\"{}\" = {text}", self.results[result]),
            None => text,
        }
    }

    fn operation(&self, kind: &Kind, ty: &str) -> String {
        match kind {
            Kind::Negate { operand, fast } => format!("fneg{} {}", fast_math(*fast), self.typed(*operand)),
            Kind::Binary { operator, left, right, flags } => {
                let wrap = wrap_flags(flags.no_unsigned_wrap, flags.no_signed_wrap, flags.exact, flags.disjoint);
                let (name, fast) = (binary_name(*operator), fast_math(flags.fast));
                format!("{name}{wrap}{fast} {}, {}", self.typed(*left), self.value(*right))
            }
            Kind::Cast { operator, operand, non_negative, flags } => {
                let sign = if *non_negative { " nneg" } else { "" };
                let wrap = wrap_flags(flags.no_unsigned_wrap, flags.no_signed_wrap, false, false);
                let (name, fast) = (cast_name(*operator), fast_math(flags.fast));
                format!("{name}{sign}{wrap}{fast} {} to {ty}", self.typed(*operand))
            }
            Kind::ElementPointer { source_type, base, indices, flags } => {
                let mut operands = vec![self.ty(*source_type), self.typed(*base)];
                operands.extend(indices.iter().map(|index| self.typed(*index)));
                format!("getelementptr{} {}", element_flags(flags), operands.join(", "))
            }
            Kind::Select { condition, if_true, if_false, fast } => {
                let operands = [*condition, *if_true, *if_false].map(|operand| self.typed(operand));
                format!("select{} {}", fast_math(*fast), operands.join(", "))
            }
            Kind::ExtractElement { vector, index } => {
                format!("extractelement {}, {}", self.typed(*vector), self.typed(*index))
            }
            Kind::InsertElement { vector, element, index } => {
                let operands = [*vector, *element, *index].map(|operand| self.typed(operand));
                format!("insertelement {}", operands.join(", "))
            }
            Kind::ShuffleVector { left, right, mask } => {
                format!("shufflevector {}, {}, {}", self.typed(*left), self.typed(*right), shuffle_mask(mask))
            }
            Kind::IntegerCompare { predicate, left, right, same_sign } => {
                let sign = if *same_sign { " samesign" } else { "" };
                format!("icmp{sign} {} {}, {}", integer_predicate(*predicate), self.typed(*left), self.value(*right))
            }
            Kind::FloatCompare { predicate, left, right, fast } => {
                let (name, fast) = (float_predicate(*predicate), fast_math(*fast));
                format!("fcmp{fast} {name} {}, {}", self.typed(*left), self.value(*right))
            }
            Kind::Phi { incoming, fast } => {
                let edges: Vec<String> = incoming
                    .iter()
                    .map(|(value, block)| format!("[ {}, %\"{}\" ]", self.value(*value), self.blocks[*block]))
                    .collect();
                format!("phi{} {ty} {}", fast_math(*fast), edges.join(", "))
            }
            Kind::ExtractValue { aggregate, indices } => {
                format!("extractvalue {}, {}", self.typed(*aggregate), join(indices))
            }
            Kind::InsertValue { aggregate, value, indices } => {
                format!("insertvalue {}, {}, {}", self.typed(*aggregate), self.typed(*value), join(indices))
            }
            Kind::Freeze { operand } => format!("freeze {}", self.typed(*operand)),
            Kind::VariableArgument { list } => format!("va_arg {}, {ty}", self.typed(*list)),
            Kind::Call(call) => {
                let tail = match call.tail {
                    TailKind::None => "",
                    TailKind::Tail => "tail ",
                    TailKind::MustTail => "musttail ",
                    TailKind::NoTail => "notail ",
                };
                format!("{tail}call{} {}", fast_math(call.fast), self.call(call))
            }
            Kind::Invoke { call, normal, unwind } => {
                format!("invoke {} to {} unwind {}", self.call(call), self.label(*normal), self.label(*unwind))
            }
            Kind::CallBranch { call, default, indirect } => {
                let targets: Vec<String> = indirect.iter().map(|target| self.label(*target)).collect();
                format!("callbr {} to {} [{}]", self.call(call), self.label(*default), targets.join(", "))
            }
            _ => self.memory(kind, ty).or_else(|| self.control(kind, ty)).unwrap_or_else(|| format!("{kind:?}")),
        }
    }

    fn call(&self, call: &Call) -> String {
        let Type::Function(ty) = &self.module.types[call.function_type] else { return "?".into() };
        let shown = if ty.variadic { self.ty(call.function_type) } else { self.ty(ty.result) };
        let arguments: Vec<String> = call.arguments.iter().map(|argument| self.typed(*argument)).collect();
        let bundles: Vec<String> = call
            .bundles
            .iter()
            .map(|bundle| {
                let inputs: Vec<String> = bundle.inputs.iter().map(|input| self.typed(*input)).collect();
                format!("\"{}\"({})", bundle.tag, inputs.join(", "))
            })
            .collect();
        let bundles = if bundles.is_empty() { String::new() } else { format!("[ {} ]", bundles.join(", ")) };
        let convention = calling_convention(call.calling_convention);
        format!("{convention} {shown} {}({}) {bundles}", self.value(call.callee), arguments.join(", "))
    }

    fn memory(&self, kind: &Kind, ty: &str) -> Option<String> {
        let text = match kind {
            Kind::Alloca { allocated_type, count, alignment, in_alloca, swift_error } => {
                let mut text = "alloca ".to_string();
                text += if *in_alloca { "inalloca " } else { "" };
                text += if *swift_error { "swifterror " } else { "" };
                text += &self.ty(*allocated_type);
                let one = self.typed(*count) == "i32 1";
                text += &if one { String::new() } else { format!(", {}", self.typed(*count)) };
                text + &align(*alignment)
            }
            Kind::Load { pointer, alignment, volatile, atomic } => {
                let (before, after) = access(*atomic, *volatile);
                format!("load{before} {ty}, {}{after}{}", self.typed(*pointer), align(*alignment))
            }
            Kind::Store { pointer, value, alignment, volatile, atomic } => {
                let (before, after) = access(*atomic, *volatile);
                let operands = format!("{}, {}", self.typed(*value), self.typed(*pointer));
                format!("store{before} {operands}{after}{}", align(*alignment))
            }
            Kind::Fence(atomic) => format!("fence{}", ordering(*atomic)),
            Kind::CompareExchange(exchange) => {
                let weak = if exchange.weak { " weak" } else { "" };
                let volatile = if exchange.volatile { " volatile" } else { "" };
                let operands = [exchange.pointer, exchange.expected, exchange.replacement].map(|it| self.typed(it));
                let orderings = format!("{} {}", ordering(exchange.success), ordering_name(exchange.failure));
                format!("cmpxchg{weak}{volatile} {}{orderings}{}", operands.join(", "), align(exchange.alignment))
            }
            Kind::ReadModifyWrite(operation) => {
                let volatile = if operation.volatile { " volatile" } else { "" };
                let operands = format!("{}, {}", self.typed(operation.pointer), self.typed(operation.value));
                let after = ordering(operation.atomic) + &align(operation.alignment);
                format!("atomicrmw{volatile} {} {operands}{after}", operator_name(operation.operator))
            }
            _ => return None,
        };
        Some(text)
    }

    fn control(&self, kind: &Kind, ty: &str) -> Option<String> {
        let labels = |blocks: &[_]| blocks.iter().map(|block| self.label(*block)).collect::<Vec<_>>().join(", ");
        let unwind = |block: &Option<_>| block.map_or("to caller".to_string(), |block| self.label(block));
        let text = match kind {
            Kind::Return { value: None } => "ret void".to_string(),
            Kind::Return { value: Some(value) } => format!("ret {}", self.typed(*value)),
            Kind::Branch { target } => format!("br {}", self.label(*target)),
            Kind::ConditionalBranch { condition, if_true, if_false } => {
                format!("br {}, {}, {}", self.typed(*condition), self.label(*if_true), self.label(*if_false))
            }
            Kind::Switch { value, default, cases } => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(case, target)| format!("{}, {}", self.typed_constant(*case), self.label(*target)))
                    .collect();
                format!("switch {}, {} [ {} ]", self.typed(*value), self.label(*default), cases.join(" "))
            }
            Kind::IndirectBranch { address, targets } => {
                format!("indirectbr {}, [{}]", self.typed(*address), labels(targets))
            }
            Kind::Unreachable => "unreachable".to_string(),
            Kind::Resume { value } => format!("resume {}", self.typed(*value)),
            Kind::LandingPad { cleanup, clauses } => {
                let mut text = format!("landingpad {ty}");
                text += if *cleanup { " cleanup" } else { "" };
                for clause in clauses {
                    text += &match clause {
                        LandingPadClause::Catch(value) => format!(" catch {}", self.typed(*value)),
                        LandingPadClause::Filter(value) => format!(" filter {}", self.typed(*value)),
                    };
                }
                text
            }
            Kind::CleanupPad { parent, arguments } => self.pad("cleanuppad", *parent, arguments),
            Kind::CatchPad { parent, arguments } => self.pad("catchpad", *parent, arguments),
            Kind::CleanupReturn { pad, unwind: target } => {
                format!("cleanupret from {} unwind {}", self.value(*pad), unwind(target))
            }
            Kind::CatchReturn { pad, target } => {
                format!("catchret from {} to {}", self.value(*pad), self.label(*target))
            }
            Kind::CatchSwitch { parent, handlers, unwind: target } => {
                format!("catchswitch within {} [{}] unwind {}", self.value(*parent), labels(handlers), unwind(target))
            }
            _ => return None,
        };
        Some(text)
    }

    fn pad(&self, name: &str, parent: Value, arguments: &[Value]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.typed(*argument)).collect();
        format!("{name} within {} [{}]", self.value(parent), arguments.join(", "))
    }

    /// The operand of a debug record.
    pub fn described(&self, value: Option<Value>) -> String {
        match value {
            Some(Value::Metadata(_)) => "list".to_string(),
            Some(Value::Constant(constant))
                if matches!(self.module.constants[constant].kind, ConstantKind::Poison | ConstantKind::Undef) =>
            {
                "undefined".to_string()
            }
            Some(value) => crate::tokens::normalize(&self.typed(value)).join(" "),
            None => "undefined".to_string(),
        }
    }
}

fn join(indices: &[u32]) -> String {
    indices.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn align(alignment: Option<u64>) -> String {
    alignment.map_or(String::new(), |alignment| format!(", align {alignment}"))
}

fn access(atomic: Option<Atomic>, volatile: bool) -> (String, String) {
    let before = if atomic.is_some() { " atomic" } else { "" };
    let volatile = if volatile { " volatile" } else { "" };
    (format!("{before}{volatile}"), atomic.map_or(String::new(), ordering))
}

fn ordering(atomic: Atomic) -> String {
    let scope = if atomic.scope == SyncScope(0) { " syncscope(\"singlethread\")" } else { "" };
    format!("{scope} {}", ordering_name(atomic.ordering))
}

fn ordering_name(ordering: AtomicOrdering) -> &'static str {
    match ordering {
        AtomicOrdering::Unordered => "unordered",
        AtomicOrdering::Monotonic => "monotonic",
        AtomicOrdering::Acquire => "acquire",
        AtomicOrdering::Release => "release",
        AtomicOrdering::AcquireRelease => "acq_rel",
        AtomicOrdering::SequentiallyConsistent => "seq_cst",
    }
}

fn operator_name(operator: ReadModifyWriteOperator) -> &'static str {
    match operator {
        ReadModifyWriteOperator::Exchange => "xchg",
        ReadModifyWriteOperator::Add => "add",
        ReadModifyWriteOperator::Subtract => "sub",
        ReadModifyWriteOperator::And => "and",
        ReadModifyWriteOperator::Nand => "nand",
        ReadModifyWriteOperator::Or => "or",
        ReadModifyWriteOperator::Xor => "xor",
        ReadModifyWriteOperator::SignedMaximum => "max",
        ReadModifyWriteOperator::SignedMinimum => "min",
        ReadModifyWriteOperator::UnsignedMaximum => "umax",
        ReadModifyWriteOperator::UnsignedMinimum => "umin",
        _ => "other",
    }
}

fn fast_math(fast: FastMath) -> String {
    if fast.contains(FastMath::FAST) {
        return " fast".to_string();
    }
    let flags = [
        (FastMath::ALLOW_REASSOCIATION, " reassoc"),
        (FastMath::NO_NANS, " nnan"),
        (FastMath::NO_INFINITIES, " ninf"),
        (FastMath::NO_SIGNED_ZEROS, " nsz"),
        (FastMath::ALLOW_RECIPROCAL, " arcp"),
        (FastMath::ALLOW_CONTRACT, " contract"),
        (FastMath::APPROXIMATE_FUNCTIONS, " afn"),
    ];
    flags.iter().filter(|flag| fast.contains(flag.0)).map(|flag| flag.1).collect()
}
