//! Bitcode to [`Module`]s: which blocks a file has and in what order. What is in them is read by the modules below.

mod attributes;
mod checks;
mod constant_checks;
mod constants;
mod debug_nodes;
mod error;
mod function;
mod globals;
mod instructions;
mod metadata;
mod module_block;
mod names;
mod operands;
mod rules;
mod types;

pub use error::{DecodeError, Problem};

use llvm_bitcode::schema::blocks::{BlockId, IdentificationCode, StrtabCode};

use crate::bitstream::{BLOCK_INFO, BlockReader, Entry, Record};
use crate::module::Module;

use module_block::ModuleDecoder;

const MAGIC: [u8; 4] = *b"BC\xC0\xDE";
const WRAPPER_MAGIC: [u8; 4] = [0xDE, 0xC0, 0x17, 0x0B];

/// Decodes all modules of a bitcode file. Whatever the bytes are, this ends soon, with memory in proportion to them.
pub fn decode(bytes: &[u8]) -> Result<Vec<Module>, DecodeError> {
    let (stream, base) = strip_wrapper(bytes)?;
    let mut scan = BlockReader::new(stream, 0);
    let parts = find_parts(stream, &mut scan).map_err(|problem| DecodeError::at(scan.place(), base, problem))?;
    if parts.iter().all(|part| part.start.is_none()) {
        return Err(DecodeError::NotBitcode("it holds no module"));
    }
    let mut modules = Vec::new();
    let mut budget = stream.len().saturating_mul(64).saturating_add(1 << 20);
    for part in parts {
        let Some(start) = part.start else { continue };
        let mut decoder = ModuleDecoder::new(BlockReader::new(stream, start), part.strings, budget);
        let outcome = decoder.decode();
        budget = decoder.budget;
        match outcome {
            Ok(()) => modules.push(Module { identification: part.identification, ..decoder.module }),
            Err(problem) => return Err(DecodeError::at(decoder.reader.place(), base, problem)),
        }
    }
    Ok(modules)
}

/// The producer that a bitcode file names, as `LLVM16.0.6`; nothing if it names none, or is no bitcode.
pub fn producer(bytes: &[u8]) -> Option<String> {
    let (stream, _) = strip_wrapper(bytes).ok()?;
    let parts = find_parts(stream, &mut BlockReader::new(stream, 0)).ok()?;
    parts.into_iter().map(|part| part.identification).find(|name| !name.is_empty())
}

/// One module of a file and what belongs to it.
#[derive(Default)]
struct Part<'a> {
    identification: String,
    /// The byte at which its block begins.
    start: Option<usize>,
    /// Names of its globals.
    strings: Option<&'a [u8]>,
}

/// The bitcode inside of a wrapper, if there is one, and where it begins.
fn strip_wrapper(bytes: &[u8]) -> Result<(&[u8], usize), DecodeError> {
    if let Some(what) = other_format(bytes) {
        return Err(DecodeError::NotBitcode(what));
    }
    if !bytes.starts_with(&WRAPPER_MAGIC) {
        return Ok((bytes, 0));
    }
    let field = |index: usize| {
        let chunk = bytes.get(index * 4..)?.first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*chunk)).ok()
    };
    // Magic, version, offset, size, processor.
    let range = field(2).zip(field(3)).and_then(|(offset, size)| Some((offset, offset.checked_add(size)?)));
    let (start, end) = range.ok_or(DecodeError::NotBitcode("its wrapper header is cut off"))?;
    let inner = bytes.get(start..end).ok_or(DecodeError::NotBitcode("its wrapper header points beyond its end"))?;
    if !inner.starts_with(&MAGIC) {
        return Err(DecodeError::NotBitcode("its wrapper holds something else"));
    }
    Ok((inner, start))
}

/// Says what a file is that is not bitcode.
fn other_format(bytes: &[u8]) -> Option<&'static str> {
    const FORMATS: [(&[u8], &str); 8] = [
        (b"\x7fELF", "this is an ELF object; compile with `clang -emit-llvm -c` to get bitcode"),
        (b"!<arch>\n", "this is an archive of objects"),
        (b"!<thin>\n", "this is an archive of objects"),
        (b"\xCF\xFA\xED\xFE", "this is a Mach-O object"),
        (b"\xCE\xFA\xED\xFE", "this is a Mach-O object"),
        (b"MZ", "this is a Windows program"),
        (b"; ModuleID", "this is the text form of LLVM code; `llvm-as` makes bitcode of it"),
        (b"source_filename", "this is the text form of LLVM code; `llvm-as` makes bitcode of it"),
    ];
    if bytes.is_empty() {
        return Some("it is empty");
    }
    if bytes.starts_with(&MAGIC) || bytes.starts_with(&WRAPPER_MAGIC) {
        return None;
    }
    let known = FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic));
    Some(known.map_or("it does not begin like bitcode", |(_, what)| what))
}

/// Walks over the outermost blocks, entering only those that are about modules.
fn find_parts<'a>(stream: &'a [u8], reader: &mut BlockReader<'a>) -> Result<Vec<Part<'a>>, Problem> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut identification = String::new();
    let mut record = Record::default();
    loop {
        let byte = reader.position() / 8;
        let rest = stream.get(byte..).unwrap_or(&[]);
        // A block takes two words. Less than that is padding (archives leave some).
        if rest.len() < 8 {
            return Ok(parts);
        }
        if rest.starts_with(&MAGIC) {
            reader.skip_bytes(MAGIC.len())?;
            continue;
        }
        // Padding at the end of a stream that was cut from something bigger.
        if rest.iter().take(8).all(|&byte| byte == 0) && !parts.is_empty() {
            return Ok(parts);
        }
        let Entry::Block(block) = reader.next(&mut record)? else {
            return Err(Problem::Invalid("a record outside of blocks"));
        };
        if block == BlockId::Identification as u32 {
            reader.enter_block()?;
            identification = read_identification(reader, &mut record)?;
        } else if block == BlockId::Module as u32 {
            let identification = std::mem::take(&mut identification);
            parts.push(Part { identification, start: Some(byte), strings: None });
            reader.skip_block()?;
        } else if block == BlockId::Strtab as u32 {
            reader.enter_block()?;
            let strings = read_strings(reader, &mut record)?;
            // It serves all modules before it that have none of their own.
            for part in parts.iter_mut().rev().take_while(|part| part.strings.is_none()) {
                part.strings = Some(strings);
            }
        } else if block == BLOCK_INFO {
            reader.read_block_info(&mut record)?;
        } else {
            reader.skip_block()?;
        }
    }
}

fn read_identification<'a>(reader: &mut BlockReader<'a>, record: &mut Record<'a>) -> Result<String, Problem> {
    let mut text = String::new();
    while reader.next_record(record)? {
        if record.code == IdentificationCode::String as u32 {
            text = operands::text(&record.values);
        } else if record.code == IdentificationCode::Epoch as u32 && record.values.first() != Some(&0) {
            return Err(Problem::Unsupported("bitcode of another epoch"));
        }
    }
    Ok(text)
}

fn read_strings<'a>(reader: &mut BlockReader<'a>, record: &mut Record<'a>) -> Result<&'a [u8], Problem> {
    let mut strings: &'a [u8] = &[];
    while reader.next_record(record)? {
        if record.code == StrtabCode::Blob as u32 {
            strings = record.blob;
        }
    }
    Ok(strings)
}
