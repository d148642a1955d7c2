//! For unit tests: a session that explores a small program.

use std::fs::File;

use symcrete_exec::posix::RealHost;
use symcrete_exec::{Config as ExecConfig, Executor, Image, Posix, State};
use symcrete_ir::parse::parse;
use symcrete_solver::Chain;

use crate::path::strategy::{self, Frontier};
use crate::session::Session;
use crate::session::config::Config;
use crate::session::machine::Machine;
use crate::session::stop::Stop;

/// Two forks in a row: returns 1, or else 2 or 3.
const PROGRAM: &str = "target \"x86_64-pc-linux-gnu\" pointers 64

function @main() -> i32 {
bb0:
  r0: i32 = call @__VERIFIER_nondet_int()
  r1 = icmp slt i32 r0, i32 0
  branch r1, bb1, bb2
bb1:
  return i32 1
bb2:
  r2 = icmp eq i32 r0, i32 7
  branch r2, bb3, bb4
bb3:
  return i32 2
bb4:
  return i32 3
}

function @__VERIFIER_nondet_int() -> i32
";

pub fn machine() -> Machine {
    let program = parse(PROGRAM).expect("it parses");
    let main = program.function_named("main").expect("there is a main");
    let image = Image::new(program, &ExecConfig::default()).expect("it links");
    let null = || File::options().read(true).write(true).open("/dev/null").expect("there is a null device");
    let host = RealHost::new(null(), null(), null(), b"/".to_vec());
    let mut executor = Executor::new(image, ExecConfig::default(), Box::new(host));
    let posix = Posix::new(&mut *executor.host, 0);
    let root = State::new(&executor.image, posix, main, Vec::new());
    Machine { executor, chain: Chain::new(symcrete_solver::Config::default()), roots: vec![root] }
}

pub fn session(config: Config) -> Session {
    let strategy = strategy::parse("bfs", 0).expect("it is in the table");
    Session::new(machine(), config, Frontier::new(strategy), Stop::default())
}
