//! Every program below tests/symbolic, explored to its end: as many paths as native runs on all inputs have, the bugs at their
//! lines and no others, and tests that all do natively what they claim.
#![allow(clippy::unwrap_used)]

mod support;

use support::{assert_all, symbolic};

#[test]
fn programs_have_the_paths_and_bugs_that_their_comments_say() {
    assert_all(&symbolic::all(), |program| program.check());
}
