//! Calls of functions that paths do not look into (`opaque`): as expressions where they are pure, with fixed arguments
//! otherwise.

use smallvec::{SmallVec, smallvec};
use symcrete_expr::{Bits, Expr, Value};
use symcrete_ir::{Call, FuncId, convention};
use symcrete_native::Signature;

use super::Stop;
use super::symbolic::Note;
use crate::Executor;
use crate::opaque::{self, Arguments, Calls, Entry, Failure, NOT_PURE, Outcome, RETURNED};
use crate::outcome::{Alternative, Ended, Fact, Fork, Purpose, Question, Then};
use crate::state::State;

impl Executor {
    /// Executes a call of a function that is said to be pure. `false` if it is to be executed as any other.
    pub(crate) fn call_pure(&mut self, state: &mut State, call: Call, function: FuncId) -> Result<bool, Stop> {
        let callee = &self.image.program.functions[function];
        let has_body = callee.body.is_some();
        let data = &self.image.body(state.top.function).calls[call];
        let is_symbolic = data.args.iter().any(|arg| matches!(self.image.value(&state.top, *arg), Value::Expr(_)));
        let as_declared = data.arg_types.iter().copied().eq(callee.params.iter().map(|param| param.ty))
            && convention::results_agree(data, callee);
        if !has_body && self.image.external(function).is_some() || has_body && !(is_symbolic && as_declared) {
            return Ok(false);
        }
        let entry = match self.opaque_entry(state, call, function) {
            Ok(entry) => entry,
            Err(_) if has_body => return Ok(false),
            Err(ended) => return Err(ended.into()),
        };
        let knows = |fact: Fact| state.known.contains(&fact);
        let (is_fixed, is_impure) = (knows(Fact::Concretise), knows(Fact::NotPure));
        if !is_symbolic || is_fixed || is_impure || self.config.calls != Calls::Symbolic {
            let arguments = self.fixed_arguments(state, call, &entry.signature)?;
            let outcome = match () {
                () if is_impure => self.native_outcome(state, &entry, &arguments)?,
                () if has_body => {
                    self.note_concretised(state, is_symbolic && !is_fixed, function);
                    let values = values(&entry.signature, &arguments);
                    self.enter(state, call, function, Some(&values))?;
                    return Ok(true);
                }
                () => entry.callee.borrow_mut().outcome(&arguments),
            };
            self.note_concretised(state, is_symbolic && !is_fixed, function);
            return self.finish_opaque(state, call, &entry, outcome).map(|()| true);
        }
        let arguments = self.argument_exprs(state, call, &entry.signature);
        let status = self.arena.call(entry.status, 32, &arguments);
        let returned = self.symbolic().equals(status, u64::from(RETURNED));
        if !state.known.contains(&Fact::Holds(returned)) && self.arena.as_word(returned) != Some(1) {
            return Err(Stop::ask(status, Purpose::Status { function, arguments }));
        }
        entry.callee.borrow_mut().assume_to_return();
        let result = entry.signature.result.map(|kind| {
            let expr = self.arena.call(entry.result, kind.bits(), &arguments);
            self.symbolic().value(expr)
        });
        self.finish_call(state, call, result);
        Ok(true)
    }

    /// Calls a function that has no body and that nobody says is pure: natively, if a library has it.
    pub(crate) fn call_native(&mut self, state: &mut State, call: Call, function: FuncId) -> Result<(), Stop> {
        let entry = self.opaque_entry(state, call, function)?;
        let data = &self.image.body(state.top.function).calls[call];
        let is_symbolic = data.args.iter().any(|arg| matches!(self.image.value(&state.top, *arg), Value::Expr(_)));
        let arguments = self.fixed_arguments(state, call, &entry.signature)?;
        let outcome = self.native_outcome(state, &entry, &arguments)?;
        self.note_concretised(state, is_symbolic, function);
        self.finish_opaque(state, call, &entry, outcome)
    }

    fn opaque_entry(&mut self, state: &State, call: Call, function: FuncId) -> Result<Entry, Ended> {
        let callee = &self.image.program.functions[function];
        let name = || callee.source_name().to_owned();
        if callee.body.is_none() && (self.opaque.helper().is_none() || self.image.pointer_bits() != 64) {
            return Err(Ended::UndefinedFunction(name()));
        }
        let data = &self.image.body(state.top.function).calls[call];
        let made = opaque::signature(&self.image.program, function, data).and_then(|signature| {
            self.opaque.entry(&self.image.program, &self.config, &mut self.arena, function, signature)
        });
        made.map_err(|why| Ended::NotCallable { function: name(), why })
    }

    fn argument_exprs(&mut self, state: &State, call: Call, signature: &Signature) -> SmallVec<[Expr; 4]> {
        let data = &self.image.body(state.top.function).calls[call];
        let values: SmallVec<[Value; 4]> = data.args.iter().map(|arg| self.image.value(&state.top, *arg)).collect();
        let mut symbolic = self.symbolic();
        values.iter().zip(&signature.parameters).map(|(value, kind)| symbolic.expr(kind.bits(), value)).collect()
    }

    /// The arguments as numbers. Those that depend on inputs are asked for, one after another.
    fn fixed_arguments(&mut self, state: &State, call: Call, signature: &Signature) -> Result<Arguments, Stop> {
        let mut arguments = Arguments::new();
        for (number, expr) in self.argument_exprs(state, call, signature).into_iter().enumerate() {
            arguments.push(self.fixed(state, number as u32, expr)?);
        }
        Ok(arguments)
    }

    /// The value of an argument of the call that is executed. If it depends on inputs, it is asked for; from then on the
    /// path's condition says that it is so.
    pub(crate) fn fixed(&mut self, state: &State, number: u32, expr: Expr) -> Result<u128, Stop> {
        if let Some(bits) = self.arena.as_constant(expr) {
            return Ok(bits.low_u128());
        }
        let width = self.arena.width(expr);
        let mut bits = 0;
        for (half, low) in [(0, 0), (1, 64)].into_iter().filter(|(_, low)| *low < width) {
            let number = number * 2 + half;
            let known = state.known.iter().find_map(|fact| match fact {
                Fact::Argument { number: known, bits } if *known == number => Some(*bits),
                _ => None,
            });
            let Some(word) = known else {
                let part = self.arena.extract(expr, low, (width - low).min(64));
                return Err(Stop::ask(part, Purpose::Argument(number)));
            };
            bits |= u128::from(word) << low;
        }
        Ok(bits)
    }

    /// What a call of a function that is not pure gives, which is asked for in parts: the way on must say it.
    fn native_outcome(&mut self, state: &State, entry: &Entry, arguments: &Arguments) -> Result<Outcome, Stop> {
        if state.inputs.supply.is_some() {
            return Ok(state.native.supplied().unwrap_or_else(|| self.call_now(entry.function, arguments)));
        }
        let known = state.known.iter().filter_map(|fact| match fact {
            Fact::Native(bits) => Some(*bits),
            _ => None,
        });
        let known: SmallVec<[u64; 3]> = known.collect();
        let words = 1 + entry.signature.result.map_or(0, |kind| kind.bits().div_ceil(64) as usize);
        if known.len() < words {
            let value = self.arena.word(64, 0);
            let (function, arguments, word) = (entry.function, arguments.clone(), known.len() as u32);
            return Err(Stop::ask(value, Purpose::Native { function, arguments, word }));
        }
        let word = |at: usize| u128::from(known.get(at).copied().unwrap_or(0));
        Ok(Outcome { status: known[0] as u32, result: word(1) | word(2) << 64 })
    }

    /// Calls natively. A function that was believed to be pure goes on giving the same for the same arguments:
    /// expressions say so.
    fn call_now(&mut self, function: FuncId, arguments: &Arguments) -> Outcome {
        let Some(entry) = self.opaque.known(function) else { return Outcome::default() };
        let mut callee = entry.callee.borrow_mut();
        match self.opaque.is_pure(function) {
            true => callee.outcome(arguments),
            false => callee.call(arguments, 1).first().copied().unwrap_or_default(),
        }
    }

    /// A call was made: the path goes on behind it, or ends with it.
    fn finish_opaque(&mut self, state: &mut State, call: Call, entry: &Entry, outcome: Outcome) -> Result<(), Stop> {
        if outcome.status != RETURNED {
            return Err(self.failed(entry.function, outcome.status).into());
        }
        if !self.opaque.is_pure(entry.function) {
            state.native.push(outcome);
        }
        let result = entry.signature.result;
        let result = result.map(|kind| Value::from_bits(Bits::from_u128(kind.bits(), outcome.result)));
        self.finish_call(state, call, result);
        Ok(())
    }

    /// How a path ends where a function does not return.
    fn failed(&self, function: FuncId, status: u32) -> Ended {
        let name = self.image.program.functions[function].source_name().to_owned();
        match Failure::of_status(status) {
            Some(Failure::Exited(status)) => Ended::Exited(status),
            Some(failure @ (Failure::Signal(_) | Failure::TimedOut)) => {
                let within = self.config.native.as_ref().map_or_else(Default::default, |command| command.time);
                Ended::CallFailed { function: name, failure, within }
            }
            _ => Ended::NotCallable { function: name, why: "the process that calls it is gone".to_owned() },
        }
    }

    pub(crate) fn note_concretised(&mut self, state: &State, is_so: bool, function: FuncId) {
        if is_so {
            let function = self.image.program.functions[function].source_name().to_owned();
            self.note_concretised_call(state, function);
        }
    }

    pub(crate) fn note_concretised_call(&mut self, state: &State, function: String) {
        let stack = state.stack(&self.image);
        let own = stack.iter().find(|entry| !entry.runtime).or(stack.first());
        if let Some(entry) = own {
            self.notes.push(Note::Concretised { function, loc: entry.loc });
        }
    }

    /// What is proposed for a question whose value under the path's model is this: the same, except where only the
    /// world outside knows.
    pub fn answer(&mut self, question: &Question, bits: u64) -> u64 {
        match &question.purpose {
            Purpose::Status { function, .. } => {
                let is_pure = self.opaque.known(*function).is_none_or(|entry| entry.callee.borrow().is_pure());
                if is_pure { bits } else { u64::from(NOT_PURE) }
            }
            Purpose::Native { function, arguments, word } => match word {
                0 => {
                    self.opaque.last = self.call_now(*function, arguments);
                    u64::from(self.opaque.last.status)
                }
                1 => self.opaque.last.result as u64,
                _ => (self.opaque.last.result >> 64) as u64,
            },
            _ => bits,
        }
    }

    /// The ways on from a call of a pure function that has this status for some inputs of the path.
    pub(super) fn propose_status(&mut self, status: Expr, function: FuncId, bits: u64) -> Fork {
        let returned = self.symbolic().equals(status, u64::from(RETURNED));
        let goes_on = Alternative { condition: returned, then: Then::Know(Fact::Holds(returned)) };
        if bits == u64::from(RETURNED) {
            return Fork { alternatives: smallvec![goes_on] };
        }
        if bits == u64::from(NOT_PURE) {
            return self.only(Then::Know(Fact::NotPure));
        }
        let condition = self.symbolic().equals(status, bits);
        let has_body = self.image.program.functions[function].body.is_some();
        // A body shows by itself what is wrong.
        let then = match has_body {
            true => Then::Know(Fact::Concretise),
            false => Then::End(Box::new(self.failed(function, bits as u32))),
        };
        Fork { alternatives: smallvec![Alternative { condition, then }, goes_on] }
    }

    /// The way on from a native call, word by word of what it gave.
    pub(super) fn propose_native(&mut self, function: FuncId, word: u32, bits: u64) -> Fork {
        match word == 0 && bits != u64::from(RETURNED) {
            true => {
                let ended = self.failed(function, bits as u32);
                self.only(Then::End(Box::new(ended)))
            }
            false => self.only(Then::Know(Fact::Native(bits))),
        }
    }

    fn only(&mut self, then: Then) -> Fork {
        Fork { alternatives: smallvec![Alternative { condition: self.arena.boolean(true), then }] }
    }

    /// For a question about the status of a call: that the arguments are among those for which the function is known
    /// not to return.
    pub fn known_failures(&mut self, question: &Question) -> Option<(Expr, usize)> {
        let Purpose::Status { function, arguments } = &question.purpose else { return None };
        let failing = self.opaque.known(*function)?.callee.borrow().failing().to_vec();
        let mut any = self.arena.boolean(false);
        for tuple in &failing {
            let mut all = self.arena.boolean(true);
            for (argument, bits) in arguments.iter().zip(tuple) {
                let constant = self.arena.constant(&Bits::from_u128(self.arena.width(*argument), *bits));
                let equal = self.arena.compare(symcrete_expr::dag::Op::Equal, *argument, constant);
                all = self.arena.binary(symcrete_expr::dag::Op::And, all, equal);
            }
            any = self.arena.binary(symcrete_expr::dag::Op::Or, any, all);
        }
        (!failing.is_empty()).then_some((any, failing.len()))
    }
}

fn values(signature: &Signature, arguments: &Arguments) -> SmallVec<[Value; 4]> {
    let value = |(kind, bits): (&symcrete_native::Kind, &u128)| Value::from_bits(Bits::from_u128(kind.bits(), *bits));
    signature.parameters.iter().zip(arguments).map(value).collect()
}
