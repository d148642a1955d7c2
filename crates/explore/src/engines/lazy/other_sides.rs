//! Both sides of choices between values that do not fork (`crate::session::sides`): concolic testing sees both, if not on one path through a call then on
//! another. So a path of the function under test that is real is looked for once more with the side that no test has taken.

use symcrete_exec::Ended;
use symcrete_exec::step::symbolic::Note;
use symcrete_solver::Answer;

use super::Lazy;
use super::abstraction::Abstract;
use crate::session::Session;

/// How often a side is looked for without success at first, and for how many paths once more.
const TRIES: u64 = 16;
const PATHS: u64 = 8;

impl Lazy {
    /// Choices of the function under test are remembered: by the path, for its own end, and for when calls have been given paths.
    pub fn note_choices(&mut self, session: &mut Session, along: &mut Abstract) {
        if along.level > 0 {
            session.machine.executor.notes.clear();
            return;
        }
        for note in std::mem::take(&mut session.machine.executor.notes) {
            let Note::Choice { sides, condition } = note else { continue };
            if sides.iter().any(|side| !session.suite.is_covered(*side)) {
                along.path.choices.add(sides, condition);
                along.choices.add_always(sides, condition);
            }
        }
    }

    /// A path of the program takes an abstract one: the sides of choices that no test has taken are looked for on it.
    pub fn add_other_sides(&mut self, session: &mut Session, along: &Abstract, ended: &Ended) {
        for (sides, condition) in along.choices.iter() {
            for side in [true, false] {
                let mark = sides[usize::from(side)];
                let tries = self.side_tries.entry(mark).or_default();
                if session.suite.is_covered(mark) || *tries > TRIES + self.counts.concretised / PATHS {
                    continue;
                }
                *tries += 1;
                let arena = &mut session.machine.executor.arena;
                let wanted = if side { condition } else { arena.not(condition) };
                let path = &along.path;
                let model = match session.machine.chain.check(arena, &path.conditions, wanted, &path.model) {
                    Answer::Sat(model) => model.into(),
                    Answer::Unsat => continue,
                    // What calls really give will say.
                    Answer::Unknown(_) => path.model.clone(),
                };
                let mut other = along.clone();
                other.path.model = model;
                other.path.conditions.push(arena, wanted);
                other.added.push(arena, wanted);
                other.met.push(arena, wanted);
                (other.side, other.choices) = (Some(mark), Default::default());
                self.ended.push((other, ended.clone()));
            }
        }
    }
}
