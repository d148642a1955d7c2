//! The report in the output directory: there from the beginning, brought up to date at every checkpoint, and final at the end. It holds what the
//! same run always gives, so no times.

use std::fs;
use std::path::Path;

use serde_json::Value;
use symcrete_testcase::suite::write_whole;

use crate::error::Error;

pub const NAME: &str = "report.json";

/// What it says until a run ends by itself: whoever finds this reads of a run that is going on or was killed.
pub const INTERRUPTED: &str = "interrupted";

/// The key that tells it from the files of others.
const OURS: &str = "symcrete";

/// Writes the report, unless somebody else's file has that name.
pub fn write(out: &Path, status: &str, mut report: Value) -> Result<(), Error> {
    let path = out.join(NAME);
    if fs::read(&path).is_ok_and(|bytes| !is_ours(&bytes)) {
        return Ok(());
    }
    if let Some(report) = report.as_object_mut() {
        report.insert(OURS.to_owned(), env!("CARGO_PKG_VERSION").into());
        report.insert("status".to_owned(), status.into());
        report.remove("stats");
    }
    let text = serde_json::to_vec_pretty(&report).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(write_whole(&path, &text)?)
}

pub fn is_ours(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Value>(bytes).is_ok_and(|report| report.get(OURS).is_some())
}
