//! Makes the library that `src/ffi.rs` links: the system's Bitwuzla where a fitting one is installed, otherwise one that is
//! compiled here (`build/compile.rs`) from the C++ sources that the crate `bitwuzla-sys` carries.
//!
//! CaDiCaL, which Bitwuzla needs, is the one in `rustsat-cadical`: a program can hold only one.

#[path = "build/compile.rs"]
mod compile;
#[path = "build/constants.rs"]
mod constants;
#[path = "build/sources.rs"]
mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Bitwuzla's C interface has had term managers since this version.
const OLDEST_SYSTEM_VERSION: &str = "0.6";

fn main() {
    for file in ["build.rs", "build/compile.rs", "build/constants.rs", "build/sources.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    for variable in ["CXX", "CXXFLAGS", "XDG_CACHE_HOME", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    match link().and_then(|include| constants::write(&include)) {
        Ok(()) => {}
        Err(sentence) => {
            eprintln!("{sentence}");
            println!("cargo:warning={sentence}");
            std::process::exit(1);
        }
    }
}

/// Tells cargo what to link; returns where the headers are.
fn link() -> Result<PathBuf, String> {
    if let Some(include) = system_library() {
        return Ok(include);
    }
    let sources = sources::find()?;
    let library = compile::library(&sources)?;
    println!("cargo:rerun-if-changed={}", library.display());
    let folder = library.parent().unwrap_or(Path::new("."));
    println!("cargo:rustc-link-search=native={}", folder.display());
    // Not bundled: the archive would be copied into every rlib.
    println!("cargo:rustc-link-lib=static:-bundle=bitwuzla");
    link_gmp();
    println!("cargo:rustc-link-lib=dylib=stdc++");
    Ok(sources.bitwuzla.join("include"))
}

/// A shared libbitwuzla that hides the CaDiCaL inside it, since ours would mix with it otherwise, and that was built for all
/// float formats. The folder of its headers.
fn system_library() -> Option<PathBuf> {
    let mut probe = pkg_config::Config::new();
    let library = probe.atleast_version(OLDEST_SYSTEM_VERSION).cargo_metadata(false).probe("bitwuzla").ok()?;
    let standard = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"].map(PathBuf::from);
    let folder = library.link_paths.iter().chain(&standard).find(|folder| folder.join("libbitwuzla.so").exists())?;
    let contents = fs::read(folder.join("libbitwuzla.so")).ok()?;
    let has = |text: &str| contents.windows(text.len()).any(|window| window == text.as_bytes());
    if has("_ZN7CaDiCaL") || has("experimental floating-point format") {
        return None;
    }
    let mut include = library.include_paths.clone();
    include.push(PathBuf::from("/usr/include"));
    let include = include.into_iter().find(|folder| folder.join("bitwuzla/c/bitwuzla.h").exists())?;
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=dylib=bitwuzla");
    Some(include)
}

/// The static library if there is one, so that the program runs on machines without GMP.
fn link_gmp() {
    let compiler = cc::Build::new().cpp(true).get_compiler();
    let output = Command::new(compiler.path()).arg("-print-file-name=libgmp.a").output();
    let path = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default();
    // The bare name comes back where there is none.
    match Path::new(&path).parent() {
        Some(folder) if folder.is_absolute() => {
            println!("cargo:rustc-link-search=native={}", folder.display());
            println!("cargo:rustc-link-lib=static:-bundle=gmp");
        }
        _ => println!("cargo:rustc-link-lib=dylib=gmp"),
    }
}

/// What cargo always tells a build script.
fn cargo_variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("symcrete-bitwuzla: {name} is not set; this runs under cargo only"))
}
