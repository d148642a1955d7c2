//! Our modules in LLVM's text form: types, constants, globals, operands. Instructions are in `instructions`.

use cranelift_entity::{EntityRef, SecondaryMap};
use symcrete_frontend::module::{
    BinaryOperator, BlockId, CastOperator, ConstantExpression, ConstantId, ConstantKind, FloatKind, FloatPredicate,
    Function, FunctionBody, Global, GlobalKind, IntegerPredicate, Linkage, Module, ResultId, ThreadLocalMode, Type,
    TypeId, UnnamedAddress, Value, Visibility,
};

/// Prints parts of a module, and of one function if there is one.
pub struct Printer<'m> {
    pub module: &'m Module,
    pub body: Option<&'m FunctionBody>,
    arguments: Vec<String>,
    pub results: SecondaryMap<ResultId, String>,
    pub blocks: SecondaryMap<BlockId, String>,
    globals: Vec<String>,
}

impl<'m> Printer<'m> {
    /// Numbers what has no name as LLVM does: arguments, then blocks and results in order.
    pub fn new(module: &'m Module, body: Option<&'m FunctionBody>) -> Self {
        let mut unnamed_global = 0;
        let mut globals = vec![String::new(); module.globals.len()];
        // Variables, aliases, ifuncs, functions: the order in which LLVM numbers them.
        for pass in 0..4 {
            for (id, global) in module.globals.iter() {
                let kind = match global.kind {
                    GlobalKind::Variable(_) => 0,
                    GlobalKind::Alias(_) => 1,
                    GlobalKind::Ifunc(_) => 2,
                    GlobalKind::Function(_) => 3,
                };
                if kind == pass {
                    globals[id.index()] = name_or_number(Some(global.name.as_str()), &mut unnamed_global);
                }
            }
        }
        let mut printer = Printer {
            module,
            body,
            arguments: Vec::new(),
            results: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
            globals,
        };
        let Some(body) = body else { return printer };
        let mut number = 0;
        for index in 0..body.argument_types.len() {
            let name = body.argument_names.get(index).and_then(Option::as_deref);
            printer.arguments.push(name_or_number(name, &mut number));
        }
        for (id, block) in body.blocks.iter() {
            printer.blocks[id] = name_or_number(block.name.as_deref(), &mut number);
            for (_, instruction) in body.instructions_of(id) {
                if let Some(result) = instruction.result.expand() {
                    printer.results[result] = name_or_number(body.result_names[result].as_deref(), &mut number);
                }
            }
        }
        printer
    }

    pub fn ty(&self, id: TypeId) -> String {
        match &self.module.types[id] {
            Type::Void => "void".into(),
            Type::Label => "label".into(),
            Type::Metadata => "metadata".into(),
            Type::Token => "token".into(),
            Type::X86Mmx => "x86_mmx".into(),
            Type::X86Amx => "x86_amx".into(),
            Type::Integer { width } => format!("i{width}"),
            Type::Float(format) => match format {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Float => "float",
                FloatKind::Double => "double",
                FloatKind::X86Fp80 => "x86_fp80",
                FloatKind::Fp128 => "fp128",
                FloatKind::PpcFp128 => "ppc_fp128",
            }
            .into(),
            Type::Pointer { address_space: 0 } => "ptr".into(),
            Type::Pointer { address_space } => format!("ptr addrspace({address_space})"),
            Type::Array { element, length } => format!("[{length} x {}]", self.ty(*element)),
            Type::Vector { element, length } => format!("<{length} x {}>", self.ty(*element)),
            Type::Struct(structure) => match &structure.name {
                Some(name) => format!("%\"{name}\""),
                None => self.struct_body(id),
            },
            Type::Function(function) => {
                let mut parameters: Vec<String> = function.parameters.iter().map(|&ty| self.ty(ty)).collect();
                if function.variadic {
                    parameters.push("...".into());
                }
                format!("{} ({})", self.ty(function.result), parameters.join(", "))
            }
            Type::TargetExtension { name, .. } => format!("target(\"{name}\")"),
        }
    }

    fn struct_body(&self, id: TypeId) -> String {
        let Type::Struct(structure) = &self.module.types[id] else { return String::new() };
        let fields: Vec<String> = structure.fields.iter().map(|&field| self.ty(field)).collect();
        let fields = format!("{{ {} }}", fields.join(", "));
        match (structure.opaque, structure.packed) {
            (true, _) => "opaque".into(),
            (_, true) => format!("<{fields}>"),
            _ => fields,
        }
    }

    /// The definition of a structure by its name in the text.
    pub fn struct_definition(&self, name: &str) -> String {
        let name = name.trim_start_matches('%').trim_matches('"');
        let found = self.module.types.iter().find(|(_, ty)| match ty {
            Type::Struct(structure) => structure.name.as_deref() == Some(name),
            _ => false,
        });
        found.map_or_else(|| format!("no type {name}"), |(id, _)| self.struct_body(id))
    }

    /// A constant without its type.
    pub fn constant(&self, id: ConstantId) -> String {
        let constant = &self.module.constants[id];
        match &constant.kind {
            ConstantKind::Null => match &self.module.types[constant.ty] {
                Type::Integer { width: 1 } => "false".into(),
                Type::Integer { .. } => "0".into(),
                Type::Float(_) => "fbits.0".into(),
                Type::Pointer { .. } => "null".into(),
                Type::Token => "none".into(),
                _ => "zeroinitializer".into(),
            },
            ConstantKind::Aggregate(elements) => {
                let elements: Vec<String> = elements.iter().map(|&element| self.typed_constant(element)).collect();
                self.brackets(constant.ty, &elements.join(", "))
            }
            ConstantKind::Data(bytes) => self.data(constant.ty, bytes),
            ConstantKind::Expression(expression) => self.expression(expression, constant.ty),
            kind => self.simple(kind, constant.ty),
        }
    }

    fn simple(&self, kind: &ConstantKind, ty: TypeId) -> String {
        let global = |id: &symcrete_frontend::module::GlobalId| format!("@\"{}\"", self.globals[id.index()]);
        match kind {
            ConstantKind::Global(id) => global(id),
            ConstantKind::Undef => "undef".into(),
            ConstantKind::Poison => "poison".into(),
            ConstantKind::Integer(value) => self.integer(ty, *value),
            ConstantKind::WideInteger(words) => self.wide_integer(ty, words),
            ConstantKind::Float(bits) => format!("fbits.{bits:x}"),
            ConstantKind::WideFloat(bits) => format!("fbits.{:x}", **bits),
            ConstantKind::BlockAddress { function, .. } => format!("blockaddress({}, %)", global(function)),
            ConstantKind::DsoLocalEquivalent(id) => format!("dso_local_equivalent {}", global(id)),
            ConstantKind::NoCfi(id) => format!("no_cfi {}", global(id)),
            ConstantKind::InlineAssembly(assembly) => {
                let mut words = vec!["asm".to_string()];
                let flags = [
                    (assembly.side_effects, "sideeffect"),
                    (assembly.align_stack, "alignstack"),
                    (assembly.intel_syntax, "inteldialect"),
                    (assembly.can_unwind, "unwind"),
                ];
                words.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1.to_string()));
                let escaped = |text: &str| escape(text.as_bytes());
                format!("{} \"{}\", \"{}\"", words.join(" "), escaped(&assembly.text), escaped(&assembly.constraints))
            }
            ConstantKind::Splat(element) => {
                format!("splat({})", self.simple(element, self.module.types.scalar_of(ty)))
            }
            other => format!("{other:?}"),
        }
    }

    fn integer(&self, ty: TypeId, value: u64) -> String {
        match self.module.types[ty] {
            Type::Integer { width: 1 } => (value == 1).to_string(),
            Type::Integer { width } => ((value << (64 - width)) as i64 >> (64 - width)).to_string(),
            _ => "?".into(),
        }
    }

    /// Decimal digits of a wide integer in two's complement.
    fn wide_integer(&self, ty: TypeId, words: &[u64]) -> String {
        let Type::Integer { width } = self.module.types[ty] else { return "?".into() };
        let top = width - 1;
        let negative = words[(top / 64) as usize] >> (top % 64) & 1 == 1;
        let mut words = words.to_vec();
        if negative {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(carry.into());
            }
            if width % 64 != 0 {
                *words.last_mut().unwrap() &= u64::MAX >> (64 - width % 64);
            }
        }
        let mut digits = Vec::new();
        while words.iter().any(|&word| word != 0) {
            let mut remainder = 0u128;
            for word in words.iter_mut().rev() {
                let part = remainder << 64 | u128::from(*word);
                *word = (part / 10) as u64;
                remainder = part % 10;
            }
            digits.push(char::from(b'0' + remainder as u8));
        }
        if digits.is_empty() {
            digits.push('0');
        }
        let sign = if negative { "-" } else { "" };
        format!("{sign}{}", digits.iter().rev().collect::<String>())
    }

    fn brackets(&self, ty: TypeId, content: &str) -> String {
        match &self.module.types[ty] {
            Type::Array { .. } => format!("[{content}]"),
            Type::Vector { .. } => format!("<{content}>"),
            Type::Struct(structure) if structure.packed => format!("<{{ {content} }}>"),
            _ => format!("{{ {content} }}"),
        }
    }

    fn data(&self, ty: TypeId, bytes: &[u8]) -> String {
        let (element, array) = match self.module.types[ty] {
            Type::Array { element, .. } => (element, true),
            Type::Vector { element, .. } => (element, false),
            _ => return "?".into(),
        };
        let size = match self.module.types[element] {
            Type::Integer { width: 8 } if array => return format!("c\"{}\"", escape(bytes)),
            Type::Integer { width } => width / 8,
            Type::Float(format) => format.width() / 8,
            _ => 1,
        };
        let elements: Vec<String> = bytes
            .chunks(size as usize)
            .map(|chunk| {
                let value = chunk.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
                let text = match self.module.types[element] {
                    Type::Integer { .. } => self.integer(element, value),
                    _ => format!("fbits.{value:x}"),
                };
                format!("{} {text}", self.ty(element))
            })
            .collect();
        self.brackets(ty, &elements.join(", "))
    }

    pub fn typed_constant(&self, id: ConstantId) -> String {
        format!("{} {}", self.ty(self.module.constants[id].ty), self.constant(id))
    }

    fn expression(&self, expression: &ConstantExpression, ty: TypeId) -> String {
        use ConstantExpression as Expression;
        let typed = |id: &ConstantId| self.typed_constant(*id);
        match expression {
            Expression::Negate(operand) => format!("fneg ({})", typed(operand)),
            Expression::Binary { operator, left, right, flags } => {
                let flags = wrap_flags(flags.no_unsigned_wrap, flags.no_signed_wrap, flags.exact, false);
                format!("{}{flags} ({}, {})", binary_name(*operator), typed(left), typed(right))
            }
            Expression::Cast { operator, operand } => {
                format!("{} ({} to {})", cast_name(*operator), typed(operand), self.ty(ty))
            }
            Expression::ElementPointer { source_type, base, indices, flags } => {
                let mut operands = vec![self.ty(*source_type), typed(base)];
                operands.extend(indices.iter().map(typed));
                format!("getelementptr{} ({})", element_flags(flags), operands.join(", "))
            }
            Expression::Select { condition, if_true, if_false } => {
                format!("select ({}, {}, {})", typed(condition), typed(if_true), typed(if_false))
            }
            Expression::ExtractElement { vector, index } => {
                format!("extractelement ({}, {})", typed(vector), typed(index))
            }
            Expression::InsertElement { vector, element, index } => {
                format!("insertelement ({}, {}, {})", typed(vector), typed(element), typed(index))
            }
            Expression::ShuffleVector { left, right, mask } => {
                format!("shufflevector ({}, {}, {})", typed(left), typed(right), shuffle_mask(mask))
            }
            Expression::IntegerCompare { predicate, left, right } => {
                format!("icmp {} ({}, {})", integer_predicate(*predicate), typed(left), typed(right))
            }
            Expression::FloatCompare { predicate, left, right } => {
                format!("fcmp {} ({}, {})", float_predicate(*predicate), typed(left), typed(right))
            }
        }
    }

    /// An operand without its type.
    pub fn value(&self, value: Value) -> String {
        match value {
            Value::Constant(id) => self.constant(id),
            Value::Argument(index) => format!("%\"{}\"", self.arguments[index as usize]),
            Value::Result(result) => format!("%\"{}\"", self.results[result]),
            Value::Metadata(_) => String::new(),
        }
    }

    pub fn typed(&self, value: Value) -> String {
        let ty = self.module.type_of(self.body.unwrap(), value);
        format!("{} {}", self.ty(ty), self.value(value))
    }

    pub fn label(&self, block: BlockId) -> String {
        format!("label %\"{}\"", self.blocks[block])
    }

    /// What stands before `global`, `alias` or the type of a function.
    fn prefix(&self, global: &Global) -> Vec<String> {
        let mut words = Vec::new();
        let linkage = match global.linkage {
            Linkage::External if global.is_declaration() && global.function().is_none() => "external",
            Linkage::External => "",
            Linkage::AvailableExternally => "available_externally",
            Linkage::LinkOnceAny => "linkonce",
            Linkage::LinkOnceOdr => "linkonce_odr",
            Linkage::WeakAny => "weak",
            Linkage::WeakOdr => "weak_odr",
            Linkage::Appending => "appending",
            Linkage::Internal => "internal",
            Linkage::Private => "private",
            Linkage::ExternalWeak => "extern_weak",
            Linkage::Common => "common",
        };
        words.push(linkage);
        let local = matches!(global.linkage, Linkage::Internal | Linkage::Private);
        let implied = local || (global.visibility != Visibility::Default && global.linkage != Linkage::ExternalWeak);
        if global.dso_local && !implied {
            words.push("dso_local");
        }
        words.push(match global.visibility {
            Visibility::Default => "",
            Visibility::Hidden => "hidden",
            Visibility::Protected => "protected",
        });
        words.push(match global.thread_local {
            None => "",
            Some(ThreadLocalMode::GeneralDynamic) => "thread_local",
            Some(ThreadLocalMode::LocalDynamic) => "thread_local(localdynamic)",
            Some(ThreadLocalMode::InitialExec) => "thread_local(initialexec)",
            Some(ThreadLocalMode::LocalExec) => "thread_local(localexec)",
        });
        words.into_iter().filter(|word| !word.is_empty()).map(str::to_string).collect()
    }

    fn unnamed_address(global: &Global) -> &'static str {
        match global.unnamed_address {
            UnnamedAddress::Significant => "",
            UnnamedAddress::LocallyInsignificant => "local_unnamed_addr",
            UnnamedAddress::Insignificant => "unnamed_addr",
        }
    }

    fn placement(&self, global: &Global, separator: &str) -> String {
        let mut text = String::new();
        if let Some(section) = &global.section {
            text += &format!("{separator} section \"{section}\"");
        }
        if let Some(comdat) = global.comdat {
            let name = &self.module.comdats[comdat].name;
            let same = *name == global.name;
            text += &if same { format!("{separator} comdat") } else { format!("{separator} comdat($\"{name}\")") };
        }
        text
    }

    /// The line that defines a variable, alias or ifunc.
    pub fn variable(&self, global: &Global) -> String {
        let index = self.module.globals.iter().find(|(_, other)| std::ptr::eq(*other, global)).unwrap().0.index();
        let mut words = vec![format!("@\"{}\" =", self.globals[index])];
        words.extend(self.prefix(global));
        words.push(Self::unnamed_address(global).to_string());
        match &global.kind {
            GlobalKind::Variable(variable) => {
                if variable.externally_initialized {
                    words.push("externally_initialized".into());
                }
                words.push(if variable.constant { "constant" } else { "global" }.into());
                words.push(self.ty(global.value_type));
                if let Some(initializer) = variable.initializer {
                    words.push(self.constant(initializer));
                }
                words.push(self.placement(global, ","));
                if let Some(alignment) = global.alignment {
                    words.push(format!(", align {alignment}"));
                }
            }
            GlobalKind::Alias(alias) => {
                words.push(format!("alias {}, {}", self.ty(global.value_type), self.typed_constant(alias.target)));
            }
            GlobalKind::Ifunc(alias) => {
                words.push(format!("ifunc {}, {}", self.ty(global.value_type), self.typed_constant(alias.target)));
            }
            GlobalKind::Function(_) => {}
        }
        words.join(" ")
    }

    /// The line that begins a function, without attributes.
    pub fn function_header(&self, global: &Global, function: &Function) -> String {
        let Type::Function(ty) = &self.module.types[global.value_type] else { return "?".into() };
        let mut words = vec![if function.body.is_some() { "define" } else { "declare" }.to_string()];
        words.extend(self.prefix(global));
        words.push(calling_convention(function.calling_convention));
        words.push(self.ty(ty.result));
        let mut parameters: Vec<String> = ty.parameters.iter().map(|&parameter| self.ty(parameter)).collect();
        for (parameter, name) in parameters.iter_mut().zip(&self.arguments) {
            *parameter += &format!(" %\"{name}\"");
        }
        if ty.variadic {
            parameters.push("...".into());
        }
        words.push(format!("@\"{}\"({})", global.name, parameters.join(", ")));
        words.push(Self::unnamed_address(global).to_string());
        words.push(self.placement(global, ""));
        if let Some(personality) = function.personality {
            words.push(format!("personality {}", self.typed_constant(personality)));
        }
        words.join(" ")
    }
}

fn name_or_number(name: Option<&str>, next: &mut u32) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => name.to_string(),
        None => {
            *next += 1;
            (*next - 1).to_string()
        }
    }
}

/// Bytes as LLVM writes them between quotes.
pub fn escape(bytes: &[u8]) -> String {
    let escaped = |&byte: &u8| match byte {
        b'\\' => "\\\\".to_string(),
        0x20..0x7f if byte != b'"' => char::from(byte).to_string(),
        _ => format!("\\{byte:02X}"),
    };
    bytes.iter().map(escaped).collect()
}

pub fn calling_convention(number: u32) -> String {
    match number {
        0 => String::new(),
        8 => "fastcc".into(),
        9 => "coldcc".into(),
        18 => "swiftcc".into(),
        other => format!("cc{other}"),
    }
}

pub fn wrap_flags(unsigned: bool, signed: bool, exact: bool, disjoint: bool) -> String {
    let flags = [(unsigned, " nuw"), (signed, " nsw"), (exact, " exact"), (disjoint, " disjoint")];
    flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect()
}

pub fn element_flags(flags: &symcrete_frontend::module::ElementPointerFlags) -> String {
    let wrap = flags.no_unsigned_signed_wrap && !flags.inbounds;
    let flags = [(flags.inbounds, " inbounds"), (wrap, " nusw"), (flags.no_unsigned_wrap, " nuw")];
    flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect()
}

pub fn shuffle_mask(mask: &[Option<u32>]) -> String {
    let ty = format!("<{} x i32>", mask.len());
    if mask.iter().all(|place| *place == Some(0)) {
        return format!("{ty} zeroinitializer");
    }
    if mask.iter().all(Option::is_none) {
        return format!("{ty} poison");
    }
    let places: Vec<String> =
        mask.iter().map(|place| place.map_or("i32 poison".into(), |place| format!("i32 {place}"))).collect();
    format!("{ty} <{}>", places.join(", "))
}

pub fn binary_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "add",
        BinaryOperator::Subtract => "sub",
        BinaryOperator::Multiply => "mul",
        BinaryOperator::UnsignedDivide => "udiv",
        BinaryOperator::SignedDivide => "sdiv",
        BinaryOperator::UnsignedRemainder => "urem",
        BinaryOperator::SignedRemainder => "srem",
        BinaryOperator::ShiftLeft => "shl",
        BinaryOperator::LogicalShiftRight => "lshr",
        BinaryOperator::ArithmeticShiftRight => "ashr",
        BinaryOperator::And => "and",
        BinaryOperator::Or => "or",
        BinaryOperator::Xor => "xor",
        BinaryOperator::FloatAdd => "fadd",
        BinaryOperator::FloatSubtract => "fsub",
        BinaryOperator::FloatMultiply => "fmul",
        BinaryOperator::FloatDivide => "fdiv",
        BinaryOperator::FloatRemainder => "frem",
    }
}

pub fn cast_name(operator: CastOperator) -> &'static str {
    match operator {
        CastOperator::Truncate => "trunc",
        CastOperator::ZeroExtend => "zext",
        CastOperator::SignExtend => "sext",
        CastOperator::FloatToUnsigned => "fptoui",
        CastOperator::FloatToSigned => "fptosi",
        CastOperator::UnsignedToFloat => "uitofp",
        CastOperator::SignedToFloat => "sitofp",
        CastOperator::FloatTruncate => "fptrunc",
        CastOperator::FloatExtend => "fpext",
        CastOperator::PointerToInteger => "ptrtoint",
        CastOperator::IntegerToPointer => "inttoptr",
        CastOperator::Bitcast => "bitcast",
        CastOperator::AddressSpaceCast => "addrspacecast",
        CastOperator::PointerToAddress => "ptrtoaddr",
    }
}

pub fn integer_predicate(predicate: IntegerPredicate) -> &'static str {
    match predicate {
        IntegerPredicate::Equal => "eq",
        IntegerPredicate::NotEqual => "ne",
        IntegerPredicate::UnsignedGreater => "ugt",
        IntegerPredicate::UnsignedGreaterOrEqual => "uge",
        IntegerPredicate::UnsignedLess => "ult",
        IntegerPredicate::UnsignedLessOrEqual => "ule",
        IntegerPredicate::SignedGreater => "sgt",
        IntegerPredicate::SignedGreaterOrEqual => "sge",
        IntegerPredicate::SignedLess => "slt",
        IntegerPredicate::SignedLessOrEqual => "sle",
    }
}

pub fn float_predicate(predicate: FloatPredicate) -> &'static str {
    const NAMES: [&str; 16] = [
        "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
        "true",
    ];
    let bits = [predicate.equal, predicate.greater, predicate.less, predicate.unordered];
    NAMES[bits.iter().rev().fold(0, |index, &bit| index * 2 + usize::from(bit))]
}
