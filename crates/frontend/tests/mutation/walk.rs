//! Uses every id of a decoded module, as a reader that trusts the promises of `module` would.

use symcrete_frontend::module::{
    AttributePlace, ConstantKind, FunctionBody, GlobalKind, InstructionKind, Metadata, Module, Type, Value,
};

pub fn walk(module: &Module) {
    for (id, ty) in module.types.iter() {
        let known = |part| assert!(part < id, "a type before its part");
        match ty {
            Type::Array { element, .. } | Type::Vector { element, .. } => known(*element),
            Type::Struct(structure) => structure.fields.iter().copied().for_each(known),
            Type::Function(function) => {
                known(function.result);
                function.parameters.iter().copied().for_each(known);
            }
            _ => {}
        }
    }
    for constant in module.constants.values() {
        let _ = &module.types[constant.ty];
        match &constant.kind {
            ConstantKind::Aggregate(elements) => elements.iter().for_each(|id| {
                let _ = &module.constants[*id];
            }),
            ConstantKind::Expression(expression) => expression.for_each_operand(|id| {
                let _ = &module.constants[id];
            }),
            ConstantKind::BlockAddress { function, block } => {
                let body = module.globals[*function].function().unwrap().body.as_ref().unwrap();
                let _ = &body.blocks[*block];
            }
            _ => {}
        }
    }
    for global in module.globals.values() {
        let _ = (&module.types[global.value_type], &module.types[global.pointer_type]);
        global.debug.iter().for_each(|&id| drop(module.metadata.nodes[id].clone()));
        match &global.kind {
            GlobalKind::Variable(variable) => {
                if let Some(initializer) = variable.initializer {
                    assert_eq!(module.constants[initializer].ty, global.value_type);
                }
            }
            GlobalKind::Function(function) => {
                let _ = module.attributes_at(function.attributes, AttributePlace::Function).count();
                if let Some(body) = &function.body {
                    walk_body(module, body);
                }
            }
            GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias) => {
                let _ = &module.constants[alias.target];
            }
        }
    }
    for node in module.metadata.nodes.values() {
        match node {
            Metadata::Node { elements, .. } => elements.iter().flatten().for_each(|&id| {
                let _ = &module.metadata.nodes[id];
            }),
            Metadata::LocalVariable(variable) => {
                let _ = (module.metadata.text(variable.name), module.metadata.get(variable.ty));
            }
            Metadata::DerivedType(ty) => {
                let _ = (module.metadata.text(ty.name), module.metadata.get(ty.base_type));
            }
            Metadata::CompositeType(ty) => {
                let _ = (module.metadata.text(ty.name), module.metadata.elements(ty.elements));
            }
            _ => {}
        }
    }
}

fn walk_body(module: &Module, body: &FunctionBody) {
    for block in body.blocks.keys() {
        let last = body.terminator(block);
        assert!(last.kind.is_terminator());
        for (_, instruction) in body.instructions_of(block) {
            let _ = &module.types[instruction.ty];
            instruction.kind.for_each_operand(|operand| {
                let ty = module.type_of(body, operand);
                let _ = &module.types[ty];
                if let Value::Metadata(id) = operand {
                    let _ = &module.metadata.nodes[id];
                }
            });
            instruction.kind.for_each_successor(|target| {
                let _ = &body.blocks[target];
            });
            if let Some(location) = instruction.location.expand() {
                let location = body.locations[location];
                let _ = &module.metadata.nodes[location.scope];
                let _ = module.metadata.get(location.inlined_at);
            }
            if let Some(call) = instruction.kind.call() {
                let ty = module.types.function(call.function_type).unwrap();
                assert!(call.arguments.len() >= ty.parameters.len());
                let _ = module.attributes_at(call.attributes, AttributePlace::Result).count();
                let _ = module.debug_record_of_call(call);
            }
            if let InstructionKind::ConditionalBranch { condition, .. } = instruction.kind {
                assert_eq!(module.types[module.type_of(body, condition)], Type::Integer { width: 1 });
            }
        }
    }
    for record in &body.debug_records {
        let _ = (&module.metadata.nodes[record.location], &body.instructions[record.before]);
    }
}
