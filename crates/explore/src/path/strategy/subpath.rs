//! Subpath-guided search: run the path whose last branches were travelled least ("Steering Symbolic Execution to Less
//! Traveled Paths", algorithms 1 and 2).

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::arrivals::Arrivals;
use super::roster::{Roster, Summary};
use super::{Branch, Metrics, PathId, Random, Strategy};

/// Among the paths whose subpaths were travelled equally seldom.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ties {
    /// Any of the paths, as algorithm 2 says.
    Random,
    /// The latest, as the paper's examples do; of the children of one fork, the last.
    Latest,
}

/// The paper's queue `P` maps each subpath to how often it was travelled: counted when a path is chosen that ends in
/// it. Here the pending paths that end in the same subpath form a group, and the groups stand in tiers by frequency,
/// so that a choice looks at the lowest tier alone.
///
/// As in the paper, no subpath is forgotten: each that was ever seen takes some 30 bytes and 4 for each of its
/// branches.
pub struct Subpath {
    length: usize,
    ties: Ties,
    random: Random,
    branches: PrimaryMap<BranchId, Branch>,
    branch_ids: FxHashMap<Branch, BranchId>,
    groups: PrimaryMap<Group, GroupData>,
    group_ids: HashTable<Group>,
    /// The branches of all groups' subpaths.
    subpaths: Vec<BranchId>,
    /// The groups that have pending paths, by frequency.
    tiers: BTreeMap<u64, Roster<Group, Standing>>,
    /// Where each pending path stands: its group, and the place there.
    member: SecondaryMap<PathId, (PackedOption<Group>, u32)>,
    arrivals: u32,
}

/// A branch of the program that was seen.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct BranchId(u32);
entity_impl!(BranchId, "branch");

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Group(u32);
entity_impl!(Group, "group");

/// The latest branches of a path, oldest first; fewer than the length where the path is younger.
type Branches = SmallVec<[BranchId; 8]>;

struct GroupData {
    /// Where the subpath begins in `subpaths`, and how many branches it has.
    start: u32,
    length: u32,
    frequency: u64,
    /// The pending paths that end in it, if there are any.
    members: Option<Box<Members>>,
}

struct Members {
    paths: Arrivals,
    /// Where the group stands in its tier.
    slot: u32,
}

const _: () = assert!(size_of::<GroupData>() == 24 && size_of::<Members>() <= 40);

/// How many paths, and the number of the latest of them by arrival, from 1. (After four thousand million arrivals, all
/// further ones count as equally late.)
#[derive(Copy, Clone)]
struct Standing {
    count: u32,
    latest: u32,
}

impl Summary for Standing {
    const NOTHING: Standing = Standing { count: 0, latest: 0 };

    fn join(self, other: Standing) -> Standing {
        Standing { count: self.count + other.count, latest: self.latest.max(other.latest) }
    }
}

/// An entry of the queue, for people to look at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SubpathCount {
    pub frequency: u64,
    pub subpath: Vec<Branch>,
    /// How many pending paths end in it.
    pub pending: usize,
}

impl Subpath {
    /// Subpaths of `length` branches, at least one.
    pub fn new(length: usize, ties: Ties, random: Random) -> Self {
        assert!(length > 0, "a subpath has a branch");
        Subpath {
            length,
            ties,
            random,
            branches: PrimaryMap::new(),
            branch_ids: FxHashMap::default(),
            groups: PrimaryMap::new(),
            group_ids: HashTable::new(),
            subpaths: Vec::new(),
            tiers: BTreeMap::new(),
            member: SecondaryMap::new(),
            arrivals: 0,
        }
    }

    /// The queue, the least travelled first.
    pub fn queue(&self) -> Vec<SubpathCount> {
        let entry = |group: &GroupData| SubpathCount {
            frequency: group.frequency,
            subpath: group.subpath(&self.subpaths).iter().map(|branch| self.branches[*branch]).collect(),
            pending: group.members.as_ref().map_or(0, |members| members.paths.len() as usize),
        };
        let mut queue: Vec<SubpathCount> = self.groups.values().map(entry).collect();
        queue.sort_unstable();
        queue
    }

    fn branch_id(&mut self, branch: Branch) -> BranchId {
        *self.branch_ids.entry(branch).or_insert_with(|| self.branches.push(branch))
    }

    /// The group of a subpath: the known one, or a new one with frequency 0.
    fn group(&mut self, subpath: &[BranchId]) -> Group {
        let Subpath { groups, subpaths, .. } = self;
        let hash = FxBuildHasher.hash_one(subpath);
        if let Some(found) = self.group_ids.find(hash, |group| groups[*group].subpath(subpaths) == subpath) {
            return *found;
        }
        let (start, length) = (subpaths.len() as u32, subpath.len() as u32);
        subpaths.extend_from_slice(subpath);
        let group = groups.push(GroupData { start, length, frequency: 0, members: None });
        self.group_ids.insert_unique(hash, group, |group| FxBuildHasher.hash_one(groups[*group].subpath(subpaths)));
        group
    }

    fn enter(&mut self, path: PathId, subpath: &[BranchId]) {
        let group = self.group(subpath);
        self.arrivals = self.arrivals.saturating_add(1);
        let GroupData { members, frequency, .. } = &mut self.groups[group];
        let tier = self.tiers.entry(*frequency).or_insert_with(Roster::new);
        let place = match members {
            Some(members) => {
                let place = members.paths.push(path, self.arrivals);
                tier.set(members.slot, members.standing());
                place
            }
            None => {
                let slot = tier.push(group, Standing { count: 1, latest: self.arrivals });
                let mut paths = Arrivals::default();
                let place = paths.push(path, self.arrivals);
                *members = Some(Box::new(Members { paths, slot }));
                place
            }
        };
        self.member[path] = (group.into(), place);
    }

    /// Takes a path out; returns its subpath.
    fn leave(&mut self, path: PathId) -> Branches {
        let (group, place) = std::mem::take(&mut self.member[path]);
        let Some(group) = group.expand() else { return Branches::new() };
        let data = &mut self.groups[group];
        if let Some(members) = &mut data.members {
            members.paths.remove(place, |moved, place| self.member[moved].1 = place);
            if members.paths.len() == 0 {
                self.leave_tier(group);
                self.groups[group].members = None;
            } else if let Some(tier) = self.tiers.get_mut(&data.frequency) {
                tier.set(members.slot, members.standing());
            }
        }
        self.groups[group].subpath(&self.subpaths).into()
    }

    /// Takes a group that has members out of its tier.
    fn leave_tier(&mut self, group: Group) {
        let data = &self.groups[group];
        let (frequency, Some(members)) = (data.frequency, &data.members) else { return };
        let (slot, Some(tier)) = (members.slot, self.tiers.get_mut(&frequency)) else { return };
        let moved = tier.remove(slot);
        if tier.len() == 0 {
            self.tiers.remove(&frequency);
        }
        if let Some(members) = moved.and_then(|moved| self.groups[moved].members.as_mut()) {
            members.slot = slot;
        }
    }
}

impl GroupData {
    fn subpath<'a>(&self, subpaths: &'a [BranchId]) -> &'a [BranchId] {
        &subpaths[self.start as usize..][..self.length as usize]
    }
}

impl Members {
    fn standing(&self) -> Standing {
        Standing { count: self.paths.len(), latest: self.paths.latest_number() }
    }
}

impl Strategy for Subpath {
    fn add(&mut self, path: PathId, history: &[Branch], _metrics: &mut dyn Metrics) {
        let latest = &history[history.len().saturating_sub(self.length)..];
        let subpath: Branches = latest.iter().map(|branch| self.branch_id(*branch)).collect();
        self.enter(path, &subpath);
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], _metrics: &mut dyn Metrics) {
        let mut subpath = self.leave(parent);
        if subpath.len() == self.length {
            subpath.remove(0);
        }
        for (path, branch) in children {
            subpath.push(self.branch_id(*branch));
            self.enter(*path, &subpath);
            subpath.pop();
        }
    }

    fn remove(&mut self, path: PathId) {
        self.leave(path);
    }

    fn select(&mut self, _metrics: &mut dyn Metrics) -> Option<PathId> {
        let (_, tier) = self.tiers.first_key_value()?;
        // Each group is as likely as it has paths, so that each path is equally likely.
        let mut number = match self.ties {
            Ties::Random => self.random.below(tier.total().count.into()) as u32,
            Ties::Latest => 0,
        };
        let slot = tier.descend(|left, right| match self.ties {
            Ties::Latest => right.latest > left.latest,
            Ties::Random if number < left.count => false,
            Ties::Random => {
                number -= left.count;
                true
            }
        })?;
        let paths = &self.groups[tier.items()[slot as usize]].members.as_ref()?.paths;
        match self.ties {
            Ties::Latest => paths.latest(),
            Ties::Random => paths.draw(&mut self.random),
        }
    }

    fn chosen(&mut self, path: PathId) {
        let Some(group) = self.member[path].0.expand() else { return };
        self.leave_tier(group);
        let GroupData { frequency, members, .. } = &mut self.groups[group];
        *frequency += 1;
        if let Some(members) = members {
            members.slot = self.tiers.entry(*frequency).or_insert_with(Roster::new).push(group, members.standing());
        }
    }

    /// The most travelled first, and among those the oldest.
    fn ranking(&self) -> Vec<PathId> {
        let mut ranking = Vec::new();
        for tier in self.tiers.values().rev() {
            let members = tier.items().iter().filter_map(|group| self.groups[*group].members.as_ref());
            let mut paths: Vec<(u32, PathId)> = members.flat_map(|members| members.paths.iter()).collect();
            paths.sort_unstable();
            ranking.extend(paths.into_iter().map(|(_, path)| path));
        }
        ranking
    }
}
