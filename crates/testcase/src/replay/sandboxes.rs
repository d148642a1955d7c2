//! The sandboxes of one replayer: set up when a run needs one, and kept for the next.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use symcrete_sandbox::{Done, Error, Job, Policy, Sandbox, Shared};

pub struct Sandboxes {
    policy: Policy,
    shared: Vec<Shared>,
    idle: Mutex<Vec<Sandbox>>,
}

/// Where programs see the replayer's directory.
const PROGRAM: &str = "/symcrete/program";

impl Sandboxes {
    /// For programs in `home` that need to read `shared`, too.
    pub fn new(policy: Policy, home: &Path, shared: &[PathBuf]) -> Sandboxes {
        let as_it_is = |path: &PathBuf| Shared { outside: path.clone(), inside: path.clone() };
        let home = Shared { outside: home.to_owned(), inside: PROGRAM.into() };
        let shared = std::iter::once(home).chain(shared.iter().map(as_it_is)).collect();
        Sandboxes { policy, shared, idle: Mutex::default() }
    }

    /// The path of one of our files as programs see it.
    pub fn inside(&self, path: &Path) -> PathBuf {
        self.policy.inside(&self.shared, path)
    }

    /// Runs the job that is made for a sandbox in which nothing else runs.
    pub fn run(&self, job: impl FnOnce(&Sandbox) -> Job, stop: &AtomicBool) -> io::Result<Done> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut sandbox = match idle {
            Some(sandbox) => sandbox,
            None => Sandbox::start(&self.policy, &self.shared).map_err(io::Error::other)?,
        };
        let done = sandbox.run(job(&sandbox), stop).map_err(|error| match error {
            Error::Interrupted => io::ErrorKind::Interrupted.into(),
            other => io::Error::other(other),
        })?;
        // One that failed is dropped.
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(sandbox);
        }
        Ok(done)
    }
}
