//! A search that was stopped, as far as it came: what is needed to go on, as data and as bytes. Whose search it is, is for others to know.

use std::time::Duration;

use symcrete_exec::coverage::Mark;
use symcrete_ir::{EdgeId, FuncId, Program};

use crate::path::Parked;
use crate::path::aside::Aside;
use crate::path::journal::{Log, parse_name};
use crate::path::packing::{Unpacker, pack_bytes, pack_number};
use crate::session::meter::Counts;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// What was pending, as far as it is not in the logs of workers.
    pub frontier: Vec<Aside>,
    /// Those logs, in the folder of the search.
    pub logs: Vec<Log>,
    /// What nobody could decide.
    pub undecided: Vec<Parked>,
    pub counts: Counts,
    pub concrete_runs: u64,
    pub queries: u64,
    pub solver_time: Duration,
    pub time: Duration,
    /// What was executed.
    pub covered: Vec<Mark>,
    /// What the tests execute that were written; the rest belongs to what was pending.
    pub suite: Vec<Mark>,
}

/// The numbers below stand for sides of choices.
const FIRST_FUNCTION: u32 = 2;

impl Saved {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for number in self.numbers() {
            pack_number(&mut out, number);
        }
        for marks in [&self.covered, &self.suite] {
            pack_number(&mut out, marks.len() as u64);
            for mark in marks {
                let (kind, what) = match mark {
                    Mark::Chosen(choice, side) => (u32::from(*side), *choice),
                    Mark::Entered(function) => (function.as_u32() + FIRST_FUNCTION, 0),
                    Mark::Taken(function, edge) => (function.as_u32() + FIRST_FUNCTION, edge.as_u32() + 1),
                };
                pack_number(&mut out, u64::from(kind));
                pack_number(&mut out, u64::from(what));
            }
        }
        pack_number(&mut out, self.logs.len() as u64);
        for log in &self.logs {
            pack_bytes(&mut out, log.name.as_bytes());
            pack_number(&mut out, log.length);
        }
        pack_number(&mut out, self.undecided.len() as u64);
        for parked in &self.undecided {
            pack_bytes(&mut out, &parked.decisions);
            pack_number(&mut out, u64::from(parked.depth));
        }
        pack_number(&mut out, self.frontier.len() as u64);
        self.frontier.iter().for_each(|aside| aside.pack(&mut out));
        out
    }

    fn numbers(&self) -> [u64; 15] {
        let Counts {
            completed,
            failed,
            partial,
            discarded,
            forks,
            instructions,
            segments,
            iterations,
            divergences,
            simplified,
            digest,
        } = self.counts;
        let time = |time: Duration| time.as_micros() as u64;
        let (queries, concrete_runs) = (self.queries, self.concrete_runs);
        let (solver_time, time) = (time(self.solver_time), time(self.time));
        [
            completed,
            failed,
            partial,
            discarded,
            forks,
            instructions,
            segments,
            iterations,
            divergences,
            simplified,
            digest,
            concrete_runs,
            queries,
            solver_time,
            time,
        ]
    }

    /// `None` if the bytes are damaged, or are not those of this program.
    pub fn from_bytes(bytes: &[u8], program: &Program) -> Option<Saved> {
        let mut bytes = Unpacker::new(bytes);
        let mut numbers = [0; 15];
        for number in &mut numbers {
            *number = bytes.number()?;
        }
        let [completed, failed, partial, discarded, forks, instructions, segments, rest @ ..] = numbers;
        let [iterations, divergences, simplified, digest, concrete_runs, queries, solver_time, time] = rest;
        let counts = Counts {
            completed,
            failed,
            partial,
            discarded,
            forks,
            instructions,
            segments,
            iterations,
            divergences,
            simplified,
            digest,
        };
        let (covered, suite) = (marks(&mut bytes, program)?, marks(&mut bytes, program)?);
        let mut logs = Vec::new();
        for _ in 0..bytes.number()? {
            let name = String::from_utf8(bytes.bytes()?.to_vec()).ok().filter(|name| parse_name(name).is_some())?;
            logs.push(Log { name, length: bytes.number()? });
        }
        let mut undecided = Vec::new();
        for _ in 0..bytes.number()? {
            let decisions = bytes.bytes()?.to_vec();
            // Another run may have another solver, or more time: every side gets all of its tries again.
            undecided.push(Parked { decisions, depth: bytes.number_32()?, tries: 0 });
        }
        let mut frontier = Vec::new();
        for _ in 0..bytes.number()? {
            frontier.push(Aside::unpack(&mut bytes)?);
        }
        let solver_time = Duration::from_micros(solver_time);
        let time = Duration::from_micros(time);
        bytes.is_empty().then_some(Saved {
            frontier,
            logs,
            undecided,
            counts,
            concrete_runs,
            queries,
            solver_time,
            time,
            covered,
            suite,
        })
    }
}

fn marks(bytes: &mut Unpacker, program: &Program) -> Option<Vec<Mark>> {
    let mut marks = Vec::new();
    for _ in 0..bytes.number()? {
        let (kind, what) = (bytes.number_32()?, bytes.number_32()?);
        let Some(function) = kind.checked_sub(FIRST_FUNCTION).map(FuncId::from_u32) else {
            marks.push(Mark::Chosen(what, kind == 1));
            continue;
        };
        let data = program.functions.get(function)?;
        marks.push(match what.checked_sub(1).map(EdgeId::from_u32) {
            None => Mark::Entered(function),
            Some(edge) => {
                data.body.as_ref()?.edges.get(edge)?;
                Mark::Taken(function, edge)
            }
        });
    }
    Some(marks)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_search_is_read_as_it_was_written() {
        let parked = Parked { decisions: vec![1, 2, 3], depth: 4, tries: 0 };
        let saved = Saved {
            frontier: vec![Aside { decisions: vec![9; 100], model: Vec::new(), depth: 7 }; 3],
            logs: vec![Log { name: "frontier.1.20".to_owned(), length: 12345 }],
            undecided: vec![parked],
            counts: Counts {
                completed: 1,
                failed: 2,
                partial: 3,
                discarded: 4,
                forks: 5,
                instructions: 6,
                segments: 7,
                iterations: 10,
                divergences: 11,
                simplified: 12,
                digest: 9,
            },
            concrete_runs: 8,
            queries: u64::MAX,
            solver_time: Duration::from_micros(12),
            time: Duration::from_secs(3),
            ..Saved::default()
        };
        let bytes = saved.to_bytes();
        let program = symcrete_ir::parse::parse("").unwrap();
        assert_eq!(Saved::from_bytes(&bytes, &program), Some(saved));
        assert_eq!(Saved::from_bytes(&bytes[..bytes.len() - 1], &program), None);
        assert_eq!(Saved::from_bytes(&[bytes, vec![0]].concat(), &program), None);
    }
}
