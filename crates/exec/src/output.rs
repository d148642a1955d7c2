//! Output that nobody reads. `printf` of a number that depends on inputs would fork for each number of digits, and all that for text that
//! leaves the program: such a call is passed over. Whoever runs the path's inputs concretely gets the text.

use symcrete_expr::Value;
use symcrete_ir::{Body, Call, FuncId, Operand, Reg};

use crate::Executor;
use crate::state::State;

/// Functions that print formatted text, and which argument the format is.
const PRINTERS: &[(&str, usize)] = &[("printf", 0), ("fprintf", 1), ("__printf_chk", 1), ("__fprintf_chk", 2)];

impl Executor {
    /// Whether a call only prints, to a standard stream, and has an argument that depends on inputs, and nobody looks at its result.
    pub(crate) fn is_idle_output(&mut self, state: &State, call: Call, function: FuncId) -> bool {
        let callee = &self.image.program.functions[function];
        let Some((name, format)) = PRINTERS.iter().find(|(name, _)| *name == callee.name) else { return false };
        if !callee.runtime {
            return false;
        }
        let body = self.image.body(state.top.function);
        let data = &body.calls[call];
        let value = |at: usize| data.args.get(at).map(|arg| self.image.value(&state.top, *arg));
        let symbolic = (format + 1..data.args.len()).any(|at| matches!(value(at), Some(Value::Expr(_))));
        if !symbolic || data.results.iter().any(|result| is_used(body, *result)) {
            return false;
        }
        let to_file = name.contains("fprintf");
        if to_file
            && !value(0).and_then(|stream| stream.as_word()).is_some_and(|stream| self.is_standard(state, stream))
        {
            return false;
        }
        // `%n` stores how much was printed.
        let Some(Some(format)) = value(*format).map(|format| format.as_word()) else { return false };
        let mut memory = state.memory.clone();
        memory.read_concrete_c_string(format, 1 << 16).is_ok_and(|format| !stores(&format))
    }

    /// Whether an address is that of the stream `stdout` or `stderr`.
    fn is_standard(&self, state: &State, stream: u64) -> bool {
        let mut memory = state.memory.clone();
        let bytes = self.image.pointer_bytes();
        ["stdout", "stderr"].iter().filter_map(|name| self.image.global_named(name)).any(|global| {
            memory.read_word(global, bytes).is_ok_and(|word| word.undefined() == 0 && word.bits() == stream)
        })
    }
}

/// Whether a format has a `%n`, or may have one: what stands between `%` and the letter is not looked at closely.
fn stores(format: &[u8]) -> bool {
    let mut bytes = format.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'%' {
            let letter = bytes.find(|byte| byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(byte) || **byte == b'%');
            if letter == Some(&b'n') {
                return true;
            }
        }
    }
    false
}

fn is_used(body: &Body, register: Reg) -> bool {
    let mut used = false;
    let mut look = |operand: Operand| used |= operand.as_reg() == Some(register);
    for block in body.blocks.values() {
        block.insts.iter().for_each(|inst| body.visit_operands(inst, &mut look));
        body.visit_terminator_operands(&block.terminator, &mut look);
    }
    body.edges.values().flat_map(|edge| &edge.args).for_each(|operand| look(*operand));
    used
}

#[cfg(test)]
mod tests {
    use super::stores;

    #[test]
    fn formats_that_store_are_known() {
        for format in ["%n", "a%hhnb", "%d %ln", "%%%n", "%5$n"] {
            assert!(stores(format.as_bytes()), "{format}");
        }
        for format in ["", "n", "%d\n", "%%n", "100%", "%-5.3lfn", "%s n %x"] {
            assert!(!stores(format.as_bytes()), "{format}");
        }
    }
}
