//! What a global of a module stands for in the program. Whatever is referred to for the first time gets its number here
//! and is put on the list of things to lower.

use symcrete_ir::{Constant, FuncId, Function, Global, Linkage as IrLinkage, Operand, Param, Type};

use super::{Target, Work};
use crate::lower::calls::at_argument;
use crate::lower::{Lowering, Result, UnitIndex, malformed, unsupported};
use crate::module::{AttributeKind, AttributePlace, Global as LlvmGlobal, GlobalId, GlobalKind, Linkage};

/// Aliases of aliases are rare; longer chains go in circles.
const LONGEST_ALIAS_CHAIN: u32 = 8;

/// Parameters, results, and whether more arguments may follow.
struct Signature {
    params: Vec<Param>,
    results: Vec<Type>,
    variadic: bool,
    sign_extended_result: bool,
}

impl Lowering<'_> {
    /// What a global of a unit stands for.
    pub fn resolve(&mut self, unit: UnitIndex, id: GlobalId) -> Result<Target> {
        if let Some(known) = self.caches[unit].targets[id] {
            return Ok(known);
        }
        let global = &self.units[unit].module.globals[id];
        let is_local = matches!(global.linkage, Linkage::Internal | Linkage::Private) || global.name.is_empty();
        let target = if is_local {
            self.materialise(unit, id)?
        } else {
            match self.symbols.definition(&global.name) {
                Some(definition) => self.materialise(definition.unit, definition.global)?,
                None => self.undefined_target(unit, global)?,
            }
        };
        self.caches[unit].targets[id] = Some(target);
        Ok(target)
    }

    /// The number of the thing that this global of a unit defines.
    pub fn materialise(&mut self, unit: UnitIndex, id: GlobalId) -> Result<Target> {
        if let Some(known) = self.caches[unit].targets[id] {
            return Ok(known);
        }
        let global = &self.units[unit].module.globals[id];
        let target = match &global.kind {
            GlobalKind::Variable(_) => self.new_variable(unit, id, global)?,
            GlobalKind::Function(_) => {
                let function = self.new_function(unit, id, global)?;
                self.work.push(Work::Function { function, unit, global: id });
                Target::Function(function)
            }
            GlobalKind::Ifunc(_) => {
                let function = self.new_function(unit, id, global)?;
                self.work.push(Work::Ifunc { function, unit, global: id });
                Target::Function(function)
            }
            GlobalKind::Alias(alias) => {
                if self.symbols.aliases >= LONGEST_ALIAS_CHAIN {
                    return Err(malformed(format!("the alias `{}` leads in a circle", short(&global.name))));
                }
                self.symbols.aliases += 1;
                let address = self.constant_scalar(unit, alias.target);
                self.symbols.aliases -= 1;
                self.target_of(address?)?
            }
        };
        self.caches[unit].targets[id] = Some(target);
        Ok(target)
    }

    fn target_of(&self, address: Operand) -> Result<Target> {
        match address.as_const().map(|constant| &self.program.constants[constant]) {
            Some(Constant::Function(function)) => Ok(Target::Function(*function)),
            Some(Constant::Global { global, offset }) => Ok(Target::Variable(*global, *offset)),
            Some(Constant::Word { bits, .. }) => Ok(Target::Absolute(*bits)),
            _ => Err(unsupported("an alias of a computed address")),
        }
    }

    fn new_variable(&mut self, unit: UnitIndex, id: GlobalId, global: &LlvmGlobal) -> Result<Target> {
        let layout = self.units[unit].types.layout(global.value_type)?;
        let mut size = layout.size;
        let mut align = global.alignment.unwrap_or(layout.align);
        if let Some(definition) = self.symbols.definition(&global.name)
            && (definition.unit, definition.global) == (unit, id)
            && let Some((common_size, common_align)) = definition.common
        {
            size = size.max(common_size);
            align = align.max(common_align);
        }
        let read_only = matches!(&global.kind, GlobalKind::Variable(variable) if variable.constant);
        let variable = self.program.globals.push(Global {
            name: global.name.clone(),
            linkage: linkage(global),
            size,
            align: align.max(1),
            read_only,
            thread_local: global.thread_local.is_some(),
            initialiser: None,
            debug: None,
            runtime: self.units[unit].runtime,
        });
        self.work.push(Work::Variable { variable, unit, global: id });
        Ok(Target::Variable(variable, 0))
    }

    fn new_function(&mut self, unit: UnitIndex, id: GlobalId, global: &LlvmGlobal) -> Result<FuncId> {
        let signature = self.signature(unit, global)?;
        let function = self.external_function(&global.name, signature, self.units[unit].runtime);
        self.program.functions[function].linkage = linkage(global);
        self.work.push(Work::Text { function, unit, global: id });
        self.symbols.origins[function] = Some((unit, id));
        Ok(function)
    }

    fn external_function(&mut self, name: &str, signature: Signature, runtime: bool) -> FuncId {
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: signature.params,
            results: signature.results,
            variadic: signature.variadic,
            sign_extended_result: signature.sign_extended_result,
            text_data: Vec::new(),
            linkage: IrLinkage::External,
            body: None,
            debug: None,
            runtime,
        })
    }

    fn signature(&mut self, unit: UnitIndex, global: &LlvmGlobal) -> Result<Signature> {
        let module = self.units[unit].module;
        let Some(ty) = module.types.function(global.value_type) else {
            return Err(malformed(format!("`{}` is no function", short(&global.name))));
        };
        let attributes = global.function().and_then(|function| function.attributes);
        let by_value = self.by_value(unit, attributes)?;
        let mut params = Vec::with_capacity(ty.parameters.len());
        for (at, param) in ty.parameters.iter().enumerate() {
            let bytes = at_argument(&by_value, at).map(|by_value| by_value.bytes);
            let shape = self.shape(unit, *param)?;
            let place = AttributePlace::Parameter(at as u32);
            let zero_extended = module.has_attribute(attributes, place, AttributeKind::ZERO_EXTEND);
            params.extend(shape.scalars.iter().map(|ty| Param { ty: *ty, by_value: bytes, zero_extended }));
        }
        let results = self.shape(unit, ty.result)?.scalars.clone();
        let sign_extended_result = module.has_attribute(attributes, AttributePlace::Result, AttributeKind::SIGN_EXTEND);
        Ok(Signature { params, results, variadic: ty.variadic, sign_extended_result })
    }

    /// Something that no module defines.
    fn undefined_target(&mut self, unit: UnitIndex, global: &LlvmGlobal) -> Result<Target> {
        if global.linkage == Linkage::ExternalWeak {
            return Ok(Target::Absolute(0));
        }
        if let Some(known) = self.symbols.undefined.get(&global.name) {
            return Ok(*known);
        }
        let runtime = self.units[unit].runtime;
        let target = if global.function().is_some() {
            let signature = self.signature(unit, global)?;
            Target::Function(self.external_function(&global.name, signature, runtime))
        } else {
            let layout = self.units[unit].types.layout_if_sized(global.value_type);
            let (size, align) = layout.map_or((0, 1), |layout| (layout.size, layout.align));
            let variable = self.program.globals.push(Global {
                name: global.name.clone(),
                linkage: IrLinkage::External,
                size,
                align: global.alignment.unwrap_or(align).max(1),
                read_only: false,
                thread_local: global.thread_local.is_some(),
                initialiser: None,
                debug: None,
                runtime,
            });
            Target::Variable(variable, 0)
        };
        self.symbols.undefined.insert(global.name.clone(), target);
        Ok(target)
    }

    /// A function that code needs without naming it, such as those of libm behind intrinsics.
    pub fn function_by_name(
        &mut self,
        unit: UnitIndex,
        name: &str,
        params: &[Type],
        results: &[Type],
    ) -> Result<FuncId> {
        let known = match self.symbols.definition(name) {
            Some(definition) => Some(self.materialise(definition.unit, definition.global)?),
            None => self.symbols.undefined.get(name).copied(),
        };
        match known {
            Some(Target::Function(function)) => return Ok(function),
            Some(_) => return Err(unsupported(format!("a call of `{name}`, which is no function here"))),
            None => {}
        }
        let params = params.iter().map(|ty| Param::new(*ty)).collect();
        let signature = Signature { params, results: results.to_vec(), variadic: false, sign_extended_result: false };
        let function = self.external_function(name, signature, self.units[unit].runtime);
        self.symbols.undefined.insert(name.to_owned(), Target::Function(function));
        Ok(function)
    }

    /// Whether a function was made from this very definition.
    pub fn is_definition_of(&self, function: FuncId, unit: UnitIndex, global: GlobalId) -> bool {
        self.symbols.origins[function] == Some((unit, global))
    }
}

fn linkage(global: &LlvmGlobal) -> IrLinkage {
    match global.linkage {
        Linkage::Internal | Linkage::Private => IrLinkage::Internal,
        _ => IrLinkage::External,
    }
}

/// A name for a message.
fn short(name: &str) -> String {
    name.chars().take(200).collect()
}
