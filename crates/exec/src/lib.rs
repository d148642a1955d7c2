//! The meaning of instructions: `State` and `step`. Chooses no path, prints nothing, reads nothing that its `Host` does not hand it.

pub mod choices;
mod code;
pub mod coverage;
pub mod diagnose;
pub mod distance;
pub mod elastic;
pub mod environment;
pub mod external;
pub mod guide;
pub mod image;
pub mod inputs;
mod jump;
pub mod libm;
pub mod opaque;
pub mod outcome;
mod output;
pub mod pause;
mod peek;
pub mod posix;
mod record;
pub mod start;
pub mod state;
pub mod step;
pub mod summary;
pub mod trace;
pub mod undefined;

pub use image::{Image, LoadError, is_function_address};
pub use outcome::{Alternative, Choice, Class, Ended, Fork, Outcome, Purpose, Question, StackEntry, Then};
pub use posix::{Host, Posix};
pub use state::State;

use std::rc::Rc;

use symcrete_expr::Arena;

/// What may be set. The defaults are those of the command line.
#[derive(Clone, Debug)]
pub struct Config {
    /// End a path where signed arithmetic wraps. Default: no, it wraps as the machine's does.
    pub signed_overflow: bool,
    /// End a path with a finding where heap memory was never freed. Default: no.
    pub leaks: bool,
    /// Bytes of stack before a path ends with a stack overflow. Default: 8 MiB, as on Linux.
    pub stack_limit: u64,
    /// Execute words by their short forms. Default: yes. Without, every instruction goes the general way, which is slow and is
    /// what the short forms are tested against.
    pub short_forms: bool,
    /// What a whole program is given, where parts of that are inputs.
    pub environment: external::environment::Environment,
    /// The most bytes that a fuzz target is given. Default: 16.
    pub fuzzer_bytes: u64,
    /// How large the objects are that pointers of inputs point to.
    pub elements: external::lazy::Elements,
    /// Variables of the program that are inputs when a function is called by itself. Default: none.
    pub globals: Vec<symcrete_ir::GlobalId>,
    /// Bytes that one allocation may have before `malloc` gives up. Default: 8 GiB; what is never written costs nothing.
    pub allocation_limit: u64,
    /// Whether `malloc` returns null past that limit. Default: yes. Otherwise a path is given up where some machines have the memory and
    /// others do not.
    pub larger_allocations_fail: bool,
    /// Functions that are said to be pure: calls of them are expressions. Default: none.
    pub pure: Vec<symcrete_ir::FuncId>,
    /// Parts of the domains of functions, for mixed solving. Default: none.
    pub partitions: opaque::domains::Partitions,
    /// What becomes of calls with arguments that depend on inputs. Default: they become expressions.
    pub calls: opaque::Calls,
    /// The process that calls functions of which only machine code is there. Default: none.
    pub native: Option<symcrete_native::Command>,
    /// Instructions that the body of a pure function may execute when the evaluator calls it. Default: a million.
    pub body_steps: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            signed_overflow: false,
            leaks: false,
            stack_limit: 8 << 20,
            short_forms: true,
            environment: external::environment::Environment::default(),
            fuzzer_bytes: 16,
            elements: external::lazy::Elements::default(),
            globals: Vec::new(),
            allocation_limit: 8 << 30,
            larger_allocations_fail: true,
            pure: Vec::new(),
            partitions: opaque::domains::Partitions::default(),
            calls: opaque::Calls::default(),
            native: None,
            body_steps: 1_000_000,
        }
    }
}

/// Executes states of one program.
pub struct Executor {
    /// Shared with those who look at the program while it is executed.
    pub image: Rc<Image>,
    pub config: Config,
    /// Where allocations were made and freed.
    pub traces: trace::Traces,
    /// The world outside the program.
    pub host: Box<dyn Host>,
    /// The expressions of all states.
    pub arena: Arena,
    /// What was executed, on any path.
    pub coverage: coverage::Coverage,
    /// What happened since somebody last looked that a report should mention.
    pub notes: Vec<step::symbolic::Note>,
    /// Functions that paths do not look into.
    pub opaque: opaque::Opaque,
    /// Sides of branches to which the distance of runs is measured.
    watches: distance::Watches,
    /// Frames that are gone, by function, kept for the next call of it.
    spare_frames: Vec<Vec<Rc<state::Frame>>>,
}

impl Executor {
    pub fn new(image: Image, config: Config, host: Box<dyn Host>) -> Executor {
        let spare_frames = vec![Vec::new(); image.program.functions.len()];
        let coverage = coverage::Coverage::new(&image);
        let opaque = opaque::Opaque::new(&image.program, &config);
        Executor {
            image: Rc::new(image),
            config,
            traces: trace::Traces::default(),
            host,
            arena: Arena::new(),
            coverage,
            notes: Vec::new(),
            opaque,
            watches: distance::Watches::default(),
            spare_frames,
        }
    }
}
