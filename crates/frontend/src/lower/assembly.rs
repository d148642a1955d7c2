//! Inline assembly: barriers and hidden values without text are understood; text is not executed.

use symcrete_ir::Operand;

use super::Result;
use super::function::FunctionLowering;
use crate::module::{Call, InlineAssembly, Instruction};

impl FunctionLowering<'_, '_> {
    /// Assembly without text does nothing: its outputs are the inputs that share their place, or whatever was there.
    pub fn inline_assembly(&mut self, instruction: &Instruction, call: &Call, assembly: &InlineAssembly) -> Result<()> {
        if !is_empty(&assembly.text) {
            let text: String = assembly.text.chars().take(80).collect();
            return self.unsupported_call(instruction, &format!("inline assembly `{text}`"));
        }
        let shape = self.lowering.shape(self.unit_index, instruction.ty)?;
        let sources = tied_inputs(&assembly.constraints);
        let mut operands: Vec<Operand> = Vec::with_capacity(shape.scalars.len());
        for (at, ty) in shape.scalars.iter().enumerate() {
            let argument = sources.get(at).copied().flatten().and_then(|input| call.arguments.get(input));
            let operand = match argument {
                Some(argument) => self.scalar(*argument).ok(),
                None => None,
            };
            let fits = operand.filter(|operand| super::lanes::Arithmetic::type_of(self, *operand) == *ty);
            let undefined = self.lowering.undefined(*ty);
            operands.push(fits.unwrap_or(undefined));
        }
        self.define(instruction, &operands)
    }
}

/// Whether there is nothing to execute: blanks, separators, comments.
fn is_empty(text: &str) -> bool {
    let code = |line: &str| line.split('#').next().unwrap_or_default().trim_matches([' ', '\t', ';']).len();
    text.lines().all(|line| code(line) == 0)
}

/// For each output in a register the number of the argument that is tied to it. Outputs in memory keep what is there.
fn tied_inputs(constraints: &str) -> Vec<Option<usize>> {
    // Outputs as constraints count them, and which of them are results.
    let mut outputs: Vec<Option<usize>> = Vec::new();
    let mut results: Vec<Option<usize>> = Vec::new();
    let mut arguments = 0;
    for constraint in constraints.split(',') {
        if constraint.starts_with('~') || constraint.is_empty() {
            continue;
        }
        if let Some(output) = constraint.strip_prefix('=') {
            if output.contains('*') {
                outputs.push(None);
                arguments += 1;
            } else {
                outputs.push(Some(results.len()));
                results.push(None);
            }
            continue;
        }
        let tied = constraint.parse::<usize>().ok().and_then(|number| outputs.get(number).copied().flatten());
        if let Some(result) = tied {
            results[result] = Some(arguments);
        }
        arguments += 1;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_follow_their_inputs() {
        assert_eq!(tied_inputs("=r,0,~{dirflag}"), vec![Some(0)]);
        assert_eq!(tied_inputs("=r,=*m,r,0"), vec![Some(2)]);
        assert!(tied_inputs("~{memory},~{fpsr}").is_empty());
        assert_eq!(tied_inputs("=r,=r,1,0"), vec![Some(1), Some(0)]);
    }

    #[test]
    fn comments_and_blanks_are_no_code() {
        assert!(is_empty(""));
        assert!(is_empty(" # barrier\n\t"));
        assert!(!is_empty("nop"));
    }
}
