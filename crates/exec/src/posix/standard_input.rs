//! Standard input, read from the host when a program asks for it and remembered, so that every path can read all of it.

use super::{Errno, Host};
use std::cell::RefCell;
use std::rc::Rc;

/// How much is asked from the host at most in one call.
const LARGEST_CHUNK: usize = 1 << 16;

/// What was read so far. Clones share it; each path keeps its own position.
#[derive(Clone, Default)]
pub(super) struct StandardInput(Rc<RefCell<Received>>);

#[derive(Default)]
struct Received {
    bytes: Vec<u8>,
    /// The host has said that there is no more. It is not asked again, so that all paths see the same end.
    ended: bool,
}

impl StandardInput {
    /// Up to `count` bytes from `offset`. From a stream, what is there, waiting only if there is nothing; from a file, as many
    /// as it has.
    pub fn read(&self, host: &mut dyn Host, offset: usize, count: usize, is_file: bool) -> Result<Vec<u8>, Errno> {
        let mut received = self.0.borrow_mut();
        let enough = if is_file { offset.saturating_add(count) } else { offset.saturating_add(1) };
        while received.bytes.len() < enough && !received.ended && count > 0 {
            let wanted = offset.saturating_add(count) - received.bytes.len();
            received.receive(host, wanted)?;
        }
        let available = received.bytes.get(offset..).unwrap_or_default();
        Ok(available[..count.min(available.len())].to_vec())
    }
}

impl Received {
    fn receive(&mut self, host: &mut dyn Host, wanted: usize) -> Result<(), Errno> {
        let known = self.bytes.len();
        self.bytes.resize(known + wanted.min(LARGEST_CHUNK), 0);
        let result = host.read_standard_input(&mut self.bytes[known..]);
        self.bytes.truncate(known + result.unwrap_or(0));
        self.ended = result? == 0;
        Ok(())
    }
}
