//! Names of blocks and records for error messages.

use std::fmt::Debug;

use llvm_bitcode::schema::blocks::{
    AttributeCode, BlockId, ConstantsCodes, FunctionCode, IdentificationCode, MetadataCode, ModuleCode, TypeCode,
    ValueSymtabCode,
};

use crate::bitstream::Place;

/// The block and record at a place, in words.
pub(super) fn describe(place: Place) -> String {
    let Some(block) = place.block else { return "outside of blocks".to_string() };
    let id = u8::try_from(block).ok().and_then(|block| BlockId::try_from(block).ok());
    let block = id.map_or_else(|| format!("block {block}"), |id| format!("{id:?} block"));
    let Some(code) = place.record else { return block };
    let name = id.zip(u8::try_from(code).ok()).and_then(|(block, code)| record_name(block, code));
    match name {
        Some(name) => format!("{block}, record {name}"),
        None => format!("{block}, record {code}"),
    }
}

fn record_name(block: BlockId, code: u8) -> Option<String> {
    fn name<Code: TryFrom<u8> + Debug>(code: u8) -> Option<String> {
        Code::try_from(code).ok().map(|code| format!("{code:?}"))
    }
    match block {
        BlockId::Module => name::<ModuleCode>(code),
        BlockId::ParamAttr | BlockId::ParamAttrGroup => name::<AttributeCode>(code),
        BlockId::Constants => name::<ConstantsCodes>(code),
        BlockId::Function => name::<FunctionCode>(code),
        BlockId::Identification => name::<IdentificationCode>(code),
        BlockId::ValueSymtab => name::<ValueSymtabCode>(code),
        BlockId::Metadata | BlockId::MetadataAttachment | BlockId::MetadataKind => name::<MetadataCode>(code),
        BlockId::Type => name::<TypeCode>(code),
        _ => None,
    }
}
