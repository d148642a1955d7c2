//! Abstract paths that are put off are kept without their states, which take much memory when calls leave whole buffers: there may be many, and most
//! turn out to be none of the program's. One that is followed after all is executed once more, as its model says.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use symcrete_expr::Expr;

use super::Lazy;
use super::abstraction::{Abstract, Came};
use crate::forward::Explorer;
use crate::path::Path;

/// Up to where a path is executed once more.
pub struct Replay {
    /// How many conditions it had met.
    met: usize,
    /// Those of them that did not follow from others.
    added: FxHashSet<Expr>,
}

impl Replay {
    /// Whether a condition follows from those before it.
    pub fn is_implied(&self, condition: Expr) -> bool {
        !self.added.contains(&condition)
    }

    pub fn is_over(&self, along: &Abstract) -> bool {
        along.met.len() >= self.met
    }
}

impl Lazy {
    pub fn put_off(&mut self, explorer: &Explorer, mut along: Abstract) {
        // Where values were tried one after the other, the model knows only the last of them.
        if !along.has_tried {
            along.path.state = explorer.roots()[0].clone();
            along.is_bare = true;
        }
        self.put_off.push(along);
    }

    /// A path that was put off, with the state in which it was.
    pub fn take_up(
        &mut self,
        explorer: &mut Explorer,
        mut along: Abstract,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Abstract, Came> {
        if !along.is_bare {
            return Ok(along);
        }
        let mut again = Abstract::new(Path::new(explorer.roots()[0].clone(), 0), along.level);
        again.path.model = along.path.model.clone();
        again.replay = Some(Rc::new(Replay { met: along.met.len(), added: along.added.iter().collect() }));
        let (ended, suspicions) = (self.ended.len(), self.counts.suspicions);
        let came = self.advance(explorer, again, None, stop);
        self.ended.truncate(ended);
        self.counts.suspicions = suspicions;
        match came {
            Came::Forked(mut ways) if ways.len() == 1 => {
                along.path.state = ways.swap_remove(0).path.state;
                along.is_bare = false;
                Ok(along)
            }
            Came::Stopped(_) => Err(Came::Stopped(Box::new(along))),
            Came::Lost(lost) => Err(Came::Lost(lost)),
            _ => Err(Came::Undecided),
        }
    }
}
