//! A bitcode file as a tree of blocks and records, which can be changed and written again.

use llvm_bitcode::bitcode::{BitcodeElement, Payload};

use crate::random::Random;
use crate::writer::BitWriter;

/// A block or record.
#[derive(Clone)]
pub enum Item {
    Block { id: u32, items: Vec<Item> },
    Record { code: u32, values: Vec<u64>, blob: Option<Vec<u8>> },
}

/// Reads a file that is known to be sound. Nothing where it has operands of no bits at all, as clang 22 writes them: the reader that
/// is used here, which is not the one under test, refuses them.
pub fn read(bytes: &[u8]) -> Option<Vec<Item>> {
    match llvm_bitcode::Bitcode::new(bytes) {
        Ok(bitcode) => Some(bitcode.elements.into_iter().map(item).collect()),
        Err(llvm_bitcode::read::Error::AbbrevWidthTooSmall(0)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

fn item(element: BitcodeElement) -> Item {
    match element {
        BitcodeElement::Block(block) => {
            Item::Block { id: block.id, items: block.elements.into_iter().map(item).collect() }
        }
        BitcodeElement::Record(mut record) => {
            let mut values = record.fields().to_vec();
            let mut blob = None;
            match record.take_payload() {
                Some(Payload::Array(array)) => values.extend(array),
                Some(Payload::Char6String(text)) => values.extend(text.bytes().map(u64::from)),
                Some(Payload::Blob(bytes)) => blob = Some(bytes),
                None => {}
            }
            Item::Record { code: record.id as u32, values, blob }
        }
    }
}

/// Writes the tree without abbreviations (but where bytes need one).
pub fn write(items: &[Item]) -> Vec<u8> {
    let mut writer = BitWriter::bitcode();
    write_items(items, &mut writer);
    writer.finish()
}

fn write_items(items: &[Item], writer: &mut BitWriter) {
    for item in items {
        match item {
            Item::Block { id, items } => {
                writer.begin(*id);
                write_items(items, writer);
                writer.end();
            }
            Item::Record { code, values, blob: Some(blob) } => writer.record_with_blob(*code, values, blob),
            Item::Record { code, values, blob: None } => writer.record(*code, values),
        }
    }
}

/// Changes something somewhere in the tree.
pub fn mutate(items: &mut Vec<Item>, random: &mut Random) {
    let blocks: Vec<usize> =
        items.iter().enumerate().filter(|(_, item)| matches!(item, Item::Block { .. })).map(|(at, _)| at).collect();
    // Go down with a probability that makes deep records as likely as shallow ones.
    if !blocks.is_empty() && (items.iter().all(|item| matches!(item, Item::Block { .. })) || random.below(4) != 0) {
        let at = blocks[random.below(blocks.len())];
        if random.below(40) == 0 {
            return mutate_block(items, at, random);
        }
        if let Item::Block { items, .. } = &mut items[at] {
            return mutate(items, random);
        }
    }
    if items.is_empty() {
        return;
    }
    let at = random.below(items.len());
    match random.below(12) {
        0 => drop(items.remove(at)),
        1 => {
            let copy = items[at].clone();
            items.insert(random.below(items.len() + 1), copy);
        }
        2 => {
            let other = random.below(items.len());
            items.swap(at, other);
        }
        _ => {
            if let Item::Record { code, values, blob } = &mut items[at] {
                mutate_record(code, values, blob, random);
            }
        }
    }
}

fn mutate_block(items: &mut Vec<Item>, at: usize, random: &mut Random) {
    match random.below(3) {
        0 => drop(items.remove(at)),
        1 => {
            let copy = items[at].clone();
            items.insert(random.below(items.len() + 1), copy);
        }
        _ => {
            if let Item::Block { id, .. } = &mut items[at] {
                *id = random.below(28) as u32;
            }
        }
    }
}

fn mutate_record(code: &mut u32, values: &mut Vec<u64>, blob: &mut Option<Vec<u8>>, random: &mut Random) {
    match random.below(16) {
        0 => *code = random.below(70) as u32,
        1 => values.truncate(random.below(values.len() + 1)),
        2 => values.push(random.interesting()),
        3 if !values.is_empty() => drop(values.remove(random.below(values.len()))),
        4 => values.insert(random.below(values.len() + 1), random.interesting()),
        5 => {
            let many = values.repeat(random.below(4));
            values.extend(many);
        }
        6 => {
            if let Some(byte) = blob.as_mut().and_then(|blob| {
                let at = random.below(blob.len().max(1));
                blob.get_mut(at)
            }) {
                *byte = random.next() as u8;
            }
        }
        7..=9 if !values.is_empty() => {
            let at = random.below(values.len());
            values[at] = random.interesting();
        }
        _ if !values.is_empty() => {
            let at = random.below(values.len());
            values[at] = match random.below(4) {
                0 => values[at].wrapping_add(1),
                1 => values[at].wrapping_sub(1),
                2 => values[at] ^ 1 << random.below(12),
                _ => values[random.below(values.len())],
            };
        }
        _ => {}
    }
}
