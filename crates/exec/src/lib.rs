//! The meaning of instructions: `State` and `step`. Chooses no path, prints nothing.
