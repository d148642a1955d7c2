//! Where cargo has put the sources of the crates that carry C++: these crates do not say it themselves.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo_variable;

pub struct Sources {
    /// Bitwuzla's own tree.
    pub bitwuzla: PathBuf,
    /// The folders of CaDiCaL's public header and of what it includes.
    pub cadical: [PathBuf; 2],
}

pub fn find() -> Result<Sources, String> {
    let metadata = metadata()?;
    let folder = |name: &str| {
        package_folder(&metadata, name).ok_or_else(|| format!("symcrete-bitwuzla: cargo does not know where {name} is"))
    };
    let cadical = folder("rustsat-cadical")?;
    Ok(Sources {
        bitwuzla: folder("bitwuzla-sys")?.join("bitwuzla"),
        cadical: [cadical.join("cppsrc/src"), cadical.join("cpp-extension")],
    })
}

/// What cargo says about all packages, as JSON. Without the network first: what this build needs is there already, only
/// packages that it does not need may be missing.
fn metadata() -> Result<String, String> {
    let manifest = Path::new(&cargo_variable("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let (cargo, target) = (cargo_variable("CARGO")?, cargo_variable("TARGET")?);
    let mut complaint = String::new();
    for network in [&["--offline"][..], &[]] {
        let output = Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--filter-platform", &target, "--manifest-path"])
            .arg(&manifest)
            .args(network)
            .output()
            .map_err(|error| format!("symcrete-bitwuzla: cannot run {cargo}: {error}"))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        complaint = String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ");
    }
    Err(format!("symcrete-bitwuzla: `cargo metadata` failed: {complaint}"))
}

/// The folder of the manifest whose folder is called after the package, with or without its version.
fn package_folder(metadata: &str, name: &str) -> Option<PathBuf> {
    metadata.split("\"manifest_path\":\"").skip(1).find_map(|rest| {
        let folder = Path::new(rest.split('"').next()?).parent()?;
        let version = folder.file_name()?.to_str()?.strip_prefix(name)?;
        let matches =
            version.is_empty() || version.starts_with('-') && version[1..].starts_with(|c: char| c.is_ascii_digit());
        matches.then(|| folder.to_path_buf())
    })
}
