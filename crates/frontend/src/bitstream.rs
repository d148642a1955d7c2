//! The container of bitcode: bits, blocks, abbreviations, records. Knows nothing of what the records mean.
//!
//! Made for hostile input: nothing is allocated before the bits that justify it were seen to be there, blocks nest
//! only as deep as the caller enters them, and every malformed construct is a [`Problem`].

mod abbreviation;
mod cursor;

use rustc_hash::FxHashMap;

use crate::decode::Problem;

use abbreviation::{Abbreviation, AbbreviationId, AbbreviationTable};
pub(crate) use cursor::BitCursor;

/// Abbreviation ids with a fixed meaning; greater ones index the abbreviations of the block.
const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const UNABBREVIATED_RECORD: u64 = 3;
const FIRST_ABBREVIATION: u64 = 4;

/// The block that defines abbreviations for other blocks.
pub(crate) const BLOCK_INFO: u32 = 0;
/// The record in it that names the block which the following abbreviations are for.
const BLOCK_INFO_SET_BLOCK: u32 = 1;

/// Records of fewer bits than this are light: what a few bits say must not be told without end. Compilers write some
/// (`ret void`), but far from one in every two bytes.
const LIGHT_RECORD: usize = 12;
/// How many light records any file may have.
const LIGHT_RECORDS: usize = 64;

/// What comes next in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The end of the current block, which has been left.
    End,
    /// A block inside the current one, to be entered or skipped.
    Block(u32),
    /// A record, which has been read.
    Record,
}

/// A record: a code and numbers, perhaps with bytes. Reused from one record to the next.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    /// What it means, by the kind of its block.
    pub code: u32,
    /// The numbers.
    pub values: Vec<u64>,
    /// The bytes, if the abbreviation has them.
    pub blob: &'a [u8],
}

/// Where the reader is, for error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The innermost block; `None` outside of all.
    pub block: Option<u32>,
    /// The last record read in it.
    pub record: Option<u32>,
    /// Where that record (or whatever followed it) begins, in bits from the start of the stream.
    pub bit: usize,
}

/// A block that has been entered.
#[derive(Debug)]
struct Scope {
    block: u32,
    /// Width of abbreviation ids in it.
    id_width: u32,
    /// Its last bit plus one, and that of the block around it.
    end: usize,
    outer_end: usize,
    /// How many abbreviations it has from block info. (More may be added there while it is open; they do not count.)
    inherited: usize,
    /// Those it defines itself.
    own: Vec<AbbreviationId>,
}

/// The header of a block inside the current one that has been read but not entered.
#[derive(Debug)]
struct Pending {
    block: u32,
    id_width: u32,
    end: usize,
}

/// Reads a stream of blocks and records.
pub(crate) struct BlockReader<'a> {
    cursor: BitCursor<'a>,
    scopes: Vec<Scope>,
    pending: Option<Pending>,
    abbreviations: AbbreviationTable,
    block_info: FxHashMap<u32, Vec<AbbreviationId>>,
    /// The block that abbreviations in the block info block are meant for.
    info_target: Option<u32>,
    /// How many more light records the current outermost block may have.
    light_records_left: usize,
    place: Place,
}

impl<'a> BlockReader<'a> {
    /// Reads `bytes` from `start` on, which is counted in bytes.
    pub fn new(bytes: &'a [u8], start: usize) -> Self {
        let cursor = BitCursor::new(bytes, start * 8);
        let place = Place { block: None, record: None, bit: cursor.position() };
        BlockReader {
            cursor,
            scopes: Vec::new(),
            pending: None,
            abbreviations: AbbreviationTable::default(),
            block_info: FxHashMap::default(),
            info_target: None,
            light_records_left: 0,
            place,
        }
    }

    /// The place of the last thing read.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next bit, counted from the start of the stream.
    pub fn position(&self) -> usize {
        self.cursor.position()
    }

    /// Bits left in the current block: no record in it can have more elements.
    pub fn remaining_bits(&self) -> usize {
        self.cursor.remaining()
    }

    /// Moves on by some bytes. Only outside of all blocks, on a byte boundary.
    pub fn skip_bytes(&mut self, count: usize) -> Result<(), Problem> {
        self.cursor.jump(self.cursor.position().saturating_add(count.saturating_mul(8)))
    }

    /// Reads up to the next record, block or end. Records are read whole.
    pub fn next(&mut self, record: &mut Record<'a>) -> Result<Entry, Problem> {
        loop {
            let block = self.scopes.last().map(|scope| scope.block);
            self.place = Place { block, record: None, bit: self.cursor.position() };
            let id_width = self.scopes.last().map_or(2, |scope| scope.id_width);
            match self.cursor.read(id_width)? {
                END_BLOCK => {
                    self.leave_block()?;
                    return Ok(Entry::End);
                }
                ENTER_SUBBLOCK => return self.read_block_header().map(Entry::Block),
                DEFINE_ABBREVIATION => self.define_abbreviation()?,
                UNABBREVIATED_RECORD => {
                    self.read_unabbreviated(record)?;
                    return Ok(Entry::Record);
                }
                id => {
                    let abbreviation = self.abbreviation(id)?;
                    read_abbreviated(&mut self.cursor, self.abbreviations.get(abbreviation), record)?;
                    self.place.record = Some(record.code);
                    if self.cursor.position() - self.place.bit < LIGHT_RECORD {
                        let left = self.light_records_left.checked_sub(1);
                        self.light_records_left = left.ok_or(Problem::Invalid("far too many records of a few bits"))?;
                    }
                    return Ok(Entry::Record);
                }
            }
        }
    }

    /// Like `next`, with blocks inside the current one skipped: only records, until `false` at the end.
    pub fn next_record(&mut self, record: &mut Record<'a>) -> Result<bool, Problem> {
        loop {
            match self.next(record)? {
                Entry::End => return Ok(false),
                Entry::Record => return Ok(true),
                Entry::Block(_) => self.skip_block()?,
            }
        }
    }

    /// Enters the block whose header has just been read.
    pub fn enter_block(&mut self) -> Result<(), Problem> {
        let pending = self.pending.take().ok_or(Problem::Invalid("no block to enter"))?;
        if self.scopes.is_empty() {
            self.light_records_left = LIGHT_RECORDS + (pending.end - self.cursor.position()) / 16;
        }
        let inherited = self.block_info.get(&pending.block).map_or(0, Vec::len);
        let outer_end = self.cursor.set_end(pending.end);
        self.place = Place { block: Some(pending.block), record: None, bit: self.cursor.position() };
        self.scopes.push(Scope {
            block: pending.block,
            id_width: pending.id_width,
            end: pending.end,
            outer_end,
            inherited,
            own: Vec::new(),
        });
        Ok(())
    }

    /// Skips the block whose header has just been read.
    pub fn skip_block(&mut self) -> Result<(), Problem> {
        let pending = self.pending.take().ok_or(Problem::Invalid("no block to skip"))?;
        self.cursor.jump(pending.end)
    }

    /// Reads the block info block whose header has just been read: abbreviations for other blocks.
    pub fn read_block_info(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        self.enter_block()?;
        self.info_target = None;
        while self.next_record(record)? {
            if record.code == BLOCK_INFO_SET_BLOCK {
                let block = *record.values.first().ok_or(Problem::MissingOperand)?;
                let block = u32::try_from(block).map_err(|_| Problem::Invalid("a block id beyond 32 bits"))?;
                self.info_target = Some(block);
            }
        }
        Ok(())
    }

    fn define_abbreviation(&mut self) -> Result<(), Problem> {
        let id = self.abbreviations.define(&mut self.cursor)?;
        let scope = self.scopes.last_mut().ok_or(Problem::Invalid("an abbreviation outside of blocks"))?;
        if scope.block == BLOCK_INFO {
            let target = self.info_target.ok_or(Problem::Invalid("an abbreviation for no block"))?;
            self.block_info.entry(target).or_default().push(id);
        } else {
            scope.own.push(id);
        }
        Ok(())
    }

    fn read_block_header(&mut self) -> Result<u32, Problem> {
        let block = self.cursor.read_variable(8)?;
        let block = u32::try_from(block).map_err(|_| Problem::Invalid("a block id beyond 32 bits"))?;
        let id_width = self.cursor.read_variable(4)?;
        if !(2..=32).contains(&id_width) {
            return Err(Problem::Invalid("a width of abbreviation ids that is not between 2 and 32"));
        }
        self.cursor.align_to_word()?;
        let words = self.cursor.read(32)? as usize;
        if words > self.cursor.remaining() / 32 {
            return Err(Problem::Truncated);
        }
        let end = self.cursor.position() + words * 32;
        self.pending = Some(Pending { block, id_width: id_width as u32, end });
        Ok(block)
    }

    fn leave_block(&mut self) -> Result<(), Problem> {
        self.cursor.align_to_word()?;
        let scope = self.scopes.pop().ok_or(Problem::Invalid("the end of a block that never began"))?;
        if self.cursor.position() != scope.end {
            return Err(Problem::Invalid("a block that is not as long as its header says"));
        }
        self.cursor.set_end(scope.outer_end);
        Ok(())
    }

    fn abbreviation(&self, id: u64) -> Result<AbbreviationId, Problem> {
        let unknown = Problem::NoSuch { what: "abbreviation", index: id };
        let scope = self.scopes.last().ok_or(unknown.clone())?;
        let index = (id - FIRST_ABBREVIATION) as usize;
        let found = match index.checked_sub(scope.inherited) {
            None => self.block_info.get(&scope.block).and_then(|list| list.get(index)),
            Some(index) => scope.own.get(index),
        };
        found.copied().ok_or(unknown)
    }

    fn read_unabbreviated(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        record.values.clear();
        record.blob = &[];
        record.code = record_code(self.cursor.read_variable(6)?)?;
        self.place.record = Some(record.code);
        let count = self.cursor.read_variable(6)?;
        self.cursor.check_elements(count, 6)?;
        for _ in 0..count {
            record.values.push(self.cursor.read_variable(6)?);
        }
        Ok(())
    }
}

fn record_code(code: u64) -> Result<u32, Problem> {
    u32::try_from(code).map_err(|_| Problem::Invalid("a record code beyond 32 bits"))
}

fn read_abbreviated<'a>(
    cursor: &mut BitCursor<'a>,
    abbreviation: &Abbreviation,
    record: &mut Record<'a>,
) -> Result<(), Problem> {
    record.values.clear();
    record.blob = &[];
    let mut fields = abbreviation.fields.iter();
    let code = match fields.next() {
        Some(field) => field.read(cursor)?,
        None => return Err(Problem::Invalid("an abbreviation without a scalar code")),
    };
    record.code = record_code(code)?;
    for field in fields {
        record.values.push(field.read(cursor)?);
    }
    match abbreviation.tail {
        abbreviation::Tail::None => {}
        abbreviation::Tail::Array(element) => {
            let count = cursor.read_variable(6)?;
            cursor.check_elements(count, element.minimum_width())?;
            for _ in 0..count {
                record.values.push(element.read(cursor)?);
            }
        }
        abbreviation::Tail::Blob => {
            let length = cursor.read_variable(6)?;
            cursor.align_to_word()?;
            record.blob = cursor.read_bytes(length)?;
            cursor.align_to_word()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
