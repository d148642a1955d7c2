//! Runs a tape in the way that pays: interpreted at first, compiled once it has been run so often that it would have
//! paid.

use std::rc::Rc;

use crate::compile::Compiled;
use crate::interpret::Interpreter;
use crate::tape::Tape;

/// A tape with whatever executes it.
pub struct Machine {
    tape: Rc<Tape>,
    engine: Engine,
}

enum Engine {
    /// With the number of points that it will still take as it is.
    Interpreter(Interpreter, u64),
    Compiled(Box<Compiled>),
}

/// After this many points a tape is compiled: when interpreting has taken about the time that compiling takes, so that
/// no more than twice the time of the better choice is spent, whatever comes.
///
/// Measured by `examples/speed.rs`: compiling takes 0.19 ms and about 1 µs for each instruction; at each point it saves
/// about 4 ns for each instruction (more in long tapes).
pub fn points_before_compiling(tape: &Tape) -> u64 {
    250 + 45_000 / (tape.instructions.len() as u64 + 1)
}

impl Machine {
    pub fn new(tape: Rc<Tape>) -> Machine {
        let (interpreter, left) = (Interpreter::new(&tape), points_before_compiling(&tape));
        Machine { tape, engine: Engine::Interpreter(interpreter, left) }
    }

    /// A machine that never compiles.
    pub fn interpreted(tape: Rc<Tape>) -> Machine {
        let interpreter = Interpreter::new(&tape);
        Machine { tape, engine: Engine::Interpreter(interpreter, u64::MAX) }
    }

    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    pub fn is_compiled(&self) -> bool {
        matches!(self.engine, Engine::Compiled(_))
    }

    /// The score of each constraint for each point, and the difference of its sides, which is not a number where it has
    /// no sides. Points, scores and gaps stand row by row.
    pub fn run(&mut self, points: &[u64], rows: usize, scores: &mut [f64], gaps: &mut [f64]) {
        self.compile_if_due(rows as u64);
        match &mut self.engine {
            Engine::Interpreter(interpreter, _) => interpreter.run_rows(&self.tape, points, rows, scores, gaps),
            Engine::Compiled(compiled) => compiled.run(points, rows, scores, gaps),
        }
    }

    fn compile_if_due(&mut self, rows: u64) {
        let Engine::Interpreter(_, left) = &mut self.engine else { return };
        if *left > rows {
            *left -= rows;
            return;
        }
        match Compiled::new(&self.tape) {
            Ok(compiled) => self.engine = Engine::Compiled(Box::new(compiled)),
            // What cannot be compiled now never can.
            Err(_) => *left = u64::MAX,
        }
    }
}
