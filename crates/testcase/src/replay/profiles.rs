//! The counters of finished runs: collected, merged now and then, and turned into coverage when asked.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::coverage::{Coverage, from_gcov, from_lcov};
use super::tools::Counter;

/// Merging costs a process; doing it for many runs at once costs little more than for one.
const BATCH: usize = 200;

pub struct Profiles {
    counter: Counter,
    executable: PathBuf,
    gcov_counters: Vec<PathBuf>,
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pending: Vec<PathBuf>,
    serial: usize,
    is_merged: bool,
}

impl Profiles {
    pub fn new(counter: Counter, executable: PathBuf, gcov_counters: Vec<PathBuf>, folder: PathBuf) -> Profiles {
        Profiles { counter, executable, gcov_counters, folder, state: Mutex::default() }
    }

    /// Takes the raw counters of one run out of the directory it ran in.
    pub fn add(&self, raw: &[PathBuf]) {
        let Ok(mut state) = self.state.lock() else { return };
        for path in raw {
            state.serial += 1;
            let kept = self.folder.join(format!("{}.profraw", state.serial));
            if fs::rename(path, &kept).is_ok() || fs::copy(path, &kept).is_ok() {
                state.pending.push(kept);
            }
        }
        if state.pending.len() >= BATCH {
            self.merge(&mut state);
        }
    }

    fn merged(&self) -> PathBuf {
        self.folder.join("all.profdata")
    }

    fn merge(&self, state: &mut State) {
        let Counter::Llvm { profdata, .. } = &self.counter else { return };
        if state.pending.is_empty() {
            return;
        }
        let mut inputs = std::mem::take(&mut state.pending);
        if state.is_merged {
            inputs.push(self.merged());
        }
        let next = self.folder.join("next.profdata");
        if merge(profdata, &inputs, &next) && fs::rename(&next, self.merged()).is_ok() {
            state.is_merged = true;
        }
        for path in inputs.iter().filter(|path| **path != self.merged()) {
            // What stays behind goes with the directory.
            let _ = fs::remove_file(path);
        }
    }

    /// What all runs covered together.
    pub fn coverage(&self) -> Result<Coverage, String> {
        let mut coverage = match &self.counter {
            Counter::None(reason) => return Err(reason.clone()),
            Counter::Llvm { cov, .. } => {
                let mut state = self.state.lock().map_err(|_| "the counters are lost".to_owned())?;
                self.merge(&mut state);
                match state.is_merged {
                    true => export(cov, &self.executable, &self.merged())?,
                    false => Coverage::default(),
                }
            }
            Counter::LlvmGcov { .. } | Counter::Gcov { .. } => Coverage::default(),
        };
        let by_gcov = self.gcov();
        if coverage.files.is_empty() {
            coverage.tool.clone_from(&by_gcov.tool);
        }
        coverage.merge(by_gcov);
        match coverage.files.is_empty() {
            true => Err("no run has left any counters".to_owned()),
            false => Ok(coverage),
        }
    }

    /// What one run covered, where that can be told from the others.
    pub fn coverage_of(&self, raw: &[PathBuf], folder: &Path) -> Option<Coverage> {
        let Counter::Llvm { profdata, cov } = &self.counter else { return None };
        let merged = folder.join("one.profdata");
        let is_done = !raw.is_empty() && merge(profdata, raw, &merged);
        is_done.then(|| export(cov, &self.executable, &merged).ok()).flatten()
    }

    /// The files of counters that gcov reads, as far as they exist.
    pub fn counter_files(&self) -> Vec<PathBuf> {
        self.gcov_counters.iter().flat_map(|path| counter_files(path)).collect()
    }

    fn gcov(&self) -> Coverage {
        let mut all = Coverage::default();
        let mut command = match &self.counter {
            Counter::Llvm { cov, .. } | Counter::LlvmGcov { cov } => {
                let mut command = Command::new(cov);
                command.arg("gcov");
                command
            }
            Counter::Gcov { gcov } => Command::new(gcov),
            Counter::None(_) => return all,
        };
        let counters = self.counter_files();
        if counters.is_empty() {
            return all;
        }
        // Every file by itself: one that cannot be read must not hide the others.
        command.args(["-t", "-b", "-c"]);
        let (program, arguments): (_, Vec<_>) =
            (command.get_program().to_owned(), command.get_args().map(ToOwned::to_owned).collect());
        for path in counters {
            let folder = path.parent().unwrap_or(Path::new("/"));
            let done = Command::new(&program).args(&arguments).arg(&path).current_dir(folder).output();
            if let Ok(done) = done {
                all.merge(with_plain_paths(from_gcov(&String::from_utf8_lossy(&done.stdout), folder)));
            }
        }
        all.tool = "gcov".to_owned();
        all
    }
}

/// The file itself, or those of a directory.
fn counter_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "gcda")).collect();
    files.sort();
    files
}

/// A process that was killed may leave half a file: the others still count.
fn merge(profdata: &Path, inputs: &[PathBuf], output: &Path) -> bool {
    let done =
        Command::new(profdata).args(["merge", "-sparse", "-failure-mode=all", "-o"]).arg(output).args(inputs).output();
    done.is_ok_and(|done| done.status.success())
}

fn export(cov: &Path, executable: &Path, profile: &Path) -> Result<Coverage, String> {
    let mut option = std::ffi::OsString::from("-instr-profile=");
    option.push(profile);
    let ask = |words: &[&str]| {
        let done = Command::new(cov).arg("export").args(words).arg(&option).arg(executable).output();
        let done = done.map_err(|error| format!("{} cannot be started: {error}", cov.display()))?;
        match done.status.success() {
            true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
            false => Err(format!("{} failed: {}", cov.display(), String::from_utf8_lossy(&done.stderr).trim())),
        }
    };
    let mut coverage = from_lcov(&ask(&["-format=lcov"])?);
    coverage.refine(&ask(&["-format=text", "-skip-functions", "-skip-expansions"])?);
    Ok(with_plain_paths(coverage))
}

/// Each file by one name: `src/../include/a.h` and `include/a.h` are the same header.
fn with_plain_paths(coverage: Coverage) -> Coverage {
    let mut plain = Coverage { files: Vec::new(), tool: coverage.tool };
    for mut file in coverage.files {
        let goes_up = file.path.components().any(|part| part == Component::ParentDir);
        if let Some(path) = goes_up.then(|| fs::canonicalize(&file.path).ok()).flatten() {
            file.path = path;
        }
        plain.merge(Coverage { files: vec![file], tool: String::new() });
    }
    plain
}
