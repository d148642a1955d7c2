//! The meaning of instructions: `State` and `step`. Chooses no path, prints nothing, reads nothing that its `Host` does not hand it.

mod code;
pub mod diagnose;
pub mod environment;
mod external;
pub mod image;
mod jump;
pub mod libm;
pub mod outcome;
pub mod posix;
pub mod start;
pub mod state;
pub mod step;
pub mod trace;

pub use image::{Image, LoadError};
pub use outcome::{Choice, Class, Ended, Outcome, StackEntry};
pub use posix::{Host, Posix};
pub use state::State;

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
    /// Bytes that one allocation may have before `malloc` gives up. Default: 8 GiB; what is never written costs nothing.
    pub allocation_limit: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            signed_overflow: false,
            leaks: false,
            stack_limit: 8 << 20,
            short_forms: true,
            allocation_limit: 8 << 30,
        }
    }
}

/// Executes states of one program.
pub struct Executor {
    pub image: Image,
    pub config: Config,
    /// Where allocations were made and freed.
    pub traces: trace::Traces,
    /// The world outside the program.
    pub host: Box<dyn Host>,
    /// Frames that are gone, by function, kept for the next call of it.
    spare_frames: Vec<Vec<std::rc::Rc<state::Frame>>>,
}

impl Executor {
    pub fn new(image: Image, config: Config, host: Box<dyn Host>) -> Executor {
        let spare_frames = vec![Vec::new(); image.program.functions.len()];
        Executor { image, config, traces: trace::Traces::default(), host, spare_frames }
    }
}
