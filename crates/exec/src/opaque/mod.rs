//! Functions that paths do not look into: those that the user says are pure, and those of which only machine code is
//! there. A call of a pure one with arguments that depend on inputs becomes an expression, which the evaluator really
//! calls: by executing its body on a state of its own, or natively in a helper process. What executing such a call
//! means is in `step/opaque.rs`.

mod body;
mod callee;
pub mod declared;
pub mod domains;
mod results;

use std::cell::RefCell;
use std::rc::Rc;

use symcrete_expr::Arena;
use symcrete_expr::dag::{self, Function, FunctionId};
use symcrete_ir::{CallData, FloatKind, FuncId, Param, Program, Type, TypeKind};
use symcrete_native::{Helper, Kind, Signature};

pub use callee::{ANSWERED, Failure, NOT_PURE, Outcome, RETURNED};
pub(crate) use callee::{Arguments, Callee};
pub use results::NativeResults;

use crate::Config;
use body::Bodies;

/// What becomes of a call with arguments that depend on inputs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// Calls of pure functions become expressions.
    #[default]
    Symbolic,
    /// The arguments are fixed to values that they can have, and the function is called with those.
    Concretise,
    /// The same, but paths are runs on one assignment of inputs, and do not say that the arguments are so (`explore`'s `dart`).
    Dart,
}

/// The opaque functions of one executor.
pub struct Opaque {
    /// By function: whether it is pure.
    pure: Vec<bool>,
    entries: Vec<Entry>,
    helper: Option<Rc<RefCell<Helper>>>,
    bodies: Option<Rc<RefCell<Bodies>>>,
    /// What the last native call came to, until its parts are asked for.
    pub(crate) last: Outcome,
}

/// A function that was called.
#[derive(Clone)]
pub(crate) struct Entry {
    pub function: FuncId,
    pub signature: Rc<Signature>,
    pub callee: Rc<RefCell<Callee>>,
    /// Its result and its status as functions of expressions.
    pub result: FunctionId,
    pub status: FunctionId,
}

impl Opaque {
    pub(crate) fn new(program: &Program, config: &Config) -> Opaque {
        let mut pure = vec![false; program.functions.len()];
        for function in &config.pure {
            if let Some(mark) = pure.get_mut(function.as_u32() as usize) {
                *mark = true;
            }
        }
        let helper = config.native.clone().map(|command| Rc::new(RefCell::new(Helper::new(command))));
        Opaque { pure, entries: Vec::new(), helper, bodies: None, last: Outcome::default() }
    }

    #[inline]
    pub(crate) fn is_pure(&self, function: FuncId) -> bool {
        self.pure[function.as_u32() as usize]
    }

    /// The functions that turned out not to be pure since somebody last asked, in words.
    pub fn impurities(&mut self) -> Vec<String> {
        self.entries.iter().filter_map(|entry| entry.callee.borrow_mut().tell_impurity()).collect()
    }

    /// The functions of which paths assume since somebody last asked that they return.
    pub fn assumed_to_return(&mut self, program: &Program) -> Vec<String> {
        let new = self.entries.iter().filter(|entry| entry.callee.borrow_mut().tell_assumption());
        new.map(|entry| program.functions[entry.function].source_name().to_owned()).collect()
    }

    pub(crate) fn helper(&self) -> Option<Rc<RefCell<Helper>>> {
        self.helper.clone()
    }

    pub(crate) fn known(&self, function: FuncId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.function == function)
    }

    /// The function, made ready to be called with this signature; why it cannot be, otherwise.
    pub(crate) fn entry(
        &mut self,
        program: &Program,
        config: &Config,
        arena: &mut Arena,
        function: FuncId,
        signature: Signature,
    ) -> Result<Entry, String> {
        if let Some(known) = self.known(function) {
            return match *known.signature == signature {
                true => Ok(known.clone()),
                false => Err("it is called with other types elsewhere".to_owned()),
            };
        }
        let data = &program.functions[function];
        let callee = if data.body.is_some() {
            let bodies = match &self.bodies {
                Some(bodies) => bodies.clone(),
                None => self.bodies.insert(Rc::new(RefCell::new(Bodies::new(program, config)?))).clone(),
            };
            Callee::with_body(data.source_name(), signature.clone(), bodies, function)
        } else {
            let helper = self.helper.clone().ok_or_else(|| "no library is named that has it".to_owned())?;
            Callee::native(&data.name, signature.clone(), helper)?
        };
        let callee = Rc::new(RefCell::new(callee));
        // Internal functions of different files may share a name, and others the name of one of libm.
        let name = format!("{}#{function}", data.name);
        let (for_result, for_status) = (callee.clone(), callee.clone());
        let result_id = arena.add_function(Function {
            name: name.clone(),
            evaluate: Rc::new(move |arguments, width| for_result.borrow_mut().result(arguments, width)),
        });
        let status = arena.add_function(Function {
            name: format!("{name}.status"),
            evaluate: Rc::new(move |arguments, width| for_status.borrow_mut().status(arguments, width)),
        });
        if let Some(kind) = signature.result {
            let parameters = signature.parameters.iter().map(|kind| domains::number_kind(*kind)).collect();
            let result = domains::number_kind(kind);
            arena.set_signature(result_id, dag::Signature { parameters, result, is_slow: true });
        }
        if let Some(partitions) = config.partitions.get(&data.name) {
            arena.set_partitions(result_id, partitions.clone());
        }
        let entry = Entry { function, signature: Rc::new(signature), callee, result: result_id, status };
        self.entries.push(entry.clone());
        Ok(entry)
    }
}

/// The types of a call's arguments and result, if all are numbers; what stands in the way, otherwise.
pub(crate) fn signature(program: &Program, function: FuncId, data: &CallData) -> Result<Signature, String> {
    let callee = &program.functions[function];
    if callee.variadic && !callee.params.is_empty() {
        return Err("it takes a variable number of arguments".to_owned());
    }
    if !data.by_value.is_empty() {
        return Err("it takes a structure".to_owned());
    }
    let mut parameters = Vec::new();
    for (at, ty) in data.arg_types.iter().enumerate() {
        // A function without a prototype says nothing of its parameters.
        let declared = callee.params.get(at).filter(|param| param.ty == *ty);
        let param = declared.cloned().unwrap_or_else(|| Param::new(*ty));
        parameters.push(parameter_kind(&param).ok_or_else(|| format!("it takes {}", described(*ty)))?);
    }
    let result = match data.result_types[..] {
        [] => None,
        [ty] => Some(kind(ty).ok_or_else(|| format!("it returns {}", described(ty)))?),
        _ => return Err("it returns a structure".to_owned()),
    };
    Ok(Signature { parameters, result })
}

/// The kind of number of a parameter: the upper parts of the registers with narrow ones matter to native code.
pub(crate) fn parameter_kind(param: &Param) -> Option<Kind> {
    match kind(param.ty)? {
        Kind::Integer { bits, signed } => Some(Kind::Integer { bits, signed: signed && !param.zero_extended }),
        other => Some(other),
    }
}

/// The kind of number of a type; of an integer nothing is known but that `_Bool` is unsigned.
pub(crate) fn kind(ty: Type) -> Option<Kind> {
    match ty.kind() {
        TypeKind::Int(bits @ 1..=64) => Some(Kind::Integer { bits: bits as u8, signed: bits != 1 }),
        TypeKind::Float(FloatKind::Single) => Some(Kind::Single),
        TypeKind::Float(FloatKind::Double) => Some(Kind::Double),
        TypeKind::Float(FloatKind::X87) => Some(Kind::X87),
        _ => None,
    }
}

/// A type that is no number, in words.
fn described(ty: Type) -> String {
    match ty.kind() {
        TypeKind::Pointer => "a pointer".to_owned(),
        TypeKind::Int(bits) => format!("an integer of {bits} bits"),
        TypeKind::Float(_) => format!("a float of the type {ty}"),
    }
}
