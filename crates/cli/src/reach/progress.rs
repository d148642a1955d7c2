//! How far the search for a target is, in a line. What comes first is seen on a narrow terminal, too.

use symcrete_explore::workers::Progress;

use crate::report::plural;

pub fn words(progress: &Progress) -> String {
    let (paths, states) = (progress.counts.paths() as usize, progress.live + progress.aside);
    let backward = &progress.backward;
    let runs = progress.concrete_runs + backward.evaluations;
    let mut text = format!(
        "{paths} path{}  {states} state{}  {runs} run{}  {} M instructions  {} queries",
        plural(paths),
        plural(states),
        plural(runs as usize),
        (progress.counts.instructions + progress.run_instructions) / 1_000_000,
        progress.queries,
    );
    if backward.segments > 0 {
        let nearest = backward.nearest.map_or(String::new(), |distance| format!(", nearest {distance:.3}"));
        let (segments, depth, traces) = (backward.segments, backward.depth, backward.traces);
        text += &format!("  backward: {segments} pieces, depth {depth}, {traces} traces{nearest}");
    }
    text
}
