//! What a path contains where it stands, for those who ask and execute nothing.

use symcrete_expr::{Expr, Value};
use symcrete_ir::{Block, FuncId, Reg, Type};

use crate::step::access;
use crate::{Executor, State};

impl Executor {
    /// The function and the block in which a path stands.
    pub fn block_of(&self, state: &State) -> (FuncId, Block) {
        (state.top.function, state.top.position(&self.image).0)
    }

    /// What a register of the innermost frame contains; `None` if nobody wrote all of it.
    pub fn register(&mut self, state: &State, register: Reg) -> Option<Expr> {
        let ty = self.image.body(state.top.function).registers[register];
        let value = state.top.registers.get(register);
        let width = u32::from(ty.bits(self.image.pointer_bits()));
        self.defined(width, &value)
    }

    /// What memory contains at an address; `None` if there is none, or nobody wrote all of it.
    pub fn contents(&mut self, state: &mut State, address: u64, bits: u16) -> Option<Expr> {
        let pointer_bits = self.image.pointer_bits();
        let value =
            access::load(&mut state.memory, &mut self.symbolic(), address, Type::int(bits), pointer_bits).ok()?;
        self.defined(u32::from(bits), &value)
    }

    fn defined(&mut self, width: u32, value: &Value) -> Option<Expr> {
        let is_defined = value.is_defined();
        is_defined.then(|| self.symbolic().expr(width, value))
    }
}
