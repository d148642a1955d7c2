//! What the explorer answers: proposals for values that are asked for, and the way on.

use std::rc::Rc;

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{EdgeId, Reg, Terminator};
use symcrete_memory::{Access, AllocationInfo, Fault, FaultKind, Kind, Site};

use super::symbolic::Symbolic;
use crate::Executor;
use crate::outcome::{Alternative, Ended, Fact, Fork, Purpose, Question, Then};
use crate::state::State;

impl Executor {
    /// The ways on from a question, given a value that the expression can have. The first one is the proposal's.
    pub fn propose(&mut self, state: &State, question: &Question, bits: u64) -> Fork {
        let value = question.value;
        match question.purpose {
            Purpose::Argument(number) => {
                let condition = self.symbolic().equals(value, bits);
                let then = Then::Know(Fact::Argument { number, bits });
                Fork { alternatives: smallvec![Alternative { condition, then }] }
            }
            Purpose::Status { function, .. } => self.propose_status(value, function, bits),
            Purpose::Native { function, word, .. } => self.propose_native(function, word, bits),
            Purpose::Word(register) => {
                let equal = self.symbolic().equals(value, bits);
                self.either(equal, Then::Word { register, bits })
            }
            Purpose::Byte(address) => {
                let equal = self.symbolic().equals(value, bits);
                self.either(equal, Then::Byte { address, bits: bits as u8 })
            }
            Purpose::Function(register) => {
                let functions = self.image.pointed_to(state.top.function);
                self.propose_function(value, bits, &functions, register)
            }
            Purpose::Label(register) => {
                let labels = self.labels(state);
                self.one_of(value, bits, &labels, register, Ended::BadFunctionPointer(bits))
            }
            Purpose::Freed { register, access } => {
                let heap = state.memory.live(Kind::Heap).map(|info| info.base);
                let objects: Vec<u64> = [0].into_iter().chain(heap).collect();
                let mut memory = state.memory.clone();
                let freed = match access {
                    Access::Reallocate => memory.reallocate(bits, 1, Site(0)).map(drop),
                    _ => memory.free(bits, Site(0)),
                };
                let ended = match freed {
                    Err(fault) if bits != 0 => Ended::Memory(Box::new(fault)),
                    // It is one of those.
                    _ => Ended::Discarded,
                };
                self.one_of(value, bits, &objects, register, ended)
            }
            Purpose::Address { bytes, write, object, .. } => {
                self.propose_address(state, value, bits, bytes, write, object)
            }
        }
    }

    /// The way on from a question if the proposal is the only value that the expression can have, where that is worth finding out: for
    /// the address of an object that the program does not name, as a parameter points to one.
    pub fn propose_only(question: &Question, bits: u64) -> Option<Then> {
        match question.purpose {
            Purpose::Address { object: None, register: Some(register), .. } => Some(Then::Word { register, bits }),
            _ => None,
        }
    }

    /// An address that must be one of these: the way on with the proposal if it is one, and otherwise the one way of all that are none.
    fn one_of(&mut self, value: Expr, bits: u64, known: &[u64], register: Reg, ended: Ended) -> Fork {
        if known.contains(&bits) {
            let equal = self.symbolic().equals(value, bits);
            return self.either(equal, Then::Word { register, bits });
        }
        let mut none = self.arena.boolean(true);
        for address in known {
            let equal = self.symbolic().equals(value, *address);
            let other = self.arena.not(equal);
            none = self.arena.binary(Op::And, none, other);
        }
        self.either(none, Then::End(Box::new(ended)))
    }

    /// The target of a call: a function that the program has a pointer to; another one, which no pointer of the program leads to; or none.
    fn propose_function(&mut self, value: Expr, bits: u64, pointed_to: &[u64], register: Reg) -> Fork {
        let (first, last) = self.image.function_range();
        if pointed_to.contains(&bits) {
            let equal = self.symbolic().equals(value, bits);
            return self.either(equal, Then::Word { register, bits });
        }
        let width = self.arena.width(value);
        let [base, span] = [first, last - first].map(|bits| self.arena.word(width, bits));
        let offset = self.arena.binary(Op::Sub, value, base);
        let is_function = self.arena.compare(Op::UnsignedLessEqual, offset, span);
        if (first..=last).contains(&bits) {
            let mut others = is_function;
            for address in pointed_to {
                let equal = self.symbolic().equals(value, *address);
                let other = self.arena.not(equal);
                others = self.arena.binary(Op::And, others, other);
            }
            // Such addresses are the engine's own: on a real machine they are others, and the program has none of them.
            return self.either(others, Then::End(Box::new(Ended::Discarded)));
        }
        let none = self.arena.not(is_function);
        self.either(none, Then::End(Box::new(Ended::BadFunctionPointer(bits))))
    }

    /// The addresses of the labels to which the terminator of the top frame's block may go.
    fn labels(&self, state: &State) -> Vec<u64> {
        let (block, _) = state.top.position(&self.image);
        let body = self.image.body(state.top.function);
        let Terminator::IndirectJump { targets, .. } = &body.blocks[block].terminator else { return Vec::new() };
        let address = |edge: &EdgeId| self.image.block_address(state.top.function, body.edges[*edge].target);
        targets.iter().filter_map(address).collect()
    }

    /// One way if the condition holds, another look otherwise.
    fn either(&mut self, condition: Expr, then: Then) -> Fork {
        let opposite = self.arena.not(condition);
        Fork {
            alternatives: smallvec![
                Alternative { condition, then },
                Alternative { condition: opposite, then: Then::Know(Fact::Otherwise) },
            ],
        }
    }

    fn propose_address(
        &mut self,
        state: &State,
        address: Expr,
        bits: u64,
        bytes: u64,
        write: bool,
        object: Option<u64>,
    ) -> Fork {
        let whole = |place: u64| {
            let (allocation, _) = state.memory.resolve(place)?;
            state.memory.info(allocation).filter(|info| info.size >= bytes)
        };
        let access = if write { Access::Write } else { Access::Read };
        let fault = || Box::new(state.memory.fault(bits, bytes, access));
        let missed = |info: &AllocationInfo, near: Expr| {
            let (kind, allocation) = (FaultKind::OutOfBounds, Some((*info, 0)));
            let fault = Box::new(Fault { kind, access, address: bits, size: bytes, allocation });
            Then::Fault { fault, address, near }
        };
        let fits = |info: &AllocationInfo| bits >= info.base && bits - info.base <= info.size - bytes;
        let chosen = object.and_then(whole).or_else(|| whole(bits).filter(fits).filter(|info| info.elastic));
        if let Some(info) = chosen.filter(|info| state.sizes.get(info.id).is_some()) {
            // Where it ends depends on inputs, so that no address tells whether it is inside.
            let inside = self.inside(state, address, &info, bytes);
            let outside = self.arena.not(inside);
            let near = self.near(address, &info);
            return Fork {
                alternatives: smallvec![
                    Alternative { condition: inside, then: Then::Know(Fact::Within { address, allocation: info.id }) },
                    Alternative { condition: outside, then: missed(&info, near) },
                ],
            };
        }
        match object.and_then(whole) {
            // Made from one object: inside it, or wrong.
            Some(info) => {
                let inside = self.inside(state, address, &info, bytes);
                if fits(&info) {
                    return self.either(inside, Then::Know(Fact::Within { address, allocation: info.id }));
                }
                let outside = self.arena.not(inside);
                let near = self.near(address, &info);
                let then = missed(&info, near);
                self.either(outside, then)
            }
            None => match whole(bits).filter(fits) {
                Some(info) => {
                    let inside = self.inside(state, address, &info, bytes);
                    self.either(inside, Then::Know(Fact::Within { address, allocation: info.id }))
                }
                None => {
                    // Wrong for every address from which the bytes do not all lie in an object, as far as there is none.
                    let (first, last) = state.memory.bad_range_around(bits, bytes);
                    let low = self.arena.word(self.arena.width(address), first);
                    let span = self.arena.word(self.arena.width(address), last - first);
                    let from_low = self.arena.binary(Op::Sub, address, low);
                    let within = self.arena.compare(Op::UnsignedLessEqual, from_low, span);
                    self.either(within, Then::End(Box::new(Ended::Memory(fault()))))
                }
            },
        }
    }

    /// Whether an address is in an object or misses it by a few bytes.
    fn near(&mut self, address: Expr, info: &AllocationInfo) -> Expr {
        const FEW: u64 = 16;
        let width = self.arena.width(address);
        let first = self.arena.word(width, info.base.wrapping_sub(FEW));
        let offset = self.arena.binary(Op::Sub, address, first);
        let last = self.arena.word(width, info.size + 2 * FEW - 1);
        self.arena.compare(Op::UnsignedLessEqual, offset, last)
    }

    /// Whether an access to so many bytes stays inside an allocation.
    fn inside(&mut self, state: &State, address: Expr, info: &AllocationInfo, bytes: u64) -> Expr {
        let width = self.arena.width(address);
        let base = self.arena.word(width, info.base);
        let offset = self.arena.binary(Op::Sub, address, base);
        let last = self.arena.word(width, info.size - bytes);
        let inside = self.arena.compare(Op::UnsignedLessEqual, offset, last);
        let Some(size) = state.sizes.get(info.id) else { return inside };
        // The offset is small, so that adding to it does not wrap.
        let length = self.arena.word(width, bytes);
        let end = self.arena.binary(Op::Add, offset, length);
        let size = self.symbolic().resize(size, width, false);
        let within = self.arena.compare(Op::UnsignedLessEqual, end, size);
        self.arena.binary(Op::And, inside, within)
    }

    /// Byte `index` of an expression, or of the elements of an array.
    pub fn byte_of(&mut self, expr: Expr, index: u32) -> Expr {
        self.symbolic().byte(expr, index)
    }

    pub(crate) fn symbolic(&mut self) -> Symbolic<'_> {
        Symbolic { arena: &mut self.arena, notes: &mut self.notes }
    }

    /// Answers `Outcome::Fork`: this state goes this way. Its ending, if that is where the way leads.
    pub fn proceed(&mut self, state: &mut State, then: &Then) -> Option<Ended> {
        match then {
            Then::Edge(edge) => {
                self.note_cases(state, *edge);
                self.take(state, *edge);
            }
            Then::Know(Fact::Otherwise) => {}
            Then::Know(fact) => state.known.push(fact.clone()),
            Then::Word { register, bits } => {
                Rc::make_mut(&mut state.top).registers.set(*register, Value::Word(*bits));
            }
            Then::Byte { address, bits } => {
                // It was read a moment ago.
                if let Err(fault) = state.memory.write_word(*address, 1, u64::from(*bits)) {
                    return Some(Ended::Memory(Box::new(fault)));
                }
            }
            Then::End(ended) => return Some(Ended::clone(ended)),
            Then::Fault { fault, .. } => return Some(Ended::Memory(fault.clone())),
        }
        None
    }
}
