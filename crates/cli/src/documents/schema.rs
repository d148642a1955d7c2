//! `symcrete schema`: the JSON Schema of a document.

use clap::Args as ClapArgs;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use symcrete_testcase::TestCase;

use super::{CoverDocument, DoctorDocument, ReachDocument, ReplayDocument};
use crate::error::Error;

#[derive(ClapArgs, Debug)]
pub struct SchemaArgs {
    /// Document: what the command prints with --json, or a test file
    #[arg(value_enum, value_name = "DOCUMENT")]
    pub document: Document,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Document {
    /// Output of `cover --json`
    Cover,
    /// Output of `reach --json`
    Reach,
    /// Output of `replay --json`
    Replay,
    /// Output of `doctor --json`
    Doctor,
    /// Test files that `cover` and `reach` write and `replay` reads
    Test,
}

/// Prints the schema.
pub fn run(args: &SchemaArgs) -> Result<u8, Error> {
    let schema = match args.document {
        Document::Cover => written::<CoverDocument>(),
        Document::Reach => written::<ReachDocument>(),
        Document::Replay => written::<ReplayDocument>(),
        Document::Doctor => written::<DoctorDocument>(),
        // People write tests as well, and may leave out what has a default.
        Document::Test => {
            SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<TestCase>()
        }
    };
    println!("{schema:#}", schema = schema.as_value());
    Ok(0)
}

fn written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
