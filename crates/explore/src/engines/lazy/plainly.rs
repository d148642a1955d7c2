//! A function whose paths hang so much on what it calls that passing over calls costs more than it saves: if the program has few paths altogether,
//! all of them are followed, as concolic testing would. Tried once, when lazy expansion has taken long, or has left something open.

use symcrete_exec::{Class, Ended};

use super::Lazy;
use super::abstraction::{Abstract, Came};
use crate::path::Path;
use crate::session::Session;

/// Questions to the solver after which all paths are followed once.
const QUESTIONS: u64 = 10_000;
/// Questions that may be asked for them.
const FOR_ALL: u64 = 50_000;
/// A question without an answer counts as so many.
const HARD_ONE: u64 = 100;
/// Paths that are few.
pub const FEW: usize = 5000;

impl Lazy {
    pub fn is_time_for_all(&self, session: &Session) -> bool {
        let asked = session.machine.chain.statistics();
        !self.has_tried_all && asked.queries + HARD_ONE * asked.unknown > QUESTIONS
    }

    /// All is done. If something is left open or in doubt, all paths may tell. `false` if there is nothing more to do.
    pub fn settle(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> bool {
        let is_wanted = !self.has_tried_all && (self.is_in_doubt() || self.counts.left_open() > 0);
        if is_wanted {
            self.follow_all(session, stop);
        }
        is_wanted
    }

    /// Follows all paths of the program, if they are few: then nothing is pending any more.
    pub fn follow_all(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) {
        let (paused, ended) = (std::mem::take(&mut self.paused), std::mem::take(&mut self.ended));
        let before = self.counts;
        let found = self.all_paths(session, stop);
        self.paused = paused;
        let undecided = std::mem::replace(&mut self.counts, before).undecided - before.undecided;
        self.has_tried_all = !stop();
        let Some(found) = found.filter(|_| undecided == 0) else {
            self.ended = ended;
            return;
        };
        self.followed.extend(self.passed_over.drain());
        self.begin(session);
        self.pending.clear();
        self.leave_no_doubt();
        let told = || found.iter().filter(|(_, ended)| *ended != Ended::Discarded);
        for (path, ended) in told() {
            self.counts.abstract_paths += 1;
            self.counts.concretised += 1;
            session.meter.counts.iterations += 1;
            self.report(session, path, ended);
        }
        // They are few: sides of choices that are still missing are looked for on all of them.
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
        told().for_each(|(path, ended)| session.other_sides(path, ended, true));
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
    }

    /// All paths of the program. `None` if they are too many, or one of them does not come to its end.
    fn all_paths(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> Option<Vec<(Path, Ended)>> {
        let limit = session.machine.chain.statistics().queries + FOR_ALL;
        let mut pending = vec![Abstract::new(Path::new(session.roots()[0].clone(), 0), 0)];
        let mut found = Vec::new();
        while let Some(along) = pending.pop() {
            self.spent = 0;
            match self.advance(session, along, None, stop) {
                Came::Forked(ways) => pending.extend(ways.into_iter().rev()),
                Came::Ended(along, ended) => self.ended.push((*along, ended)),
                _ => return None,
            }
            let is_cut_short = self.ended.iter().any(|(_, ended)| ended.class() == Class::Limit);
            found.extend(self.ended.drain(..).map(|(along, ended)| (along.path, ended)));
            if is_cut_short || found.len() + pending.len() > FEW || session.machine.chain.statistics().queries > limit {
                return None;
            }
        }
        Some(found)
    }
}
