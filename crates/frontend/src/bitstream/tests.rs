//! Tests of bits, abbreviations and blocks on hand-made streams.
#![allow(clippy::unwrap_used)]

