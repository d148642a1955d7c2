//! Attribute groups and lists.

use llvm_bitcode::schema::blocks::AttributeCode;

use crate::bitstream::Record;
use crate::module::{Attribute, AttributeGroup, AttributeKind, AttributeList, AttributeListId, AttributePlace};

use super::Problem;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, text, to_u32};

impl<'a> ModuleDecoder<'a> {
    /// Reads the block of attribute groups, which has just been entered.
    pub(super) fn read_attribute_groups(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            if record.code != AttributeCode::GroupEntry as u32 {
                continue;
            }
            let mut operands = Operands::new(&record.values);
            let number = operands.take()?;
            let place = match operands.take_u32()? {
                0 => AttributePlace::Result,
                u32::MAX => AttributePlace::Function,
                index => AttributePlace::Parameter(index - 1),
            };
            let mut group = AttributeGroup::default();
            while !operands.is_empty() {
                group.attributes.push(self.read_attribute(&mut operands)?);
            }
            let id = self.module.attribute_groups.push(group);
            self.attribute_groups.insert(number, (place, id));
        }
        Ok(())
    }

    fn read_attribute(&self, operands: &mut Operands<'_>) -> Result<Attribute, Problem> {
        let form = operands.take()?;
        if let 3 | 4 = form {
            let key = take_text(operands)?;
            let value = if form == 4 { take_text(operands)? } else { String::new() };
            return Ok(Attribute::Text { key, value });
        }
        let kind = AttributeKind(operands.take_u32()?);
        match form {
            0 => Ok(Attribute::Flag(kind)),
            1 => Ok(Attribute::Integer(kind, operands.take()?)),
            5 => Ok(Attribute::Type(kind, None)),
            6 => Ok(Attribute::Type(kind, Some(self.type_at(operands.take()?)?))),
            7 => {
                let width = operands.take()?;
                skip_range(operands, width)?;
                Ok(Attribute::Ranges(kind))
            }
            8 => {
                let (count, width) = (operands.take()?, operands.take()?);
                for _ in 0..count {
                    skip_range(operands, width)?;
                }
                Ok(Attribute::Ranges(kind))
            }
            _ => Err(Problem::Invalid("an attribute of unknown form")),
        }
    }

    /// Reads the block of attribute lists, which has just been entered.
    pub(super) fn read_attribute_lists(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            if record.code != AttributeCode::Entry as u32 {
                return Err(Problem::Unsupported("attributes of LLVM before version 3.3"));
            }
            let find = |number: &u64| {
                let group = self.attribute_groups.get(number).copied();
                group.ok_or(Problem::NoSuch { what: "attribute group", index: *number })
            };
            let mut entries = record.values.iter().map(find).collect::<Result<Box<[_]>, _>>()?;
            entries.sort_by_key(|entry| entry.0);
            self.module.attribute_lists.push(AttributeList { entries });
        }
        Ok(())
    }

    /// The attribute list with this number, where zero is none.
    pub(super) fn attribute_list(&self, number: u64) -> Result<Option<AttributeListId>, Problem> {
        let Some(index) = number.checked_sub(1) else { return Ok(None) };
        if index >= self.module.attribute_lists.len() as u64 {
            return Err(Problem::NoSuch { what: "attribute list", index: number });
        }
        Ok(Some(AttributeListId::from_u32(to_u32(index)?)))
    }
}

/// A text that ends with zero.
fn take_text(operands: &mut Operands<'_>) -> Result<String, Problem> {
    let length = operands.rest().iter().position(|&value| value == 0).ok_or(Problem::MissingOperand)?;
    let text = text(operands.take_many(length as u64)?);
    operands.take()?;
    Ok(text)
}

/// Skips the two ends of a range of integers of some width.
pub(super) fn skip_range(operands: &mut Operands<'_>, width: u64) -> Result<(), Problem> {
    if width <= 64 {
        operands.take_many(2)?;
        return Ok(());
    }
    let words = operands.take()?;
    operands.take_many((words & 0xffff_ffff) + (words >> 32))?;
    Ok(())
}
