//! Depth first from a target against the flow of control, with an explicit stack (algorithms 1 and 3 of the paper on symcretic execution).
//! Each level is a choice: which predecessor, which call, which return. A way that contradicts itself is refuted; where all ways of a level
//! are, so is the level, and where the contradiction has nothing to do with the choice, the rest of its ways is not tried.
//!
//! Steps that forget come first: over what does not matter (section 5, slicing), and over loops as if they could leave anything in what they
//! write, which is the paper's loop method. What is refuted so is refuted for all ways through. Only where that leads to an entry, and no
//! input is found there, the exact ways are gone: branch by branch, and round by round up to a bound. A round before which no more can
//! hold than before one that was gone back over already adds nothing: so invariants of loops are found.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_expr::Expr;
use symcrete_expr::dag::{Op, substitute};
use symcrete_ir::{Block, Body, EdgeId, FuncId};
use symcrete_solver::Answer;

use super::Fact;
use super::goal::{Active, Goal, Levels, Round, unite};
use super::meeting::Meetings;
use super::prover::{Before, Prover};
use super::trace::Event;

/// What came of one piece of a backward path.
pub enum Piece {
    /// It contradicts itself, by these choices.
    Refuted(Levels),
    /// It came to where everything begins.
    Entry(Box<Goal>),
    /// It came to the header to which it was to go.
    Header(Box<Goal>),
    /// It came to what cannot be crossed.
    Open,
    /// There are several ways on.
    Ways(Box<Level>),
}

/// A choice, and what became of its ways so far.
pub struct Level {
    number: u32,
    /// Those that were not tried; the last one is next.
    ways: Vec<Goal>,
    /// What to do if one of them is not refuted.
    then: Then,
    open: bool,
    /// The choices above this one on which the refutations hang.
    conflict: Levels,
    /// Choices before this one of which one way only was left, and what refuted the others.
    passed: Vec<(u32, Levels)>,
    /// The goal of which this is the choice, and that is refuted if all ways are.
    lemma: Option<Goal>,
}

/// What comes before a block.
enum Choice {
    Ways(Vec<Goal>, Then),
    /// Nothing that was not looked at; the choices on which that hangs.
    Nothing(Levels),
    /// It is where the search was to come to.
    Header(Goal),
    /// Nobody can say.
    Unknown,
}

/// Exact ways, where the ones before were not.
enum Then {
    Nothing,
    /// What was jumped over is gone through.
    Enter(Box<Goal>),
    /// What a loop leaves alone is kept.
    Invariants(Box<Goal>),
    /// A loop is gone through round by round.
    Rounds(Box<Goal>),
}

/// What the search came to.
pub enum Progress {
    /// Nothing leads to the target.
    Refuted,
    /// A way from the beginning to the target: inputs are to be found for it, and what came of that is to be told.
    Trace(Box<Goal>),
    /// A piece more was looked at.
    More,
    /// The header to which the search was to go, and what must hold there.
    Header(Box<Goal>),
    /// Nothing is left to try, and nothing is proved.
    GivenUp,
}

/// The search for one target.
pub struct Search {
    stack: Vec<Level>,
    /// Goals that are refuted, by where they stand.
    lemmas: FxHashMap<(FuncId, Block), Vec<Goal>>,
    pub segments: u64,
    /// The most calls and choices that were under way at a time.
    pub depth: usize,
    /// Ways that came to what cannot be crossed, or to a bound.
    pub blocked: u64,
    /// Levels that may be why a trace did not lead to the target.
    blamed: FxHashSet<u32>,
    /// Where paths forward may meet it.
    pub meetings: Meetings,
}

/// What the concrete phase says of a trace.
pub enum Verdict {
    /// No state satisfies its conditions.
    Refuted,
    /// No input was found; these choices may be why.
    Failed(Vec<u32>),
}

/// Refuted goals that are remembered for one place.
const MOST_LEMMAS: usize = 16;

impl Search {
    pub fn new(prover: &mut Prover, targets: &[(FuncId, Block)]) -> Search {
        let number = prover.new_level();
        let ways = targets.iter().map(|(function, block)| Goal::new(prover.frame(*function, None), *block));
        let mut ways: Vec<Goal> = ways.collect();
        // Which of them it is, is a choice like any other: what refutes one says nothing of the rest.
        if ways.len() > 1 {
            ways.iter_mut().for_each(|way| way.hang_on(number));
        }
        Search::of_ways(number, ways)
    }

    /// Goes on from several places, between which the choice of this number is.
    pub fn of_ways(number: u32, ways: Vec<Goal>) -> Search {
        let level = Level {
            number,
            ways,
            then: Then::Nothing,
            open: false,
            conflict: Levels::new(),
            passed: Vec::new(),
            lemma: None,
        };
        Search {
            stack: vec![level],
            lemmas: FxHashMap::default(),
            segments: 0,
            depth: 0,
            blocked: 0,
            blamed: FxHashSet::default(),
            meetings: Meetings::default(),
        }
    }

    /// Looks at one more piece.
    pub fn step(&mut self, prover: &mut Prover) -> Progress {
        let Some(level) = self.stack.last_mut() else { return Progress::GivenUp };
        let Some(way) = level.ways.pop() else { return self.finish_level(prover) };
        self.segments += 1;
        self.depth = self.depth.max(self.stack.len());
        match self.piece(prover, way) {
            Piece::Refuted(conflict) => self.refute(&conflict),
            Piece::Entry(goal) => return Progress::Trace(goal),
            // Where that leads is for others to say.
            Piece::Header(goal) => return Progress::Header(goal),
            Piece::Open => {
                self.blocked += 1;
                self.leave_open();
            }
            Piece::Ways(level) => self.stack.push(*level),
        }
        Progress::More
    }

    /// Hears what came of the trace that the last step gave.
    pub fn learn_trace(&mut self, verdict: Verdict) {
        match verdict {
            // By which of the choices, nobody asked.
            Verdict::Refuted => {
                let mut all: Levels = self.stack.iter().map(|level| level.number).collect();
                all.sort_unstable();
                self.refute(&all);
            }
            Verdict::Failed(blamed) => {
                self.blamed.extend(blamed);
                self.leave_open();
            }
        }
    }

    fn leave_open(&mut self) {
        if let Some(level) = self.stack.last_mut() {
            level.open = true;
        }
    }

    /// A way of the newest level is refuted. Levels that have nothing to do with it are refuted with it.
    fn refute(&mut self, conflict: &Levels) {
        if let Some(level) = self.stack.last_mut() {
            unite(&mut level.conflict, conflict);
            if conflict.binary_search(&level.number).is_err() && !level.open {
                level.conflict = conflict.clone();
                level.ways.clear();
            }
        }
    }

    /// All ways of the newest level were tried.
    fn finish_level(&mut self, prover: &mut Prover) -> Progress {
        let Some(mut level) = self.stack.pop() else { return Progress::GivenUp };
        if level.open {
            match std::mem::replace(&mut level.then, Then::Nothing) {
                Then::Nothing => {}
                Then::Enter(_) if !self.blamed.contains(&level.number) => {}
                Then::Enter(goal) => {
                    level.ways = prover.ways_before(&goal, level.number);
                    // They are all that there are: if each is refuted, nothing is open any more.
                    level.open = false;
                    self.stack.push(level);
                    return Progress::More;
                }
                Then::Invariants(goal) => {
                    let body = prover.shapes.body(goal.function());
                    let shape = prover.shapes.shape(goal.function());
                    let Some(around) = shape.loop_of(goal.block) else { return Progress::GivenUp };
                    let (kept, pieces) = prover.keep_invariants(&goal, body, around);
                    self.segments += pieces;
                    match kept {
                        Some(mut kept) => {
                            let (function, header) = (goal.function(), goal.block);
                            kept.is_loose = true;
                            let loc = prover.loc_of(function, header);
                            prover.facts.insert(Fact::Invariants(loc));
                            kept.trace.prepend(Event::Loop { function, header, level: level.number });
                            level.ways = prover.ways_before(&kept, level.number);
                            level.then = Then::Rounds(goal);
                        }
                        None => level.ways = prover.rounds(*goal, level.number),
                    }
                    level.open = false;
                    self.stack.push(level);
                    return Progress::More;
                }
                Then::Rounds(goal) => {
                    level.ways = prover.rounds(*goal, level.number);
                    level.open = false;
                    self.stack.push(level);
                    return Progress::More;
                }
            }
        }
        if level.open {
            self.leave_open();
            return if self.stack.is_empty() { Progress::GivenUp } else { Progress::More };
        }
        if let Some(goal) = level.lemma.take() {
            self.learn(goal);
        }
        if self.stack.is_empty() {
            return Progress::Refuted;
        }
        let conflict = resolved(without(level.conflict, level.number), &level.passed);
        self.refute(&conflict);
        Progress::More
    }

    fn learn(&mut self, goal: Goal) {
        // What a loop's own rounds were refuted by holds only as long as they are.
        if !goal.rounds.is_empty() || !goal.deferred.is_empty() {
            return;
        }
        let known = self.lemmas.entry((goal.function(), goal.block)).or_default();
        if known.len() < MOST_LEMMAS {
            known.push(goal);
        }
    }

    /// Whether a goal demands all that one demands that is refuted.
    fn is_known(&self, prover: &mut Prover, goal: &Goal) -> bool {
        let Some(known) = self.lemmas.get(&(goal.function(), goal.block)) else { return false };
        known.iter().any(|lemma| {
            demands(prover, goal, lemma, true).is_some_and(|all| {
                all.iter().all(|expr| goal.conditions.iter().any(|condition| condition.expr == *expr))
            })
        })
    }

    /// Goes back until there are several ways, or none.
    fn piece(&mut self, prover: &mut Prover, mut goal: Goal) -> Piece {
        // Of choices of which one way only was left, what refuted the others.
        let mut passed: Vec<(u32, Levels)> = Vec::new();
        loop {
            if prover.is_over() {
                return Piece::Open;
            }
            let mut conflict = Levels::new();
            let (number, ways, then, lemma) = match prover.through_block(&mut goal) {
                Some((number, ways)) => {
                    // Where nothing returns, that is so wherever the call is.
                    unite(&mut conflict, &goal.active_levels());
                    (number, ways, Then::Nothing, None)
                }
                None => {
                    if let Some(conflict) = prover.contradicts(&mut goal) {
                        return Piece::Refuted(resolved(conflict, &passed));
                    }
                    if goal.block == Block::ENTRY {
                        if goal.stops_at == Some((goal.activation(), Block::ENTRY)) {
                            return Piece::Header(Box::new(goal));
                        }
                        match prover.before_function(goal) {
                            Before::Calls(number, ways, levels) => {
                                conflict = levels;
                                (number, ways, Then::Nothing, None)
                            }
                            Before::Entry(goal) => return Piece::Entry(Box::new(goal)),
                            Before::Unknown => return Piece::Open,
                        }
                    } else {
                        if self.is_known(prover, &goal) {
                            return Piece::Refuted(resolved(goal.levels(), &passed));
                        }
                        let lemma = goal.clone();
                        unite(&mut conflict, &goal.active_levels());
                        let number = prover.new_level();
                        match prover.before_block(goal, number) {
                            Choice::Ways(ways, then) => (number, ways, then, Some(lemma)),
                            Choice::Nothing(levels) => return Piece::Refuted(resolved(levels, &passed)),
                            Choice::Header(goal) => return Piece::Header(Box::new(goal)),
                            Choice::Unknown => return Piece::Open,
                        }
                    }
                }
            };
            let mut left = Vec::with_capacity(ways.len());
            for mut way in ways {
                match prover.contradicts(&mut way) {
                    Some(levels) => unite(&mut conflict, &levels),
                    None => left.push(way),
                }
            }
            if lemma.is_some() {
                left.iter().for_each(|way| self.meetings.add(way));
            }
            let exact = matches!(then, Then::Nothing);
            if let (Then::Enter(_), 1) = (&then, left.len()) {
                // A step over what does not matter is no choice, as long as nobody has to go back to it.
                let passed = std::mem::take(&mut passed);
                self.stack.push(Level { number, ways: Vec::new(), then, open: false, conflict, passed, lemma });
                goal = left.remove(0);
                continue;
            }
            match left.len() {
                0 => return Piece::Refuted(resolved(without(conflict, number), &passed)),
                1 if exact => {
                    passed.push((number, conflict));
                    goal = left.remove(0);
                }
                _ => {
                    return Piece::Ways(Box::new(Level {
                        number,
                        ways: left,
                        then,
                        open: false,
                        conflict,
                        passed,
                        lemma,
                    }));
                }
            }
        }
    }
}

/// The choices that a refutation depends on, where it depends on choices of which all other ways are refuted too.
fn resolved(mut conflict: Levels, passed: &[(u32, Levels)]) -> Levels {
    for (number, others) in passed.iter().rev() {
        if conflict.binary_search(number).is_ok() {
            unite(&mut conflict, others);
            conflict = without(conflict, *number);
        }
    }
    conflict
}

fn without(mut levels: Levels, number: u32) -> Levels {
    levels.retain(|level| *level != number);
    levels
}

/// What one goal demands, in the names of another. Of what neither names, some value must do: conditions that speak of nothing else are
/// left out if nobody wants them, and `None` is the answer where `closed` forbids that others do.
pub fn demands(prover: &mut Prover, goal: &Goal, other: &Goal, closed: bool) -> Option<Vec<Expr>> {
    if goal.frames.len() < other.frames.len() {
        return None;
    }
    let mut names: FxHashMap<Expr, Expr> = FxHashMap::default();
    let skipped = goal.frames.len() - other.frames.len();
    for (frame, its) in goal.frames[skipped..].iter().zip(&other.frames) {
        if frame.function != its.function || frame.site != its.site && its.site.is_some() {
            return None;
        }
        for (register, name) in &its.names {
            if let Some(same) = frame.names.get(register) {
                names.insert(*name, *same);
            }
        }
    }
    for read in &other.reads {
        let offset = substitute(&mut prover.arena, read.offset, &names);
        let activation = |object: super::memory::Object| match object {
            super::memory::Object::Local { activation, .. } => Some(activation),
            _ => None,
        };
        let same = goal.reads.iter().find(|known| {
            let same_frame = match (activation(known.object), activation(read.object)) {
                (Some(one), Some(another)) => {
                    let place = |frames: &[super::goal::Frame], of: u32| {
                        frames.iter().rev().position(|frame| frame.activation == of)
                    };
                    place(&goal.frames, one) == place(&other.frames, another)
                }
                _ => true,
            };
            let same_object = match (known.object, read.object) {
                (
                    super::memory::Object::Local { function, register, .. },
                    super::memory::Object::Local { function: its, register: other, .. },
                ) => function == its && register == other,
                (one, another) => one == another,
            };
            same_frame && same_object && known.offset == offset && known.bytes == read.bytes
        });
        if let Some(same) = same {
            names.insert(read.name, same.name);
        }
    }
    let mut all = Vec::with_capacity(other.conditions.len());
    let free: Vec<Vec<Expr>> = other.conditions.iter().map(|condition| variables(prover, condition.expr)).collect();
    // Together, conditions that share a variable.
    let mut groups: Vec<usize> = (0..free.len()).collect();
    loop {
        let mut changed = false;
        for one in 0..free.len() {
            for another in 0..one {
                if groups[one] != groups[another] && free[one].iter().any(|part| free[another].contains(part)) {
                    let (from, to) = (groups[one].max(groups[another]), groups[one].min(groups[another]));
                    groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for (at, condition) in other.conditions.iter().enumerate() {
        let members = (0..free.len()).filter(|member| groups[*member] == groups[at]);
        let speaks_of_names = members.into_iter().any(|member| free[member].iter().any(|part| is_named(other, *part)));
        if !speaks_of_names {
            continue;
        }
        if closed && free[at].iter().any(|part| !names.contains_key(part)) {
            return None;
        }
        all.push(substitute(&mut prover.arena, condition.expr, &names));
    }
    Some(all)
}

fn variables(prover: &Prover, expr: Expr) -> Vec<Expr> {
    let mut parts = symcrete_expr::dag::post_order(&prover.arena, [expr], &mut Default::default());
    parts.retain(|part| prover.arena.variable_of(*part).is_some());
    parts
}

/// Whether a goal names something so.
fn is_named(goal: &Goal, name: Expr) -> bool {
    let in_frames = goal.frames.iter().any(|frame| frame.names.values().any(|known| *known == name));
    in_frames || goal.reads.iter().any(|read| read.name == name)
}

impl Prover<'_> {
    /// What may come before the beginning of a block that is not the first one.
    fn before_block(&mut self, mut goal: Goal, number: u32) -> Choice {
        let function = goal.function();
        let body = self.shapes.body(function);
        let shape = self.shapes.shape(function);
        if !shape.loops.irreducible.is_empty() {
            return Choice::Unknown;
        }
        if shape.loop_of(goal.block).is_some() {
            return self.before_loop(goal, number);
        }
        let several = shape.cfg.predecessors(goal.block).len() > 1;
        if several && let Some(above) = shape.dominators.immediate(goal.block) {
            if self.is_irrelevant(&mut goal, body, above) {
                let exact = Box::new(goal.clone());
                goal.trace.prepend(Event::Skipped { level: number });
                (goal.block, goal.at) = (above, body.blocks[above].insts.len());
                goal.arrive();
                return Choice::Ways(vec![goal], Then::Enter(exact));
            }
            if self.merge(&mut goal, body, above) {
                return Choice::Ways(vec![goal], Then::Nothing);
            }
        }
        Choice::Ways(self.ways_before(&goal, number), Then::Nothing)
    }

    /// The predecessors of a block, one by one; the one from which an entry is nearest is last. Edges back to the header of a loop are not
    /// among them.
    fn ways_before(&mut self, goal: &Goal, number: u32) -> Vec<Goal> {
        let function = goal.function();
        let body = self.shapes.body(function);
        let shape = self.shapes.shape(function);
        let mut edges: Vec<EdgeId> = shape.cfg.predecessors(goal.block).to_vec();
        edges.retain(|edge| shape.cfg.is_reachable(shape.cfg.source(*edge)));
        if let Some(around) = shape.loop_of(goal.block) {
            edges.retain(|edge| !around.back_edges.contains(edge));
        }
        let distances = shape.distances();
        edges.sort_by_key(|edge| {
            let source = shape.cfg.source(*edge);
            (std::cmp::Reverse(distances[source]), source)
        });
        let above = shape.dominators.immediate(goal.block);
        let choice = (edges.len() > 1).then_some(number);
        edges.iter().map(|edge| self.chosen(goal, body, *edge, choice, above)).collect()
    }

    /// One way of a choice.
    pub fn chosen(
        &mut self,
        goal: &Goal,
        body: &Body,
        edge: EdgeId,
        choice: Option<u32>,
        above: Option<Block>,
    ) -> Goal {
        let mut way = goal.clone();
        if let Some(level) = choice {
            let activation = way.activation();
            self.depend(&mut way, body, level, above);
            way.active.push(Active { level, activation, above });
        }
        self.along(way, body, edge)
    }

    /// What memory contains depends on a choice if one of its ways may have written there.
    fn depend(&mut self, goal: &mut Goal, body: &Body, level: u32, above: Option<Block>) {
        if goal.reads.is_empty() {
            return;
        }
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let between = match above {
            Some(above) => shape.between(above, goal.block),
            None => Vec::new(),
        };
        let writes = self.writes_in(function, body, &between);
        let touched: Vec<Expr> =
            goal.reads.iter().filter(|read| self.is_touched(goal, read, &writes)).map(|read| read.name).collect();
        if touched.is_empty() {
            return;
        }
        for condition in &mut goal.conditions {
            let parts = symcrete_expr::dag::post_order(&self.arena, [condition.expr], &mut Default::default());
            if parts.iter().any(|part| touched.contains(part)) {
                unite(&mut condition.levels, &[level]);
            }
        }
    }

    /// At the header of a loop, of which any number of rounds may have been executed.
    fn before_loop(&mut self, mut goal: Goal, number: u32) -> Choice {
        let function = goal.function();
        let (activation, header) = (goal.activation(), goal.block);
        let is_this = |round: &&Round| (round.activation, round.header) == (activation, header);
        let rounds: Vec<u32> = goal.rounds.iter().filter(is_this).map(|round| round.level).collect();
        if !rounds.is_empty() {
            if self.adds_nothing(&goal) {
                // As long as those of the rounds themselves are refuted.
                let mut levels = goal.levels();
                rounds.iter().for_each(|level| unite(&mut levels, &[*level]));
                return Choice::Nothing(levels);
            }
            if goal.stops_at == Some((activation, header)) {
                return Choice::Header(goal);
            }
            return match rounds.len() > self.config.rounds {
                true => Choice::Unknown,
                false => Choice::Ways(self.rounds(goal, number), Then::Nothing),
            };
        }
        let exact = Box::new(goal.clone());
        let body = self.shapes.body(function);
        let shape = self.shapes.shape(function);
        let Some(around) = shape.loop_of(header) else { return Choice::Unknown };
        match self.config.summaries.then(|| self.sum_up(&goal, body, around)).flatten() {
            Some(before) => {
                goal = before;
                let loc = self.loc_of(function, header);
                self.facts.insert(Fact::Counters(loc));
            }
            None => {
                self.forget_loop(&mut goal, body, &around.blocks);
                goal.is_loose = true;
            }
        }
        goal.trace.prepend(Event::Loop { function, header, level: number });
        let ways = self.ways_before(&goal, number);
        Choice::Ways(ways, Then::Invariants(exact))
    }

    /// The ways to the header of a loop with one round more or none, the last one first.
    fn rounds(&mut self, mut goal: Goal, number: u32) -> Vec<Goal> {
        let function = goal.function();
        let body = self.shapes.body(function);
        let shape = self.shapes.shape(function);
        let (activation, header) = (goal.activation(), goal.block);
        let Some(around) = shape.loop_of(header) else { return Vec::new() };
        let mut here = goal.clone();
        here.rounds.clear();
        goal.rounds.push(Round { activation, header, level: number, goal: Rc::new(here) });
        let mut ways = Vec::new();
        // Everything from here on depends on how many rounds there are.
        goal.hang_on(number);
        for edge in around.back_edges.iter().filter(|edge| shape.cfg.is_reachable(shape.cfg.source(**edge))) {
            ways.push(self.along(goal.clone(), body, *edge));
        }
        let mut entered = goal;
        entered.rounds.retain(|round| (round.activation, round.header) != (activation, header));
        ways.extend(self.ways_before(&entered, number));
        ways
    }

    /// Whether every state that satisfies a goal at the header of a loop satisfies one of those that were looked at for later rounds.
    fn adds_nothing(&mut self, goal: &Goal) -> bool {
        let (activation, header) = (goal.activation(), goal.block);
        let mut constraints = goal.exprs();
        let mut any = false;
        for round in goal.rounds.clone() {
            if (round.activation, round.header) != (activation, header) || !round.goal.deferred.is_empty() {
                continue;
            }
            let Some(all) = demands(self, goal, &round.goal, true) else { continue };
            any = true;
            let mut holds = self.arena.boolean(true);
            for expr in all {
                holds = self.arena.binary(Op::And, holds, expr);
            }
            constraints.push(self.arena.not(holds));
        }
        any && matches!(self.chain.solve(&mut self.arena, &constraints), Answer::Unsat)
    }
}
