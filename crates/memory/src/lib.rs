//! Allocations, their contents, and what an access to an address means. Cannot end a path.
