//! How far the search for a target is, in a line.

use symcrete_explore::workers::Progress;

pub fn words(progress: &Progress) -> String {
    let backward = &progress.backward;
    let nearest = backward.nearest.map_or(String::new(), |distance| format!(", nearest {distance:.3}"));
    format!(
        "backward: {} pieces, depth {}, {} traces{nearest}  forward: {} paths, {} states  {} runs, {} queries, {} M instructions",
        backward.segments,
        backward.depth,
        backward.traces,
        progress.counts.paths(),
        progress.live + progress.aside,
        progress.concrete_runs + backward.evaluations,
        progress.queries,
        (progress.counts.instructions + progress.run_instructions) / 1_000_000,
    )
}
