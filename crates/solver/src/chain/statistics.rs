//! What the chain did, for reports. Times are measured for these alone and decide nothing.

use std::time::Duration;

/// The stages of the chain, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// Constants, ranges and known bits, and constraints that stand on the path already.
    Facts,
    /// The model that the state carries.
    OwnModel,
    /// Leaving out what is independent. Answers nothing itself.
    Independence,
    /// The same constraints were asked before.
    ExactResults,
    /// A part of the constraints was refuted before.
    Contradictions,
    /// More constraints than these had a model before.
    SatisfiedSets,
    /// The newest models, tried one by one.
    RecentModels,
    /// The decision procedures.
    Backends,
}

impl Stage {
    pub const ALL: [Stage; 8] = [
        Stage::Facts,
        Stage::OwnModel,
        Stage::Independence,
        Stage::ExactResults,
        Stage::Contradictions,
        Stage::SatisfiedSets,
        Stage::RecentModels,
        Stage::Backends,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Facts => "facts",
            Stage::OwnModel => "own model",
            Stage::Independence => "independence",
            Stage::ExactResults => "exact results",
            Stage::Contradictions => "contradictions",
            Stage::SatisfiedSets => "satisfied sets",
            Stage::RecentModels => "recent models",
            Stage::Backends => "backends",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageStatistics {
    /// Queries that came to the stage.
    pub asked: u64,
    /// Queries that went no further.
    pub answered: u64,
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackendStatistics {
    pub name: &'static str,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Models that the original constraints disproved.
    pub wrong: u64,
    pub time: Duration,
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    stages: [StageStatistics; Stage::ALL.len()],
    /// In the order in which they are asked.
    pub backends: Vec<BackendStatistics>,
    /// Constraints of the queries that came to be sliced, and how many of them were left.
    pub constraints: u64,
    pub constraints_left: u64,
}

impl Statistics {
    pub(super) fn new(backends: impl Iterator<Item = &'static str>) -> Statistics {
        let named = |name| BackendStatistics { name, ..Default::default() };
        Statistics { backends: backends.map(named).collect(), ..Default::default() }
    }

    pub fn stage(&self, stage: Stage) -> &StageStatistics {
        &self.stages[stage as usize]
    }

    pub(super) fn stage_mut(&mut self, stage: Stage) -> &mut StageStatistics {
        &mut self.stages[stage as usize]
    }

    /// In their order.
    pub fn stages(&self) -> impl Iterator<Item = (Stage, &StageStatistics)> {
        Stage::ALL.into_iter().map(|stage| (stage, self.stage(stage)))
    }

    /// Time spent in all stages.
    pub fn time(&self) -> Duration {
        self.stages.iter().map(|stage| stage.time).sum()
    }

    /// Takes in what another chain did, such as that of another worker with the same backends.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.constraints += other.constraints;
        self.constraints_left += other.constraints_left;
        for (own, other) in self.stages.iter_mut().zip(&other.stages) {
            own.asked += other.asked;
            own.answered += other.answered;
            own.time += other.time;
        }
        for theirs in &other.backends {
            match self.backends.iter_mut().find(|own| own.name == theirs.name) {
                Some(own) => own.add(theirs),
                None => self.backends.push(theirs.clone()),
            }
        }
    }
}

impl BackendStatistics {
    fn add(&mut self, other: &BackendStatistics) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.wrong += other.wrong;
        self.time += other.time;
    }
}
