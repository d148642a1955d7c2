//! Limits that are kept with half a million states pending: memory, and how soon a search stops.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{root, run, symcrete};

fn very_many_states(out: &Path, flags: &[&str]) -> Value {
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--join", "never", "--out"]).arg(out).args(flags);
    let shown = run(command.arg(root().join("tests/resume/very_many_states.c")), b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    serde_json::from_slice(&shown.stdout).unwrap()
}

/// The number of instructions decides when the search stops, so that no clock decides what is measured. `make bench` measures more.
#[test]
fn half_a_million_states_stay_within_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let done = very_many_states(&out, &["--memory", "512", "--budget-steps", "4500000"]);
    let stats = &done["stats"];
    assert!(done["pending"].as_u64().unwrap() >= 500_000, "{done}");
    assert!(stats["peak_mib"].as_u64().unwrap() <= 512 * 5 / 4, "{stats}");
    // They are all there: a part of them goes on, and is fewer then.
    let mut command = symcrete();
    let on = run(command.args(["cover", "--resume"]).arg(&out).args(["--budget-steps", "200000"]), b"");
    let on: Value = serde_json::from_slice(&on.stdout).unwrap_or_else(|error| panic!("{error}: {on:?}"));
    assert!(on["pending"].as_u64() >= done["pending"].as_u64(), "{on}");
    assert!(on["stats"]["peak_mib"].as_u64().unwrap() <= 512 * 5 / 4, "{on}");
}

/// Stopping does not take longer the more states there are: nearly all of them are written down by then.
#[test]
fn a_search_stops_soon_after_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let done = very_many_states(&folder.path().join("out"), &["--time", "4", "--memory", "256"]);
    assert_eq!(done["stopped"], "time", "{done}");
    // The machine may be busy: `make bench` holds it to a second.
    assert!(done["stats"]["stopping_s"].as_f64().unwrap() < 4.0, "{done}");
}
