//! How far the search for a suite is, in a line.

use symcrete_explore::workers::Progress;

use crate::report::plural;

pub fn words(progress: &Progress, tests: usize, findings: usize) -> String {
    let lazy = &progress.lazy;
    if lazy.abstract_paths + lazy.expansions > 0 {
        let deeper = match lazy.deeper_paths {
            0 => String::new(),
            paths => format!(" and {paths} below"),
        };
        return format!(
            "{} abstract path{}{deeper}  {} concretised  {} refuted  {tests} test{}  {findings} finding{}  {} expansions  {} queries  {} MiB",
            lazy.abstract_paths,
            plural(lazy.abstract_paths as usize),
            lazy.concretised,
            lazy.refuted,
            plural(tests),
            plural(findings),
            lazy.expansions,
            progress.queries,
            super::result::resident_mib(),
        );
    }
    format!(
        "{} paths  {tests} tests  {findings} findings  {} % of the code  {} states ({} aside, {} undecided)  {} queries  {} MiB",
        progress.counts.paths(),
        (progress.blocks.covered * 100).checked_div(progress.blocks.total).unwrap_or(0),
        progress.live + progress.aside,
        progress.aside,
        progress.parked,
        progress.queries,
        super::result::resident_mib(),
    )
}
