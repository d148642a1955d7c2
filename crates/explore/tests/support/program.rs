//! Explores programs that are given as text.

use std::fs::File;
use std::sync::Arc;

use symcrete_exec::posix::RealHost;
use symcrete_exec::{Config, Executor, Image, Posix, State};
use symcrete_explore::forward;
use symcrete_explore::workers::{Options, Setup, Summary, explore};
use symcrete_ir::parse::parse;

/// A program in the text form of `ir`; its `main` is the entry.
pub struct Text(pub &'static str);

impl Setup for Text {
    fn make(&self) -> Result<(Executor, Vec<State>), String> {
        let program = parse(self.0).unwrap();
        symcrete_ir::verify::verify(&program).unwrap();
        let main = program.function_named("main").unwrap();
        let image = Image::new(program, &Config::default()).unwrap();
        let null = || File::options().read(true).write(true).open("/dev/null").unwrap();
        let host = RealHost::new(null(), null(), null(), b"/".to_vec());
        let mut executor = Executor::new(image, Config::default(), Box::new(host));
        let posix = Posix::new(&mut *executor.host, 0);
        let state = State::new(&executor.image, posix, main, Vec::new());
        Ok((executor, vec![state]))
    }
}

/// One worker that searches forward, breadth first, with nothing beside it.
pub fn options(seed: u64) -> Options {
    Options {
        jobs: 1,
        search: "bfs".to_owned(),
        seed,
        time: None,
        steps: None,
        paths: None,
        forward: forward::Config::default(),
        solver: symcrete_solver::Config::default(),
        burst: None,
        climb: None,
        random: None,
        backward: None,
        lazy: None,
        scratch: None,
        checkpoints: None,
        is_last: false,
        log: None,
    }
}

pub fn run(program: &'static str, options: &Options) -> Summary {
    explore(&Text(program), options, &Arc::default(), None, |_| {})
}
