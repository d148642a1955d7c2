//! Source locations: scopes, files, and the calls that code was inlined at. Variables and types are in files beside.

use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use symcrete_ir::LocId;
use symcrete_ir::debug::{Loc, SourceFile};
use symcrete_ir::ids::{DebugTypeId, FileId};

use super::function::FunctionLowering;
use super::{Lowering, UnitIndex};
use crate::module::{DebugLocation, FunctionBody, LocationId, Metadata, MetadataId};

/// Hostile metadata may point in circles: no walk is longer than this.
const LONGEST_WALK: usize = 256;
/// Names in debug information are cut here, so that one long name cannot be copied a million times.
const LONGEST_NAME: usize = 500;

/// The source files of all modules, and scratch space for locations.
#[derive(Default)]
pub(crate) struct Files {
    known: FxHashMap<SourceFile, FileId>,
    pub seen: LocationSet,
}

/// What has been found out about the debug information of one unit.
#[derive(Default)]
pub(crate) struct DebugCache {
    files: SecondaryMap<MetadataId, Option<FileId>>,
    scopes: SecondaryMap<MetadataId, Option<Scope>>,
    inlined: SecondaryMap<MetadataId, Option<LocId>>,
    pub types: SecondaryMap<MetadataId, Option<DebugTypeId>>,
    /// Types that have a number but are not described yet.
    pub pending: Vec<(MetadataId, DebugTypeId)>,
    /// How many members and enumerators have been described.
    pub members: usize,
}

#[derive(Debug, Clone, Copy)]
struct Scope {
    file: FileId,
    subprogram: Option<MetadataId>,
}

/// The locations of the function that is being lowered.
pub(crate) struct LocationContext {
    known: Vec<Option<LocId>>,
}

impl LocationContext {
    pub fn new(source: &FunctionBody) -> Self {
        LocationContext { known: vec![None; source.locations.len()] }
    }
}

impl FunctionLowering<'_, '_> {
    pub fn location_of(&mut self, location: Option<LocationId>) -> LocId {
        let Some(id) = location else { return LocId::NOWHERE };
        if let Some(known) = self.locations.known[id.index()] {
            return known;
        }
        let DebugLocation { line, column, scope, inlined_at, .. } = self.source.locations[id];
        let inlined_at = inlined_at.and_then(|call| self.lowering.inlined_location(self.unit_index, call));
        let loc = self.lowering.location(self.unit_index, line, column, Some(scope), inlined_at);
        self.locations.known[id.index()] = Some(loc);
        loc
    }
}

impl Lowering<'_> {
    fn location(
        &mut self,
        unit: UnitIndex,
        line: u32,
        column: u32,
        scope: Option<MetadataId>,
        inlined_at: Option<LocId>,
    ) -> LocId {
        let Some(scope) = scope else { return LocId::NOWHERE };
        let scope = self.scope(unit, scope);
        let function = scope.subprogram.map_or("", |id| self.subprogram_name(unit, id)).into();
        self.program.debug.loc(Loc { file: scope.file, line, column, function, inlined_at })
    }

    /// The location of a call that was inlined, with those around it.
    fn inlined_location(&mut self, unit: UnitIndex, call: MetadataId) -> Option<LocId> {
        let nodes = &self.units[unit].module.metadata.nodes;
        let mut chain = Vec::new();
        let mut next = Some(call);
        let mut outer = None;
        while let Some(id) = next
            && chain.len() < LONGEST_WALK
        {
            outer = self.caches[unit].debug.inlined[id];
            if outer.is_some() {
                break;
            }
            let Metadata::Location(location) = &nodes[id] else { break };
            chain.push((id, **location));
            next = location.inlined_at;
        }
        for (id, location) in chain.into_iter().rev() {
            let loc = self.location(unit, location.line, location.column, location.scope, outer);
            self.caches[unit].debug.inlined[id] = Some(loc);
            outer = Some(loc);
        }
        outer
    }

    /// The file of a scope and the function around it.
    fn scope(&mut self, unit: UnitIndex, id: MetadataId) -> Scope {
        if let Some(known) = self.caches[unit].debug.scopes[id] {
            return known;
        }
        let nodes = &self.units[unit].module.metadata.nodes;
        let mut file = None;
        let mut subprogram = None;
        let mut next = Some(id);
        for _ in 0..LONGEST_WALK {
            let Some(at) = next else { break };
            let (own_file, parent) = match &nodes[at] {
                Metadata::Subprogram(node) => {
                    subprogram = Some(at);
                    (node.file, None)
                }
                Metadata::LexicalBlock(node) => (node.file, node.scope),
                Metadata::LexicalBlockFile(node) => (node.file, node.scope),
                _ => (None, None),
            };
            file = file.or(own_file);
            next = parent;
        }
        let file = file.map_or(FileId::new(0), |file| self.file(unit, file));
        let scope = Scope { file, subprogram };
        self.caches[unit].debug.scopes[id] = Some(scope);
        scope
    }

    /// The number of a `DIFile`; file 0 is none.
    pub fn file(&mut self, unit: UnitIndex, id: MetadataId) -> FileId {
        if let Some(known) = self.caches[unit].debug.files[id] {
            return known;
        }
        let metadata = &self.units[unit].module.metadata;
        let file = match &metadata.nodes[id] {
            Metadata::File(file) => {
                let (name, directory) = (metadata.text(file.name), metadata.text(file.directory));
                let file = SourceFile { name: name.to_owned(), directory: directory.to_owned() };
                match self.files.known.get(&file) {
                    Some(known) => *known,
                    None => {
                        let id = self.program.debug.files.push(file.clone());
                        self.files.known.insert(file, id);
                        id
                    }
                }
            }
            _ => FileId::new(0),
        };
        self.caches[unit].debug.files[id] = Some(file);
        file
    }

    /// The same where none is no number.
    pub fn optional_file(&mut self, unit: UnitIndex, id: Option<MetadataId>) -> Option<FileId> {
        let file = self.file(unit, id?);
        (file.index() != 0).then_some(file)
    }

    fn subprogram_name(&self, unit: UnitIndex, id: MetadataId) -> &str {
        match &self.units[unit].module.metadata.nodes[id] {
            Metadata::Subprogram(subprogram) => self.debug_name(unit, subprogram.name),
            _ => "",
        }
    }

    /// A name of the debug information.
    pub fn debug_name(&self, unit: UnitIndex, id: Option<MetadataId>) -> &str {
        let text = self.units[unit].module.metadata.text(id);
        match text.char_indices().nth(LONGEST_NAME) {
            Some((end, _)) => &text[..end],
            None => text,
        }
    }
}

/// A set of locations that is emptied in no time.
#[derive(Default)]
pub(crate) struct LocationSet {
    stamps: Vec<u32>,
    now: u32,
}

/// The set between two times of being emptied.
pub(crate) struct Locations<'s> {
    set: &'s mut LocationSet,
}

impl LocationSet {
    /// Empties the set, and makes room for this many locations.
    pub fn begin(&mut self, count: usize) -> Locations<'_> {
        if self.stamps.len() < count {
            self.stamps.resize(count.next_power_of_two(), 0);
        }
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
        Locations { set: self }
    }
}

impl Locations<'_> {
    /// Adds a location; whether it was not there.
    pub fn insert(&mut self, loc: LocId) -> bool {
        let stamp = &mut self.set.stamps[loc.index()];
        std::mem::replace(stamp, self.set.now) != self.set.now
    }
}
