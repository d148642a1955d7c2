//! Tests of bits, abbreviations and blocks on hand-made streams.
#![allow(clippy::unwrap_used)]

#[path = "../../tests/support/writer.rs"]
mod writer;

use super::*;
use writer::BitWriter;

/// Code, values and bytes of a record.
type Contents = (u32, Vec<u64>, Vec<u8>);

/// All records of a stream that has one block.
fn records(bytes: &[u8]) -> Result<Vec<Contents>, Problem> {
    let mut reader = BlockReader::new(bytes, 4);
    let mut record = Record::default();
    assert_eq!(reader.next(&mut record)?, Entry::Block(8));
    reader.enter_block()?;
    let mut found = Vec::new();
    while reader.next_record(&mut record)? {
        found.push((record.code, record.values.clone(), record.blob.to_vec()));
    }
    Ok(found)
}

#[test]
fn numbers_of_all_widths() {
    for width in 1..=64 {
        for shift in 0..9 {
            let value = 0x9e37_79b9_7f4a_7c15_u64 >> (64 - width);
            let mut writer = BitWriter::default();
            writer.fixed(0, shift);
            writer.fixed(value, width);
            writer.fixed(1, 1);
            let bytes = writer.bytes.clone();
            let mut cursor = BitCursor::new(&bytes, shift as usize);
            assert_eq!(cursor.read(width).unwrap(), value, "{width} bits after {shift}");
            assert_eq!(cursor.read(1).unwrap(), 1);
        }
    }
    assert_eq!(BitCursor::new(&[1, 2, 3], 0).read(25), Err(Problem::Truncated));
    assert_eq!(BitCursor::new(&[], 0).read(0), Ok(0));
}

#[test]
fn variable_numbers() {
    for width in 2..=32 {
        for value in [0, 1, 31, 32, 0xffff, u64::from(u32::MAX), 1 << 63, u64::MAX] {
            let mut writer = BitWriter::default();
            writer.variable(value, width);
            assert_eq!(BitCursor::new(&writer.bytes, 0).read_variable(width).unwrap(), value);
        }
    }
}

#[test]
fn variable_numbers_that_are_too_wide() {
    // Sixty-five bits: thirteen chunks of five bits.
    let mut writer = BitWriter::default();
    (0..12).for_each(|_| writer.fixed(0b11_1111, 6));
    writer.fixed(0b01_1111, 6);
    assert_eq!(BitCursor::new(&writer.bytes, 0).read_variable(6), Err(Problem::NumberTooWide));
    // Any number of zeros on top changes nothing.
    let mut writer = BitWriter::default();
    writer.fixed(0b10_0101, 6);
    (0..100).for_each(|_| writer.fixed(0b10_0000, 6));
    writer.fixed(0, 6);
    assert_eq!(BitCursor::new(&writer.bytes, 0).read_variable(6), Ok(5));
}

#[test]
fn records_with_and_without_blobs() {
    let mut writer = BitWriter::bitcode();
    writer.begin(8);
    writer.record(7, &[1, u64::MAX, 3]);
    writer.record_with_blob(9, &[4], b"bytes");
    writer.begin(99);
    writer.record(1, &[]);
    writer.end();
    writer.record(2, &[]);
    writer.end();
    let found = records(&writer.finish()).unwrap();
    assert_eq!(found, [(7, vec![1, u64::MAX, 3], vec![]), (9, vec![4], b"bytes".to_vec()), (2, vec![], vec![])]);
}

#[test]
fn abbreviations_of_block_info() {
    let mut writer = BitWriter::bitcode();
    writer.begin(8);
    writer.begin(BLOCK_INFO);
    writer.record(BLOCK_INFO_SET_BLOCK, &[20]);
    define(&mut writer, &[Definition::Literal(5), Definition::Fixed(3), Definition::Array, Definition::Character]);
    writer.end();
    writer.begin(20);
    writer.id(4);
    writer.fixed(6, 3);
    writer.variable(2, 6);
    writer.fixed(0, 6);
    writer.fixed(63, 6);
    writer.end();
    writer.end();
    let bytes = writer.finish();
    let mut reader = BlockReader::new(&bytes, 4);
    let mut record = Record::default();
    reader.next(&mut record).unwrap();
    reader.enter_block().unwrap();
    assert_eq!(reader.next(&mut record).unwrap(), Entry::Block(BLOCK_INFO));
    reader.read_block_info(&mut record).unwrap();
    assert_eq!(reader.next(&mut record).unwrap(), Entry::Block(20));
    reader.enter_block().unwrap();
    assert_eq!(reader.next(&mut record).unwrap(), Entry::Record);
    assert_eq!((record.code, record.values.as_slice()), (5, &[6, u64::from(b'a'), u64::from(b'_')][..]));
    assert_eq!(reader.next(&mut record).unwrap(), Entry::End);
}

enum Definition {
    Literal(u64),
    Fixed(u64),
    Array,
    Character,
}

fn define(writer: &mut BitWriter, parts: &[Definition]) {
    writer.id(2);
    writer.variable(parts.len() as u64, 5);
    for part in parts {
        match part {
            Definition::Literal(value) => {
                writer.fixed(1, 1);
                writer.variable(*value, 8);
            }
            Definition::Fixed(width) => {
                writer.fixed(0, 1);
                writer.fixed(1, 3);
                writer.variable(*width, 5);
            }
            Definition::Array => writer.fixed(0b110, 4),
            Definition::Character => writer.fixed(0b1000, 4),
        }
    }
}

/// The problem that one block with the given contents has.
fn problem_of(fill: impl FnOnce(&mut BitWriter)) -> Problem {
    let mut writer = BitWriter::bitcode();
    writer.begin(8);
    fill(&mut writer);
    writer.end();
    records(&writer.finish()).unwrap_err()
}

#[test]
fn hostile_abbreviations() {
    use Definition::{Array, Fixed, Literal};
    let array_of_literals = problem_of(|writer| define(writer, &[Literal(1), Array, Literal(2)]));
    assert_eq!(array_of_literals, Problem::Invalid("an array whose elements take no bits"));
    let array_of_nothing = problem_of(|writer| define(writer, &[Literal(1), Array, Fixed(0)]));
    assert_eq!(array_of_nothing, Problem::Invalid("an array whose elements take no bits"));
    let no_element = problem_of(|writer| define(writer, &[Literal(1), Array]));
    assert_eq!(no_element, Problem::Invalid("an abbreviation with an array or blob before its end"));
    let too_wide = problem_of(|writer| define(writer, &[Fixed(65)]));
    assert_eq!(too_wide, Problem::Invalid("an abbreviation with a fixed width of more than 64 bits"));
    let literals: Vec<Definition> = (0..100).map(Literal).collect();
    let free_values = problem_of(|writer| define(writer, &literals));
    assert_eq!(free_values, Problem::Invalid("an abbreviation with too many literals"));
    let empty = problem_of(|writer| define(writer, &[]));
    assert_eq!(empty, Problem::Invalid("an abbreviation without a scalar code"));
    let unknown = problem_of(|writer| writer.id(77));
    assert_eq!(unknown, Problem::NoSuch { what: "abbreviation", index: 77 });
}

#[test]
fn hostile_counts() {
    let elements = problem_of(|writer| {
        writer.id(3);
        writer.variable(1, 6);
        writer.variable(1 << 60, 6);
    });
    assert_eq!(elements, Problem::Truncated);
    let array = problem_of(|writer| {
        define(writer, &[Definition::Literal(1), Definition::Array, Definition::Fixed(1)]);
        writer.id(4);
        writer.variable(u64::MAX, 6);
    });
    assert_eq!(array, Problem::Truncated);
    let parts = problem_of(|writer| {
        writer.id(2);
        writer.variable(u64::MAX >> 1, 5);
    });
    assert_eq!(parts, Problem::Truncated);
}

#[test]
fn blocks_that_lie_about_their_length() {
    let mut writer = BitWriter::bitcode();
    writer.begin(8);
    writer.record(1, &[2]);
    writer.end();
    let sound = writer.finish();
    assert!(records(&sound).is_ok());
    for length in [0, 1, 3, 100, u32::MAX] {
        let mut bytes = sound.clone();
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert!(records(&bytes).is_err(), "{length} words");
    }
}
