//! Files made by hand to break a decoder: impossible counts, cycles, endless nesting, sharing that explodes. And what
//! is not bitcode at all. Each must be an error that says what is wrong and where.
#![allow(clippy::unwrap_used)]

#[path = "../support/allocation.rs"]
mod allocation;
#[path = "../support/writer.rs"]
mod writer;

use symcrete_frontend::decode::{DecodeError, decode};

use writer::BitWriter;

#[global_allocator]
static ALLOCATOR: allocation::Counting = allocation::Counting;

const MODULE: u32 = 8;
const CONSTANTS: u32 = 11;
const FUNCTION: u32 = 12;
const METADATA: u32 = 15;
const TYPES: u32 = 17;
const STRINGS: u32 = 23;

/// Codes of type records.
const VOID: u32 = 2;
const INTEGER: u32 = 7;
const ARRAY: u32 = 11;
const VECTOR: u32 = 12;
const ANONYMOUS: u32 = 18;
const NAME: u32 = 19;
const NAMED: u32 = 20;
const FUNCTION_TYPE: u32 = 21;
const POINTER: u32 = 25;

/// A file with one module; names are in a table of one letter.
fn module(fill: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    let mut writer = BitWriter::bitcode();
    writer.begin(MODULE);
    writer.record(1, &[2]);
    fill(&mut writer);
    writer.end();
    writer.begin(STRINGS);
    writer.record_with_blob(1, &[], b"f");
    writer.end();
    writer.finish()
}

/// Types: 0 void, 1 i32, 2 pointer, 3 function from nothing to nothing; then more.
fn types(writer: &mut BitWriter, more: impl FnOnce(&mut BitWriter)) {
    writer.begin(TYPES);
    writer.record(VOID, &[]);
    writer.record(INTEGER, &[32]);
    writer.record(POINTER, &[0]);
    writer.record(FUNCTION_TYPE, &[0, 0]);
    more(writer);
    writer.end();
}

/// A module with a function `void f()` whose body is given.
fn function(body: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    module(|writer| {
        types(writer, |_| {});
        writer.record(8, &[0, 1, 3, 0, 0, 0, 0, 0, 0, 0]);
        writer.begin(FUNCTION);
        body(writer);
        writer.end();
    })
}

/// Decodes within bounds of memory and returns the message of the error.
fn message(bytes: &[u8]) -> String {
    let (decoded, peak) = allocation::peak_of(|| decode(bytes));
    assert!(peak < (1 << 20) + bytes.len() * 200, "{peak} bytes of memory for a file of {}", bytes.len());
    decoded.unwrap_err().to_string()
}

#[track_caller]
fn refused(bytes: &[u8], expected: &str) {
    let message = message(bytes);
    assert!(message.contains(expected), "expected «{expected}» in «{message}»");
}

#[test]
fn the_smallest_function_is_fine() {
    let bytes = function(|writer| {
        writer.record(1, &[1]);
        writer.record(10, &[]);
    });
    let modules = decode(&bytes).unwrap();
    assert_eq!(modules[0].globals.values().next().unwrap().name, "f");
}

#[test]
fn not_bitcode() {
    for (bytes, expected) in [
        (&b""[..], "it is empty"),
        (b"\x7fELF\x02\x01\x01", "this is an ELF object"),
        (b"!<arch>\nfoo", "archive"),
        (b"; ModuleID = 'x'\n", "llvm-as"),
        (b"int main() {}", "does not begin like bitcode"),
        (b"BC\xC0\xDE", "holds no module"),
        (b"\xDE\xC0\x17\x0B\0\0", "wrapper header is cut off"),
        (b"\xDE\xC0\x17\x0B\0\0\0\0\x14\0\0\0\xff\0\0\0\0\0\0\0", "beyond its end"),
    ] {
        let error = decode(bytes).unwrap_err();
        assert!(matches!(error, DecodeError::NotBitcode(_)));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn wrapped_and_concatenated_files() {
    let inner = function(|writer| {
        writer.record(1, &[1]);
        writer.record(10, &[]);
    });
    let mut wrapped = Vec::new();
    for word in [0x0b17_c0de, 0, 20, inner.len() as u32, 7] {
        wrapped.extend(u32::to_le_bytes(word));
    }
    wrapped.extend(&inner);
    wrapped.extend([0; 12]);
    assert_eq!(decode(&wrapped).unwrap().len(), 1);
    let twice = [inner.clone(), inner.clone()].concat();
    assert_eq!(decode(&twice).unwrap().len(), 2);
    let blocks_only = [inner.clone(), inner[4..].to_vec()].concat();
    assert_eq!(decode(&blocks_only).unwrap().len(), 2);
    assert!(decode(&wrapped[..wrapped.len() - 40]).is_err());
}

#[test]
fn errors_name_record_and_offset() {
    let bytes = function(|writer| {
        writer.record(1, &[1]);
        writer.record(2, &[1, 1, 0]);
    });
    let message = message(&bytes);
    assert!(message.starts_with("bitcode at byte 0x"), "{message}");
    assert!(message.contains("Function block, record BinOp: "), "{message}");
}

#[test]
fn impossible_counts() {
    for count in [0, 1 << 32, 1 << 60, u64::MAX] {
        refused(&function(|writer| writer.record(1, &[count])), "an impossible number of blocks");
    }
    // The count of types is not believed, so any number does no harm.
    let fine = module(|writer| {
        writer.begin(TYPES);
        writer.record(1, &[1 << 60]);
        writer.end();
    });
    assert!(decode(&fine).is_ok());
    refused(&function(|writer| writer.record(1, &[5])), "a block without a terminator");
    refused(
        &module(|writer| {
            writer.begin(METADATA);
            writer.record_with_blob(35, &[1 << 62, 0], b"abc");
            writer.end();
        }),
        "the data ends too early",
    );
}

#[test]
fn types_that_contain_themselves() {
    refused(&module(|writer| types(writer, |writer| writer.record(ANONYMOUS, &[0, 4]))), "contains itself");
    let mutual = module(|writer| {
        types(writer, |writer| {
            writer.record(NAME, &[97]);
            writer.record(NAMED, &[0, 5]);
            writer.record(ARRAY, &[3, 4]);
        });
    });
    refused(&mutual, "contains itself");
    refused(&module(|writer| types(writer, |writer| writer.record(ARRAY, &[3, 77]))), "there is no type 77");
    refused(&module(|writer| types(writer, |writer| writer.record(ARRAY, &[3, u64::MAX]))), "beyond 32 bits");
}

#[test]
fn types_that_nest_or_explode() {
    let deep = module(|writer| {
        types(writer, |writer| {
            writer.record(ARRAY, &[2, 1]);
            (0..5000).for_each(|index| writer.record(ARRAY, &[2, index + 4]));
        });
    });
    refused(&deep, "nests too deeply");
    let wide = module(|writer| {
        types(writer, |writer| {
            writer.record(ANONYMOUS, &[0, 1, 1]);
            (0..60).for_each(|index| writer.record(ANONYMOUS, &[0, index + 4, index + 4]));
        });
    });
    refused(&wide, "nests too deeply");
    // An array of impossible size is a matter for those who compute sizes.
    let large = module(|writer| {
        types(writer, |writer| {
            writer.record(ARRAY, &[u64::MAX, 1]);
            (0..9).for_each(|index| writer.record(ARRAY, &[u64::MAX, index + 4]));
        });
    });
    assert!(decode(&large).is_ok());
    refused(&module(|writer| types(writer, |writer| writer.record(VECTOR, &[1 << 40, 1]))), "vectors of more than");
    refused(&module(|writer| types(writer, |writer| writer.record(VECTOR, &[4, 1, 1]))), "scalable");
    refused(&module(|writer| types(writer, |writer| writer.record(INTEGER, &[1 << 24]))), "impossible width");
}

/// A module with constants; type 4 is an empty structure, 5 one of two of those.
fn constants(fill: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    module(|writer| {
        types(writer, |writer| {
            writer.record(ANONYMOUS, &[0]);
            writer.record(ANONYMOUS, &[0, 4, 4]);
        });
        writer.begin(CONSTANTS);
        fill(writer);
        writer.end();
    })
}

#[test]
fn constants_that_contain_themselves_or_explode() {
    // A pointer made by a cast of itself.
    let cycle = constants(|writer| {
        writer.record(1, &[2]);
        writer.record(11, &[11, 2, 1]);
        writer.record(11, &[11, 2, 0]);
    });
    refused(&cycle, "a constant that contains itself");
    let chain = constants(|writer| {
        writer.record(1, &[2]);
        writer.record(2, &[]);
        (0..3000).for_each(|index| writer.record(11, &[11, 2, index]));
    });
    refused(&chain, "a constant that nests too deeply");
    // Additions of the one before to itself: sharing makes 2^40 of them.
    let shared = constants(|writer| {
        writer.record(1, &[1]);
        writer.record(4, &[2]);
        (0..40).for_each(|index| writer.record(10, &[0, index, index]));
    });
    refused(&shared, "a constant that nests too deeply");
    let beyond = constants(|writer| {
        writer.record(1, &[1]);
        writer.record(10, &[0, 0xffff_fff0, 7]);
    });
    refused(&beyond, "there is no constant");
    let other_type = constants(|writer| {
        writer.record(1, &[5]);
        writer.record(7, &[0, 0]);
    });
    refused(&other_type, "an aggregate whose elements do not fit");
}

#[test]
fn wide_constants_cost_no_memory() {
    let bytes = module(|writer| {
        types(writer, |writer| writer.record(INTEGER, &[1 << 23]));
        writer.begin(CONSTANTS);
        writer.record(1, &[4]);
        (0..1000).for_each(|_| writer.record(4, &[2]));
        writer.end();
    });
    refused(&bytes, "integer constants of more than");
}

#[test]
fn names_cannot_share_a_long_string() {
    let mut writer = BitWriter::bitcode();
    writer.begin(MODULE);
    writer.record(1, &[2]);
    types(&mut writer, |_| {});
    (0..2000).for_each(|_| writer.record(7, &[0, 100_000, 1, 2, 0, 0, 0, 0]));
    writer.end();
    writer.begin(STRINGS);
    writer.record_with_blob(1, &[], &[b'x'; 100_000]);
    writer.end();
    refused(&writer.finish(), "few bits that stand for far too much data");
}

#[test]
fn references_that_lead_nowhere() {
    let operands = |record: u32, values: Vec<u64>| {
        function(move |writer| {
            writer.record(1, &[1]);
            writer.record(record, &values);
            writer.record(10, &[]);
        })
    };
    // A forward reference to a result that never comes, with its type.
    refused(&operands(58, vec![0xffff_0000, 1]), "there is no result");
    refused(&operands(58, vec![1 << 31, 1]), "there is no result");
    refused(&operands(11, vec![7]), "there is no block 7");
    refused(&operands(34, vec![9, 1 << 15, 3, 1]), "there is no attribute list 9");
    refused(&operands(34, vec![0, 1 << 15, 1, 1]), "a type that is no function type");
    refused(&operands(34, vec![0, 1 << 15, 3, 1, 1]), "too many arguments");
    refused(&operands(35, vec![1, 1, 5, 0]), "there is no metadata 4");
    refused(&operands(33, vec![]), "a location again but none before");
    refused(&operands(10, vec![1]), "a return of another type");
    let metadata = module(|writer| {
        writer.begin(METADATA);
        writer.record(3, &[0xffff_fff0]);
        writer.end();
    });
    refused(&metadata, "there is no metadata");
}

/// An abbreviation can say a whole call in the bits of its own number.
#[test]
fn records_of_almost_no_bits() {
    let bytes = module(|writer| {
        types(writer, |_| {});
        writer.record(8, &[0, 1, 3, 0, 0, 0, 0, 0, 0, 0]);
        writer.begin_with(FUNCTION, 3);
        writer.record(1, &[1]);
        writer.id(2);
        let literals = [34, 0, 1 << 15, 3, 1];
        writer.variable(literals.len() as u64, 5);
        for literal in literals {
            writer.fixed(1, 1);
            writer.variable(literal, 8);
        }
        (0..50_000).for_each(|_| writer.id(4));
        writer.record(10, &[]);
        writer.end();
    });
    refused(&bytes, "far too many records of a few bits");
}

#[test]
fn blocks_nested_without_end() {
    let mut writer = BitWriter::bitcode();
    (0..20_000).for_each(|_| writer.begin(MODULE));
    (0..20_000).for_each(|_| writer.end());
    // Unknown blocks inside a module are skipped, whatever is in them.
    assert!(decode(&writer.finish()).is_ok());
}

#[test]
fn every_truncation_of_a_small_file_is_an_error() {
    let bytes = function(|writer| {
        writer.record(1, &[1]);
        writer.record(10, &[]);
    });
    // Without its last block (the strings) the names are missing; within it, the block is cut.
    for length in 0..bytes.len() {
        assert!(decode(&bytes[..length]).is_err(), "{length} bytes");
    }
}
