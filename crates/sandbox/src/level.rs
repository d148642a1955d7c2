//! How strong a sandbox is, and what became of the attempt to set one up.

use serde::{Deserialize, Serialize};

/// What keeps a program from its surroundings, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// Namespaces of its own: users, mounts, processes, network, IPC. The file system is read-only but for the scratch
    /// directory and a private `/tmp`; homes are empty.
    Namespaces,
    /// Landlock for files, and seccomp for what Landlock of this kernel does not see. `None` stands for what the kernel
    /// offers; a number for that version of Landlock's interface at most.
    Landlock { abi: Option<u32> },
    /// Limits only. The program can change whatever the user can.
    Off,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Level::Namespaces => "namespaces",
            Level::Landlock { .. } => "landlock",
            Level::Off => "off",
        }
    }
}

/// One level that was tried.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub level: Level,
    /// Why it cannot be used; `None` if it holds.
    pub trouble: Option<String>,
}
