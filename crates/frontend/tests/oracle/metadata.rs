//! Debug information of both sides, reduced to lines that can be compared.

use symcrete_frontend::module::{
    DebugRecordKind, FunctionBody, Global, Instruction, Metadata, MetadataId, Module, SubrangeBound,
};

use crate::listing::{Listing, TextFunction, field};
use crate::print::{Printer, escape};

/// Line and column of an instruction.
pub fn location(body: &FunctionBody, instruction: &Instruction) -> String {
    match instruction.location.expand() {
        Some(location) => format!("{}:{}", body.locations[location].line, body.locations[location].column),
        None => "none".to_string(),
    }
}

/// Name and line of a function.
pub fn subprogram(module: &Module, global: &Global) -> String {
    match global.debug.first().map(|&id| &module.metadata.nodes[id]) {
        Some(Metadata::Subprogram(subprogram)) => {
            format!("{} {}", quoted(module.metadata.text(subprogram.name)), subprogram.line)
        }
        _ => "none".to_string(),
    }
}

/// What the debug records of a function say: kind, variable, value.
pub fn variables(module: &Module, printer: &Printer<'_>, body: &FunctionBody) -> Vec<String> {
    let name = |id: MetadataId| match &module.metadata.nodes[id] {
        Metadata::LocalVariable(variable) => quoted(module.metadata.text(variable.name)),
        Metadata::Label(label) => quoted(module.metadata.text(label.name)),
        _ => "?".to_string(),
    };
    let line = |kind: DebugRecordKind| match kind {
        DebugRecordKind::Declare { variable, address, .. } => {
            format!("declare {} {}", name(variable), printer.described(address))
        }
        DebugRecordKind::Value { variable, value, .. } => {
            format!("value {} {}", name(variable), printer.described(value))
        }
        DebugRecordKind::Assign { variable, value, .. } => {
            format!("assign {} {}", name(variable), printer.described(value))
        }
        DebugRecordKind::Label { label } => format!("label {}", name(label)),
    };
    let records = body.debug_records.iter().map(|record| line(record.kind));
    let calls = body.instructions.values().filter_map(|instruction| {
        let call = instruction.kind.call()?;
        module.debug_record_of_call(call).map(line)
    });
    records.chain(calls).collect()
}

/// The same from the text.
pub fn variables_of_text(listing: &Listing, function: &TextFunction) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |kind: &str, operands: &str| {
        let operands: Vec<&str> = split_operands(operands);
        let operand = |index: usize| operands.get(index).map_or("", |operand| operand.trim_start_matches("metadata "));
        let node = operand(if kind == "label" { 0 } else { 1 });
        let node = node.trim_start_matches('!').parse().ok().and_then(|number| listing.nodes.get(&number));
        let name = node.and_then(|node| field(node, "name")).unwrap_or("");
        if kind == "label" {
            lines.push(format!("label {name}"));
            return;
        }
        let value = operand(0);
        let value = match value {
            _ if value.starts_with("!DIArgList") => "list".to_string(),
            _ if value.ends_with(" undef") || value.ends_with(" poison") || value.starts_with('!') => {
                "undefined".to_string()
            }
            _ => crate::tokens::normalize(value).join(" "),
        };
        lines.push(format!("{kind} {name} {value}"));
    };
    for record in &function.records {
        let (kind, operands) = record.trim_start_matches("#dbg_").split_once('(').unwrap();
        add(if kind == "declare_value" { "value" } else { kind }, operands.trim_end_matches(')'));
    }
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let Some((_, call)) = instruction.split_once("void @llvm.dbg.") else { continue };
        let (kind, operands) = call.split_once('(').unwrap();
        add(kind, operands.rsplit_once(')').unwrap().0);
    }
    lines
}

/// Splits at commas that are not in brackets or quotes.
fn split_operands(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut start) = (0, false, 0);
    let mut parts = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// One line for each node of debug information, sorted.
pub fn summary(module: &Module) -> Vec<String> {
    let table = &module.metadata;
    let text = |id| quoted(table.text(id));
    let mut lines: Vec<String> = table
        .nodes
        .values()
        .filter_map(|node| {
            Some(match node {
                Metadata::BasicType(ty) => format!("DIBasicType {} {}", text(ty.name), ty.size_in_bits),
                Metadata::DerivedType(ty) => {
                    format!("DIDerivedType {} {} {} {}", text(ty.name), ty.line, ty.size_in_bits, ty.offset_in_bits)
                }
                Metadata::CompositeType(ty) => {
                    format!("DICompositeType {} {} {}", text(ty.name), ty.line, ty.size_in_bits)
                }
                Metadata::LocalVariable(variable) => {
                    format!("DILocalVariable {} {} {}", text(variable.name), variable.argument, variable.line)
                }
                Metadata::GlobalVariable(variable) => format!(
                    "DIGlobalVariable {} {} {}",
                    text(variable.name),
                    text(variable.linkage_name),
                    variable.line
                ),
                Metadata::Subprogram(subprogram) => format!(
                    "DISubprogram {} {} {} {}",
                    text(subprogram.name),
                    text(subprogram.linkage_name),
                    subprogram.line,
                    subprogram.scope_line
                ),
                Metadata::Enumerator(enumerator) => {
                    let value = if enumerator.unsigned {
                        (enumerator.value as u64).to_string()
                    } else {
                        enumerator.value.to_string()
                    };
                    format!("DIEnumerator {} {value}", text(enumerator.name))
                }
                Metadata::LexicalBlock(block) => format!("DILexicalBlock {} {}", block.line, block.column),
                Metadata::Namespace(namespace) => format!("DINamespace {}", text(namespace.name)),
                Metadata::File(file) => format!("DIFile {} {}", text(file.name), text(file.directory)),
                Metadata::Label(label) => format!("DILabel {} {}", text(label.name), label.line),
                Metadata::TemplateParameter(parameter) => format!("DITemplate {}", text(parameter.name)),
                Metadata::Subrange(range) => {
                    let count = match range.count {
                        SubrangeBound::Constant(count) => count.to_string(),
                        SubrangeBound::Node(_) => "node".to_string(),
                        SubrangeBound::Unknown => "none".to_string(),
                    };
                    format!("DISubrange {count}")
                }
                Metadata::CompileUnit(unit) => format!("DICompileUnit {}", text(unit.producer)),
                Metadata::SubroutineType(_) => "DISubroutineType".to_string(),
                Metadata::ImportedEntity(_) => "DIImportedEntity".to_string(),
                _ => return None,
            })
        })
        .collect();
    lines.sort();
    lines
}

/// The same from the text.
pub fn summary_of_text(listing: &Listing) -> Vec<String> {
    let mut lines: Vec<String> = listing.nodes.values().filter_map(|node| summary_of_node(node)).collect();
    lines.sort();
    lines
}

fn summary_of_node(node: &str) -> Option<String> {
    let kind = node.trim_start_matches("distinct ").strip_prefix('!')?.split('(').next()?;
    let text = |name: &str| field(node, name).unwrap_or("").to_string();
    let number = |name: &str| field(node, name).unwrap_or("0").to_string();
    Some(match kind {
        "DIBasicType" => format!("{kind} {} {}", text("name"), number("size")),
        "DIDerivedType" => {
            format!("{kind} {} {} {} {}", text("name"), number("line"), number("size"), number("offset"))
        }
        "DICompositeType" => format!("{kind} {} {} {}", text("name"), number("line"), number("size")),
        "DILocalVariable" => format!("{kind} {} {} {}", text("name"), number("arg"), number("line")),
        "DIGlobalVariable" => format!("{kind} {} {} {}", text("name"), text("linkageName"), number("line")),
        "DISubprogram" => {
            format!("{kind} {} {} {} {}", text("name"), text("linkageName"), number("line"), number("scopeLine"))
        }
        "DIEnumerator" => format!("{kind} {} {}", text("name"), text("value")),
        "DILexicalBlock" => format!("{kind} {} {}", number("line"), number("column")),
        "DINamespace" => format!("{kind} {}", text("name")),
        "DIFile" => format!("{kind} {} {}", text("filename"), text("directory")),
        "DILabel" => format!("{kind} {} {}", text("name"), number("line")),
        "DITemplateTypeParameter" | "DITemplateValueParameter" => format!("DITemplate {}", text("name")),
        "DISubrange" => {
            let count = field(node, "count").unwrap_or("none");
            format!("{kind} {}", if count.starts_with('!') { "node" } else { count })
        }
        "DICompileUnit" => format!("{kind} {}", text("producer")),
        "DISubroutineType" | "DIImportedEntity" => kind.to_string(),
        _ => return None,
    })
}

fn quoted(text: &str) -> String {
    escape(text.as_bytes())
}
