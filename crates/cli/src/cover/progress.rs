//! How far the search for a suite is, in a line.

use symcrete_explore::workers::Progress;

pub fn words(progress: &Progress, tests: usize, findings: usize) -> String {
    let lazy = &progress.lazy;
    if lazy.abstract_paths + lazy.expansions > 0 {
        let deeper = match lazy.deeper_paths {
            0 => String::new(),
            paths => format!(" and {paths} below"),
        };
        return format!(
            "{} abstract paths{deeper}  {} concretised  {} refuted  {tests} tests  {findings} findings  {} expansions  {} queries  {} MiB",
            lazy.abstract_paths,
            lazy.concretised,
            lazy.refuted,
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
