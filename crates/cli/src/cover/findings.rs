//! What was found, with the tests that show it; when these have been run natively, which findings the real program confirms.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symcrete_ir::Program;
use symcrete_testcase::{Finding, Frame};

use super::replaying::{Fate, Replayed};
use crate::documents::{self, ConfirmedBy};
use crate::inputs_text::inputs_text;
use crate::report::{Sources, place_of};

/// All findings of a search, each kind at each place once.
#[derive(Default)]
pub struct Findings {
    known: Vec<Known>,
    numbers: BTreeMap<Key, usize>,
}

type Key = (String, String, u32, u32);

struct Known {
    finding: Finding,
    /// The tests that show it, by number.
    tests: Vec<(usize, PathBuf)>,
    /// What the real program did instead, in an earlier run of the search.
    refuted: Option<String>,
}

/// A finding that the real program contradicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unconfirmed {
    pub finding: Finding,
    pub reason: String,
}

/// Findings after replay.
#[derive(Default)]
pub struct Settled {
    pub confirmed: Vec<Confirmed>,
    pub unconfirmed: Vec<Unconfirmed>,
}

pub struct Confirmed {
    pub finding: Finding,
    /// Why only the engine confirms it; `None`: the real program does.
    pub by_engine: Option<String>,
}

impl Findings {
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_new(&self, finding: &Finding) -> bool {
        !self.numbers.contains_key(&finding.key())
    }

    /// A test shows a finding, which may be known already.
    pub fn add(&mut self, finding: Finding, number: usize, test: PathBuf) {
        let at = self.entry(finding);
        self.known[at].tests.push((number, test));
    }

    /// What an earlier run of the search had found.
    pub fn go_on(&mut self, findings: &[Finding], unconfirmed: &[Unconfirmed]) {
        for finding in findings {
            let number = finding.test.as_deref().and_then(Path::file_stem).and_then(|stem| stem.to_str()?.parse().ok());
            let at = self.entry(finding.clone());
            self.known[at].tests.extend(number.zip(finding.test.clone()));
        }
        for Unconfirmed { finding, reason } in unconfirmed {
            let at = self.entry(finding.clone());
            self.known[at].refuted = Some(reason.clone());
        }
    }

    /// What is known before replay: findings, each with a test that shows it, and those that an earlier run of the search refuted.
    pub fn so_far(&self) -> (Vec<Finding>, Vec<Unconfirmed>) {
        let (mut findings, mut unconfirmed) = (Vec::new(), Vec::new());
        for known in &self.known {
            match (known.tests.first(), &known.refuted) {
                (None, Some(reason)) => {
                    unconfirmed.push(Unconfirmed { finding: known.finding.clone(), reason: reason.clone() });
                }
                (test, _) => {
                    let test = test.map(|(_, path)| path.clone());
                    findings.push(Finding { test, ..known.finding.clone() });
                }
            }
        }
        (findings, unconfirmed)
    }

    fn entry(&mut self, finding: Finding) -> usize {
        *self.numbers.entry(finding.key()).or_insert_with(|| {
            self.known.push(Known { finding, tests: Vec::new(), refuted: None });
            self.known.len() - 1
        })
    }

    /// What native replay says of them. One test that the real program confirms is enough.
    pub fn settle(self, replayed: Option<&Replayed>) -> Settled {
        let mut settled = Settled::default();
        for known in self.known {
            known.settle(replayed, &mut settled);
        }
        settled
    }
}

impl Known {
    fn settle(self, replayed: Option<&Replayed>, settled: &mut Settled) {
        let Known { mut finding, tests, refuted } = self;
        let mut by_engine: Option<(String, PathBuf)> = None;
        let mut diverged: Option<(String, Option<PathBuf>)> = refuted.map(|reason| (reason, finding.test.clone()));
        for (number, path) in tests {
            match replayed.map(|replayed| replayed.fate(number)) {
                Some(Fate::Confirmed) => {
                    finding.test = Some(path);
                    settled.confirmed.push(Confirmed { finding, by_engine: None });
                    return;
                }
                Some(Fate::Diverged { reason, moved }) => {
                    diverged.get_or_insert((reason, Some(moved.unwrap_or(path))));
                }
                Some(Fate::NotReplayed(reason)) => {
                    by_engine.get_or_insert((reason, path));
                }
                None => {
                    by_engine.get_or_insert(("--no-replay".to_owned(), path));
                }
            }
        }
        match (by_engine, diverged) {
            (Some((reason, path)), _) => {
                finding.test = Some(path);
                settled.confirmed.push(Confirmed { finding, by_engine: Some(reason) });
            }
            (None, Some((reason, path))) => {
                finding.test = path;
                settled.unconfirmed.push(Unconfirmed { finding, reason });
            }
            (None, None) => {
                settled.confirmed.push(Confirmed { finding, by_engine: Some("it has no test".to_owned()) });
            }
        }
    }
}

impl Settled {
    pub fn documents(&self) -> (Vec<documents::Confirmed>, Vec<documents::Unconfirmed>) {
        let confirmed = |confirmed: &Confirmed| documents::Confirmed {
            finding: (&confirmed.finding).into(),
            confirmed_by: match confirmed.by_engine {
                Some(_) => ConfirmedBy::Engine,
                None => ConfirmedBy::Replay,
            },
            not_replayed: confirmed.by_engine.clone(),
        };
        let unconfirmed = |unconfirmed: &Unconfirmed| documents::Unconfirmed {
            finding: (&unconfirmed.finding).into(),
            reason: unconfirmed.reason.clone(),
        };
        (self.confirmed.iter().map(confirmed).collect(), self.unconfirmed.iter().map(unconfirmed).collect())
    }

    pub fn text(&self, text: &mut String, program: &Program) {
        let sources = Sources::default();
        for Confirmed { finding, by_engine } in &self.confirmed {
            transcript(text, finding, program, &sources);
            shown_by(text, finding);
            if let Some(reason) = by_engine {
                let _ = writeln!(text, "    confirmed by the engine alone: {reason}");
            }
        }
        if self.unconfirmed.is_empty() {
            return;
        }
        let _ = writeln!(text, "\nnot confirmed: the engine found this, and the real program does something else");
        for Unconfirmed { finding, reason } in &self.unconfirmed {
            transcript(text, finding, program, &sources);
            shown_by(text, finding);
            let _ = writeln!(text, "    replay: {reason}");
        }
        text.push('\n');
    }
}

/// What happened, on which way through the program, and to which memory: as `symcrete run` tells it.
fn transcript(text: &mut String, finding: &Finding, program: &Program, sources: &Sources) {
    let _ = match finding.file.is_empty() {
        true => writeln!(text, "{}", finding.message),
        false => writeln!(text, "{}:{}: {}", finding.file, finding.line, finding.message),
    };
    if let Some(function) = &finding.inside {
        let _ = writeln!(text, "  inside {function}");
    }
    for (number, Frame { function, file, line, column }) in finding.stack.iter().enumerate() {
        // Frames that were left out have no place.
        if file.is_empty() && function.starts_with('(') {
            let _ = writeln!(text, "            {function}");
            continue;
        }
        // A leak is told where its memory came from.
        let at = match (number, finding.kind == "leak") {
            (0, true) => "  allocated at",
            (0, false) => "        at",
            _ => "  called at",
        };
        let _ = writeln!(text, "{at} {} in `{function}`", place_of(file, *line, *column));
        if number == 0 {
            let known = program.debug.files.values().find(|known| known.name == *file);
            let folder = known.map_or("", |known| &known.directory);
            sources.show(text, &Path::new(folder).join(file), *line);
        }
    }
    for line in &finding.details {
        let _ = writeln!(text, "  {line}");
    }
}

fn shown_by(text: &mut String, finding: &Finding) {
    let Some(test) = &finding.test else { return };
    let read = symcrete_testcase::suite::read_tests(test).ok().and_then(|tests| tests.into_iter().next());
    let inputs = read.map(|(_, test)| inputs_text(&test)).filter(|inputs| !inputs.is_empty());
    if let Some(inputs) = inputs {
        let _ = writeln!(text, "    with {inputs}");
    }
    let _ = writeln!(text, "    shown by {}", test.display());
}
