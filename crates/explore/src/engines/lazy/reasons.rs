//! What became of functions, for the report: those that were passed over, and why those were not that the user had named.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use symcrete_ir::{FuncId, LocId};

use super::{Lazy, has_ways};
use crate::session::Session;

/// What became of functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// Those that were under test beside the entry: asked for, or all that the entry does is to call them.
    pub followed: Vec<FuncId>,
    /// Those that came to be under test when all else was done, because no test executed some of their code or of what they call.
    pub deeper: Vec<FuncId>,
    /// Whether paths below the function under test were left out, because they are many.
    pub leaves_out: bool,
    /// Those that were looked into wherever they were called, because what they leave is needed as it is.
    pub needed: Vec<FuncId>,
    /// Those that were passed over by what is under test, some of them until they came to be under test.
    pub passed_over: Vec<FuncId>,
    /// Those for which no bound was found of what they change.
    pub unbounded: Vec<FuncId>,
    /// Those that were to be passed over and were not.
    pub overruled: Vec<(FuncId, Reason)>,
    /// Those that the user named and that nothing called.
    pub never_called: Vec<FuncId>,
    /// Whether all paths of the program were followed beside it, so that nothing is left to be found inside of calls.
    pub follows_all: bool,
    /// Places under test of which nobody could tell whether they go wrong with what calls give.
    pub doubtful: Vec<LocId>,
}

/// Why a function was not passed over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Unbounded,
    Needed,
    FewPaths,
    OnlyComputes,
    Variadic,
    World,
    HoldsTest,
    NothingDecided,
}

impl Reason {
    pub fn words(self) -> &'static str {
        match self {
            Reason::Unbounded => "what it changes has no bound",
            Reason::Needed => "what it leaves is needed as it is",
            Reason::FewPaths => "the program has so few paths that all were followed",
            Reason::OnlyComputes => "it has one path only and calls nothing",
            Reason::Variadic => "it takes a variable number of arguments",
            Reason::World => "it asks the world outside",
            Reason::HoldsTest => "what is under test is called by it",
            Reason::NothingDecided => "inputs decide nothing on its way, or it was reached in other calls only",
        }
    }
}

impl Lazy {
    /// What became of functions, each list in their order.
    pub fn functions(&self, session: &Session) -> Functions {
        let sorted = |set: &FxHashSet<FuncId>| {
            let mut list: Vec<FuncId> = set.iter().copied().collect();
            list.sort_unstable();
            list
        };
        let is_called = |function: &FuncId| session.suite.covered.entered(*function) || self.scratch.entered(*function);
        let only = self.config.only.iter().flatten();
        let overruled = only.clone().filter(|function| is_called(function) && !self.passed_over.contains(function));
        let named = only.chain(&self.config.never);
        let doubtful: BTreeSet<LocId> = self.doubtful.iter().copied().chain(self.suspicions.open()).collect();
        let deeper = self.deeper.of(&self.followed);
        let passed_over =
            |function: &FuncId| self.passed_over.contains(function) || self.deeper.passed_over().contains(function);
        let is_never_passed_over = |function: &FuncId| !passed_over(function) && !self.followed.contains(function);
        Functions {
            followed: sorted(&self.under_test(session, &deeper)),
            deeper: sorted(&deeper),
            leaves_out: self.deeper.leaves_out(),
            needed: sorted(&self.lost.iter().filter(|function| is_never_passed_over(function)).copied().collect()),
            doubtful: doubtful.into_iter().collect(),
            follows_all: self.has_followed_all(),
            passed_over: sorted(&self.passed_over.iter().chain(self.deeper.passed_over()).copied().collect()),
            unbounded: sorted(
                &self.unbounded.iter().filter(|function| is_never_passed_over(function)).copied().collect(),
            ),
            overruled: overruled.map(|function| (*function, self.reason(session, *function))).collect(),
            never_called: named.filter(|function| !is_called(function)).copied().collect(),
        }
    }

    /// Functions under test beside the entry, with those through which it comes to them; but not those of layers below.
    fn under_test(&self, session: &Session, deeper: &FxHashSet<FuncId>) -> FxHashSet<FuncId> {
        let mut found: FxHashSet<FuncId> = self.followed.difference(deeper).copied().collect();
        let tested: Vec<FuncId> = found.iter().copied().collect();
        let of_entry = self.graph.reachable_from(self.config.entry);
        let program = &session.machine.executor.image.program;
        for function in of_entry.keys().filter(|function| Some(*function) != self.config.entry) {
            let reached = self.graph.reachable_from([function]);
            let data = &program.functions[function];
            let is_between = !data.runtime && tested.iter().any(|tested| reached.contains(*tested));
            if is_between && session.suite.covered.entered(function) {
                found.insert(function);
            }
        }
        found
    }

    fn reason(&self, session: &Session, function: FuncId) -> Reason {
        let data = &session.machine.executor.image.program.functions[function];
        match () {
            () if self.followed.contains(&function) => Reason::FewPaths,
            () if self.lost.contains(&function) => Reason::Needed,
            () if self.unbounded.contains(&function) => Reason::Unbounded,
            () if self.outside.contains(function) => Reason::World,
            () if data.variadic => Reason::Variadic,
            () if !has_ways(data) => Reason::OnlyComputes,
            () if !self.candidates.contains(function) => Reason::HoldsTest,
            () => Reason::NothingDecided,
        }
    }
}
