//! Abbreviations: how a file says that certain records are stored more tightly.

use crate::decode::Problem;

use super::cursor::BitCursor;

/// How many numbers of a record may take no bits, its code included.
const MAXIMUM_LITERALS: usize = 8;

/// Names an abbreviation of an [`AbbreviationTable`].
#[derive(Debug, Clone, Copy)]
pub(super) struct AbbreviationId(u32);

/// How one number is stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Field {
    /// Not at all: it is always this one.
    Literal(u64),
    /// In so many bits, 1 to 64.
    Fixed(u32),
    /// In chunks of so many bits, 2 to 32.
    Variable(u32),
    /// As one of 64 characters.
    Character,
}

/// What may follow the fixed numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tail {
    None,
    /// A count and so many numbers. Never `Literal`, so that each takes at least one bit.
    Array(Field),
    /// Bytes.
    Blob,
}

/// The layout of a record: its code and values.
#[derive(Debug, Clone)]
pub(super) struct Abbreviation {
    pub fields: Box<[Field]>,
    pub tail: Tail,
}

/// All abbreviations of a stream.
#[derive(Debug, Default)]
pub(super) struct AbbreviationTable {
    list: Vec<Abbreviation>,
}

impl Field {
    pub fn read(self, cursor: &mut BitCursor<'_>) -> Result<u64, Problem> {
        match self {
            Field::Literal(value) => Ok(value),
            Field::Fixed(width) => cursor.read(width),
            Field::Variable(width) => cursor.read_variable(width),
            Field::Character => {
                const CHARACTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                // Six bits index 64 characters.
                Ok(u64::from(CHARACTERS[(cursor.read(6)? & 63) as usize]))
            }
        }
    }

    /// The least number of bits that a value takes.
    pub fn minimum_width(self) -> u32 {
        match self {
            Field::Literal(_) => 0,
            Field::Fixed(width) | Field::Variable(width) => width,
            Field::Character => 6,
        }
    }

    /// Reads the definition of a scalar, whose kind has been read.
    fn define(kind: u64, cursor: &mut BitCursor<'_>) -> Result<Field, Problem> {
        let field = match kind {
            1 => match cursor.read_variable(5)? {
                // Compilers write this for a field that is always zero.
                0 => Field::Literal(0),
                width @ 1..=64 => Field::Fixed(width as u32),
                _ => return Err(Problem::Invalid("an abbreviation with a fixed width of more than 64 bits")),
            },
            2 => match cursor.read_variable(5)? {
                0 => Field::Literal(0),
                width @ 2..=32 => Field::Variable(width as u32),
                _ => return Err(Problem::Invalid("an abbreviation with chunks that are not of 2 to 32 bits")),
            },
            4 => Field::Character,
            _ => return Err(Problem::Invalid("an abbreviation with an unknown encoding")),
        };
        Ok(field)
    }
}

impl AbbreviationTable {
    pub fn get(&self, id: AbbreviationId) -> &Abbreviation {
        &self.list[id.0 as usize]
    }

    /// Reads the definition of an abbreviation, whose id has been read.
    pub fn define(&mut self, cursor: &mut BitCursor<'_>) -> Result<AbbreviationId, Problem> {
        const ARRAY: u64 = 3;
        const BLOB: u64 = 5;
        let count = cursor.read_variable(5)?;
        cursor.check_elements(count, 4)?;
        let mut fields = Vec::new();
        let mut tail = Tail::None;
        let mut left = count;
        while left > 0 {
            left -= 1;
            if cursor.read(1)? == 1 {
                fields.push(Field::Literal(cursor.read_variable(8)?));
                continue;
            }
            match cursor.read(3)? {
                ARRAY if left == 1 => {
                    tail = Tail::Array(Self::define_element(cursor)?);
                    left = 0;
                }
                BLOB if left == 0 => tail = Tail::Blob,
                ARRAY | BLOB => return Err(Problem::Invalid("an abbreviation with an array or blob before its end")),
                kind => fields.push(Field::define(kind, cursor)?),
            }
        }
        // A record must take bits: else a few bytes could stand for any number of values. Compilers use two or three.
        if fields.iter().filter(|field| matches!(field, Field::Literal(_))).count() > MAXIMUM_LITERALS {
            return Err(Problem::Invalid("an abbreviation with too many literals"));
        }
        if fields.is_empty() {
            return Err(Problem::Invalid("an abbreviation without a scalar code"));
        }
        let id = u32::try_from(self.list.len()).map_err(|_| Problem::Invalid("too many abbreviations"))?;
        self.list.push(Abbreviation { fields: fields.into(), tail });
        Ok(AbbreviationId(id))
    }

    fn define_element(cursor: &mut BitCursor<'_>) -> Result<Field, Problem> {
        let scalar = if cursor.read(1)? == 1 { None } else { Some(cursor.read(3)?) };
        match scalar.map(|kind| Field::define(kind, cursor)).transpose()? {
            None | Some(Field::Literal(_)) => Err(Problem::Invalid("an array whose elements take no bits")),
            Some(element) => Ok(element),
        }
    }
}
