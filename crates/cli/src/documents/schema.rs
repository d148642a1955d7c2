//! `symcrete schema`: the JSON Schema of a document.

use clap::{Args as ClapArgs, ValueEnum};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use symcrete_testcase::TestCase;

use super::{CoverDocument, DoctorDocument, ReachDocument, ReplayDocument};
use crate::error::Error;

#[derive(ClapArgs, Debug)]
pub struct SchemaArgs {
    /// Document: what the command prints with --json, or a test file [default: all of them, by name]
    #[arg(value_enum, value_name = "DOCUMENT")]
    pub document: Option<Document>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    let all = || Document::value_variants().iter().map(|document| (name(*document), schema(*document).to_value()));
    let schema = args.document.map_or_else(|| all().collect(), |document| schema(document).to_value());
    println!("{schema:#}");
    Ok(0)
}

fn name(document: Document) -> String {
    document.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn schema(document: Document) -> Schema {
    match document {
        Document::Cover => written::<CoverDocument>(),
        Document::Reach => written::<ReachDocument>(),
        Document::Replay => written::<ReplayDocument>(),
        Document::Doctor => written::<DoctorDocument>(),
        // People write tests as well, and may leave out what has a default.
        Document::Test => {
            SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<TestCase>()
        }
    }
}

fn written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
