//! What came of a replay, for people and as JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use symcrete_testcase::finding::deduplicate;
use symcrete_testcase::{Coverage, Finding, NativeEnd, Outcome, Replayed, TestCase};

use crate::coverage::CoverageTable;
use crate::documents::{self, ReplayDocument, ReplayOutcome};

pub struct ReplayResult {
    pub rows: Vec<Row>,
    /// `None` if nothing was run.
    pub coverage: Option<Result<Coverage, String>>,
    pub compile_time: Duration,
    pub time: Duration,
    pub is_interrupted: bool,
}

/// One test.
pub struct Row {
    pub name: String,
    pub path: PathBuf,
    pub test: TestCase,
    pub trouble: Option<String>,
    pub replayed: Option<Replayed>,
}

/// What is to be said of a test in one word.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Word {
    /// It did what it claims.
    Confirmed,
    Diverged,
    /// It could not be run.
    NotRun,
    /// It was run, and whether it did what it claims cannot be seen.
    Unseen,
    /// It claims nothing, and came to an end.
    Ran,
    /// It claims nothing, and a signal or the time limit ended it.
    Crashed,
}

impl Word {
    /// In the table: the good is quiet, the bad is not.
    fn shown(self) -> &'static str {
        match self {
            Word::Confirmed => "ok",
            Word::Diverged => "DIVERGED",
            Word::NotRun => "NOT RUN",
            Word::Unseen => "UNSEEN",
            Word::Ran => "ran",
            Word::Crashed => "CRASHED",
        }
    }

    fn outcome(self) -> ReplayOutcome {
        match self {
            Word::Confirmed => ReplayOutcome::Confirmed,
            Word::Diverged => ReplayOutcome::Diverged,
            Word::NotRun | Word::Unseen => ReplayOutcome::NotReplayed,
            Word::Ran => ReplayOutcome::Ran,
            Word::Crashed => ReplayOutcome::Crashed,
        }
    }

    fn is_good(self) -> bool {
        matches!(self, Word::Confirmed | Word::Ran)
    }
}

impl Row {
    fn has_claim(&self) -> bool {
        !matches!(self.test.ends.kind.as_str(), "unknown" | "unfinished") || self.test.reaches.is_some()
    }

    fn word(&self) -> Word {
        let Some(replayed) = &self.replayed else { return Word::NotRun };
        match (&replayed.outcome, replayed.end) {
            (Outcome::Diverged { .. }, _) => Word::Diverged,
            (Outcome::NotReplayed { .. }, None) => Word::NotRun,
            (Outcome::NotReplayed { .. }, Some(_)) => Word::Unseen,
            (Outcome::Confirmed, _) if self.has_claim() => Word::Confirmed,
            (Outcome::Confirmed, Some(NativeEnd::Exited(_)) | None) => Word::Ran,
            (Outcome::Confirmed, Some(NativeEnd::Signal(_) | NativeEnd::TimedOut | NativeEnd::Exceeded(_))) => {
                Word::Crashed
            }
        }
    }

    fn claim(&self) -> String {
        match (&self.test.reaches, self.has_claim()) {
            (_, false) => "nothing".to_owned(),
            (Some(place), _) => format!("reaches {}:{}", place.file, place.line),
            (None, _) => self.test.ends.to_string(),
        }
    }

    /// Why it was not run, if it was not.
    fn reason(&self) -> Option<&str> {
        match &self.replayed {
            None => Some(self.trouble.as_deref().unwrap_or("the replay was interrupted")),
            Some(Replayed { outcome: Outcome::NotReplayed { reason }, .. }) => Some(reason),
            Some(_) => None,
        }
    }

    /// In words, with the names of files as seen from here.
    fn did(&self) -> String {
        let words = match &self.replayed {
            Some(Replayed { outcome: Outcome::Diverged { got, .. }, .. }) => got,
            Some(replayed) if self.reason().is_none() => &replayed.did,
            _ => self.reason().unwrap_or_default(),
        };
        let here = std::env::current_dir().unwrap_or_default();
        words.replace(&format!("{}/", here.display()), "")
    }

    fn time(&self) -> Duration {
        self.replayed.as_ref().map(|replayed| replayed.time).unwrap_or_default()
    }

    fn finding(&self) -> Option<Finding> {
        let ends = &self.test.ends;
        let (kind, message) = match self.word() {
            Word::Confirmed if !ends.is_normal() => (ends.kind.clone(), ends.message.clone()),
            Word::Crashed => ("crash".to_owned(), None),
            _ => return None,
        };
        Some(Finding {
            kind,
            message: message.unwrap_or_else(|| self.did()),
            file: ends.file.clone().unwrap_or_default(),
            line: ends.line.unwrap_or(0),
            column: ends.column.unwrap_or(0),
            test: Some(self.path.clone()),
            ..Finding::default()
        })
    }

    fn document(&self) -> documents::ReplayRow {
        let replayed = self.replayed.as_ref();
        let (status, signal) = match replayed.and_then(|replayed| replayed.end) {
            Some(NativeEnd::Exited(status)) => (Some(status), None),
            Some(NativeEnd::Signal(signal)) => (None, Some(signal)),
            Some(NativeEnd::TimedOut | NativeEnd::Exceeded(_)) | None => (None, None),
        };
        documents::ReplayRow {
            test: self.path.clone(),
            name: self.name.clone(),
            entry: self.test.entry.clone(),
            claims: self.has_claim().then(|| self.claim()),
            outcome: self.word().outcome(),
            did: replayed.filter(|_| self.reason().is_none()).map(|_| self.did()),
            reason: self.reason().map(str::to_owned),
            status,
            signal,
            reached: replayed.and_then(|replayed| replayed.reached),
            time_s: seconds(self.time()),
        }
    }
}

impl ReplayResult {
    /// As of `cover`: 1 if a test shows a finding. What a test claims and native runs do not show is 1 as well.
    pub fn status(&self) -> u8 {
        match self.is_interrupted {
            true => 130,
            false => u8::from(!self.findings().is_empty() || !self.rows.iter().all(|row| row.word().is_good())),
        }
    }

    pub fn print(&self, as_json: bool) {
        match as_json {
            true => println!("{}", documents::json(&self.document())),
            false => print!("{}", crate::report::printable(&self.text())),
        }
    }

    fn count(&self, word: Word) -> usize {
        self.rows.iter().filter(|row| row.word() == word).count()
    }

    fn findings(&self) -> Vec<Finding> {
        // Crashes without a claim have no place to tell them apart by: each is told.
        let (placed, others): (Vec<Finding>, Vec<Finding>) =
            self.rows.iter().filter_map(Row::finding).partition(|finding| !finding.file.is_empty());
        deduplicate(placed).into_iter().chain(others).collect()
    }

    fn document(&self) -> ReplayDocument {
        let (coverage, no_coverage) = match &self.coverage {
            Some(Ok(coverage)) => (Some(CoverageTable::of_replay(coverage).document()), None),
            Some(Err(reason)) => (None, Some(reason.clone())),
            None => (None, Some("nothing was run".to_owned())),
        };
        let finding = |finding: Finding| documents::ReplayFinding {
            kind: finding.kind,
            message: finding.message,
            file: finding.file,
            line: finding.line,
            test: finding.test,
        };
        ReplayDocument {
            version: documents::VERSION,
            tests: self.rows.iter().map(Row::document).collect(),
            confirmed: self.count(Word::Confirmed),
            diverged: self.count(Word::Diverged),
            not_replayed: self.count(Word::NotRun) + self.count(Word::Unseen),
            ran: self.count(Word::Ran),
            crashed: self.count(Word::Crashed),
            coverage,
            no_coverage,
            findings: self.findings().into_iter().map(finding).collect(),
            stats: documents::ReplayStats { time_s: seconds(self.time), compile_s: seconds(self.compile_time) },
        }
    }

    fn text(&self) -> String {
        let mut text = self.table();
        text.push('\n');
        if let Some(coverage) = &self.coverage {
            match coverage {
                Ok(coverage) => text.push_str(&CoverageTable::of_replay(coverage).text()),
                Err(reason) => {
                    let _ = writeln!(text, "coverage is not known: {reason}");
                }
            }
            text.push('\n');
        }
        self.troubles(&mut text);
        for finding in &self.findings() {
            let place =
                if finding.file.is_empty() { String::new() } else { format!("{}:{}: ", finding.file, finding.line) };
            let message = if finding.message.is_empty() { String::new() } else { format!(" ({})", finding.message) };
            let _ = writeln!(text, "{place}{}{message}", finding.kind);
            if let Some(test) = &finding.test {
                let _ = writeln!(text, "    shown by {}", test.display());
            }
        }
        let _ = writeln!(text, "{}", self.closing());
        text
    }

    fn table(&self) -> String {
        let rows: Vec<[String; 5]> = (self.rows.iter())
            .map(|row| {
                let time = if row.replayed.is_some() { spoken(row.time()) } else { "-".to_owned() };
                let did = shortened(&row.did(), LONGEST_DEED);
                [row.word().shown().to_owned(), row.name.clone(), shortened(&row.claim(), LONGEST_CLAIM), did, time]
            })
            .collect();
        let heads = ["", "test", "claims", "did", "time"];
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(heads[column].len())
        };
        let widths = [0, 1, 2, 3, 4].map(width);
        let line = |cells: [&str; 5]| {
            let [word, test, claim, did, time] = cells;
            let [word_width, test_width, claim_width, did_width, time_width] = widths;
            format!(
                "{word:word_width$}  {test:test_width$}  {claim:claim_width$}  {did:did_width$}  {time:>time_width$}\n"
            )
        };
        let body = rows.iter().map(|row| line([&row[0], &row[1], &row[2], &row[3], &row[4]]));
        std::iter::once(line(heads)).chain(body).collect()
    }

    /// What the table had no room for.
    fn troubles(&self, text: &mut String) {
        for row in &self.rows {
            let (test, claim) = (row.path.display(), row.claim());
            let _ = match row.word() {
                Word::Diverged => writeln!(text, "{test} diverged: it claims {claim}, and the program: {}", row.did()),
                Word::NotRun => writeln!(text, "{test} was not run: {}", row.did()),
                Word::Unseen => writeln!(text, "{test} could not be confirmed: {}", row.did()),
                _ => continue,
            };
        }
    }

    fn closing(&self) -> String {
        let parts = [
            (self.count(Word::Confirmed), "did what they claim"),
            (self.count(Word::Ran), "ran to their end"),
            (self.count(Word::Crashed), "crashed or did not end"),
            (self.count(Word::Diverged), "diverged"),
            (self.count(Word::Unseen), "could not be confirmed"),
            (self.count(Word::NotRun), "could not be run"),
        ];
        let told: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
        let total = self.rows.len();
        format!(
            "{total} test{}: {}; {} (and {} to compile)",
            if total == 1 { "" } else { "s" },
            told.join(", "),
            spoken(self.time),
            spoken(self.compile_time)
        )
    }
}

const LONGEST_CLAIM: usize = 44;
const LONGEST_DEED: usize = 52;

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

fn spoken(time: Duration) -> String {
    match time.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
