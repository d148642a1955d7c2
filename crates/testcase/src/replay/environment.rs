//! The environment in which a test runs, natively and in the engine. docs/book/src/reference/environment.md says the
//! same to users.

/// All environment variables of the program.
pub const VARIABLES: &[(&str, &str)] = &[("LC_ALL", "C"), ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TZ", "UTC0")];
