//! Bitcode to `ir`: small programs compiled by the clangs of this machine, loaded, verified, and looked at.
//! Whether the bits of a file are read right is the business of the `oracle` tests.
#![allow(clippy::unwrap_used)]

mod corpus;
mod debug;
mod hostile;
mod instructions;
mod linking;
mod tools;
mod values;
