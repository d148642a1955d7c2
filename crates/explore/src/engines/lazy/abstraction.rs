//! Abstract paths (section 3 of the paper on lazy expansion): a function is executed, and calls on whose way inputs decide are passed over; what
//! they may give or change becomes fresh. Whether inputs decide on the way of a call is found by going along it until they do (section 4.4).

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

use symcrete_exec::coverage::Mark;
use symcrete_exec::external::Deed;
use symcrete_exec::outcome::{Fact, Purpose};
use symcrete_exec::pause::{Pause, Pauses, Site};
use symcrete_exec::{Ended, Fork, Outcome, Question, State, Then};
use symcrete_expr::dag::{Op, Variable, VariableId, VariableSets};
use symcrete_expr::{Arena, Expr, Model};
use symcrete_ir::FuncId;
use symcrete_memory::Frontier;
use symcrete_solver::{Answer, Conditions, Reason};

use super::arrivals::SharedArrivals;
use super::concretise::Before;
use super::dead_ends::Hangs;
use super::leaves::ENUMERATING;
use super::long::Way;
use super::put_off::Replay;
use super::scripts::Turns;
use super::suspicions::Kind;
use super::{Lazy, Lost};
use crate::drive::{Decide, SLICE, Step, drive};
use crate::path::Path;
use crate::session::Session;
use crate::session::sides::Choices;
use symcrete_effects::{self as effects, Form};

/// A call that was passed over.
pub struct Event {
    pub function: FuncId,
    pub site: Site,
    /// Calls before it, since the latest that was passed over.
    pub others: Others,
    /// The fresh values: results first, then what may have been changed.
    pub fresh: Vec<Fresh>,
    /// What may have been changed.
    pub cells: Vec<effects::Cell>,
    pub deeds: effects::Deeds,
    /// What of other calls it depends on; `None` if nobody can say.
    pub hangs: Option<Hangs>,
    /// Up to where memory was in use.
    pub frontier: Frontier,
    /// How many expansions are around it.
    pub level: u32,
    /// By which number its fresh values are known.
    pub number: u32,
    /// How many conditions the path had added before it.
    pub upto: usize,
    /// A real path that stands before it, and all of them, as far as they were looked for.
    pub real: RefCell<Option<Rc<Before>>>,
    pub arrivals: RefCell<Vec<SharedArrivals>>,
    /// The program ends in it.
    pub ends: bool,
}

/// Calls that could have been passed over and were not.
#[derive(Clone, Default)]
pub struct Others {
    pub count: u32,
    /// Those of them that were entered, by their number: calls in them could have been passed over in turn.
    pub entered: Vec<u32>,
}

/// A value that a call leaves, as a path sees it that passed over the call.
#[derive(Copy, Clone)]
pub struct Fresh {
    pub value: Expr,
    /// The variable in it: the value itself, or how far an address is from the beginning of its object.
    number: Option<Expr>,
    /// Whether an address is null.
    null: Option<Expr>,
    /// What it is an address in.
    object: Option<u64>,
}

impl Fresh {
    /// What its variables are if this is the value.
    pub fn mean(&self, arena: &mut Arena, value: Expr, mut tell: impl FnMut(Expr, Expr)) {
        if let Some(number) = self.number {
            let object = arena.word(arena.width(value).min(64), self.object.unwrap_or(0));
            let distance = if self.object.is_some() { arena.binary(Op::Sub, value, object) } else { value };
            tell(number, distance);
        }
        if let Some(null) = self.null {
            let zero = arena.word(64, 0);
            let is_null = arena.compare(Op::Equal, value, zero);
            tell(null, is_null);
        }
    }

    /// The same for an object elsewhere. `None` if the call does not say the same of it there.
    pub fn within(&self, form: Form) -> Option<Fresh> {
        match (self.object, form) {
            (None, _) => Some(*self),
            (Some(_), Form::Pointer { object, .. }) => Some(Fresh { object: Some(object), ..*self }),
            (Some(_), _) => None,
        }
    }
}

/// Makes the fresh values of a call.
struct Fresher {
    number: u32,
    offset: u32,
}

impl Fresher {
    fn variable(&mut self, arena: &mut Arena, width: u32, bytes: u32, index_width: u32) -> Expr {
        let variable = Variable { input: self.number, offset: self.offset, width, index_width };
        self.offset += bytes;
        arena.variable(variable)
    }

    fn value(&mut self, arena: &mut Arena, width: u32, form: Form) -> Fresh {
        let plain = |value: Expr, number: Option<Expr>| Fresh { value, number, null: None, object: None };
        match form {
            Form::Plain => {
                let variable = self.variable(arena, width, width.div_ceil(8), 0);
                plain(variable, Some(variable))
            }
            Form::Constant(word) => plain(arena.word(width, word), None),
            Form::Number { value, known } => {
                let variable = self.variable(arena, width, width.div_ceil(8), 0);
                let (unknown, value) = (arena.word(width, !known), arena.word(width, value));
                let rest = arena.binary(Op::And, variable, unknown);
                plain(arena.binary(Op::Or, rest, value), Some(variable))
            }
            Form::Pointer { object, at, null } => {
                let number = at.is_none().then(|| self.variable(arena, 64, 8, 0));
                let begin = arena.word(64, object.wrapping_add_signed(at.unwrap_or(0)));
                let address = number.map_or(begin, |number| arena.binary(Op::Add, number, begin));
                let (null, zero) = (null.then(|| self.variable(arena, 1, 1, 0)), arena.word(64, 0));
                let value = null.map_or(address, |null| arena.ite(null, zero, address));
                Fresh { value, number, null, object: Some(object) }
            }
        }
    }

    fn cell(&mut self, arena: &mut Arena, cell: &effects::Cell) -> Fresh {
        if !cell.is_array() {
            return self.value(arena, cell.bytes * 8, cell.form);
        }
        let index_width = u32::BITS - (cell.bytes - 1).leading_zeros();
        let array = self.variable(arena, 8, cell.bytes, index_width);
        Fresh { value: array, number: None, null: None, object: None }
    }
}

/// How much of the address space a call takes that was passed over, whatever it does: so what is allocated behind it has the same
/// address on abstract and on real paths. In granules, by how many expansions are around it.
pub fn room(level: u32) -> u32 {
    match level {
        0 => 1 << 13,
        1 => 1 << 9,
        _ => 1 << 6,
    }
}

/// The calls that a path passed over; a fork shares the list with its parent.
#[derive(Clone, Default)]
pub struct Events {
    newest: Option<Rc<Link>>,
}

struct Link {
    event: Rc<Event>,
    older: Option<Rc<Link>>,
    length: u32,
}

/// One by one: a path may pass over very many.
impl Drop for Link {
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.older.take();
        }
    }
}

impl Events {
    pub fn push(&mut self, event: Rc<Event>) {
        let length = self.len() as u32 + 1;
        self.newest = Some(Rc::new(Link { event, older: self.newest.take(), length }));
    }

    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |link| link.length as usize)
    }

    /// The newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Event>> {
        std::iter::successors(self.newest.as_deref(), |link| link.older.as_deref()).map(|link| &link.event)
    }

    /// The oldest first.
    pub fn in_order(&self) -> Vec<Rc<Event>> {
        let mut events: Vec<Rc<Event>> = self.iter().cloned().collect();
        events.reverse();
        events
    }
}

/// A path on which calls were passed over.
#[derive(Clone)]
pub struct Abstract {
    /// Its conditions speak of fresh values too.
    pub path: Path,
    /// Those of its conditions that came since it began to be abstract.
    pub added: Conditions,
    /// The same with those that followed from what was known where it began: elsewhere they may not.
    pub met: Conditions,
    pub events: Events,
    /// Calls since the latest that was passed over.
    pub others: Others,
    /// Of this many expansions it is part.
    pub level: u32,
    /// Choices between values that it made without a fork.
    pub choices: Choices,
    /// The side of such a choice that is all it is for.
    pub side: Option<Mark>,
    /// Up to its latest fork; `None` if it never forked.
    pub prefix: Option<Rc<Prefix>>,
    /// The activation to which the entry of the program returns, while it is under way.
    pub home: Option<u64>,
    /// Whether values were tried on it that inputs may have.
    pub has_tried: bool,
    /// Whether its state is that of the beginning.
    pub is_bare: bool,
    /// How often more was allowed for it.
    pub tries: u32,
    /// It is executed once more.
    pub replay: Option<Rc<Replay>>,
    /// Which ways it took where inputs decide.
    pub turns: Turns,
    /// The latest round in which a piece of it took long.
    pub long_in: Option<u32>,
}

/// An abstract path up to a fork, with the way that it took there.
pub struct Prefix {
    pub parent: Option<Rc<Prefix>>,
    /// How many conditions it had added by then.
    pub conditions: usize,
    pub events: Events,
    pub standing: Cell<Standing>,
}

/// Whether paths of the program begin as an abstract path does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    Unknown,
    Real,
    /// None does.
    Dead,
}

impl Abstract {
    /// A path that begins to be abstract.
    pub fn new(path: Path, level: u32) -> Abstract {
        Abstract {
            path,
            added: Conditions::new(),
            met: Conditions::new(),
            events: Events::default(),
            others: Others::default(),
            level,
            choices: Choices::default(),
            side: None,
            prefix: None,
            home: None,
            has_tried: false,
            is_bare: false,
            tries: 0,
            replay: None,
            turns: Turns::default(),
            long_in: None,
        }
    }

    /// Its prefixes, the longest first.
    pub fn prefixes(&self) -> impl Iterator<Item = &Rc<Prefix>> {
        std::iter::successors(self.prefix.as_ref(), |prefix| prefix.parent.as_ref())
    }

    /// A path of the program takes it.
    pub fn is_taken(&self) {
        let unknown = self.prefixes().take_while(|prefix| prefix.standing.get() != Standing::Real);
        unknown.for_each(|prefix| prefix.standing.set(Standing::Real));
    }

    pub fn is_dead(&self) -> bool {
        let mut unknown = self.prefixes().take_while(|prefix| prefix.standing.get() != Standing::Real);
        unknown.any(|prefix| prefix.standing.get() == Standing::Dead)
    }

    /// Calls that were passed over since paths of the program were last seen to go the same way.
    pub fn in_advance(&self) -> usize {
        let real = self.prefixes().find(|prefix| prefix.standing.get() == Standing::Real);
        self.events.len() - real.map_or(0, |prefix| prefix.events.len())
    }
}

/// Where an abstract path came to.
pub enum Came {
    Forked(Vec<Abstract>),
    /// Behind the call that it was to go through.
    Back(Box<Abstract>),
    Ended(Box<Abstract>, Ended),
    /// It cannot be followed: something that calls changed is needed as it is.
    Lost(Lost),
    /// No solver knows where it can go on.
    Undecided,
    Stopped(Box<Abstract>),
    /// It took more than is allowed for a piece of it.
    Long(Box<Abstract>),
}

/// What became of a call that a path went along to see whether inputs decide on its way.
enum Seen {
    /// They do not.
    Through,
    Ended(Ended),
    /// They do.
    Decide,
    Stopped,
    Long,
}

/// What became of a call that is to be passed over.
enum Passed {
    Over,
    /// The path ends with it.
    Out,
    /// Nobody can say what it changes.
    Not,
}

/// Forks with a single way on that are gone through before a call counts as one on whose way inputs decide.
const SINGLE_WAYS: u32 = 64;

/// From this number on inputs are no inputs but fresh values: 2^11 expansions deep, 2^20 calls each.
const FRESH: u32 = 1 << 31;
pub const CALLS: u32 = 20;

/// What the solver may spend on a question that depends on what calls give: about a twentieth of a second, if it is no product.
pub const HARD: u64 = 50_000;

/// Whether a condition can hold beside those of an abstract path, if that is not too hard to say.
fn possible(session: &mut Session, path: &Path, condition: Expr) -> Answer {
    let mut limits = session.machine.chain.config().limits.clone();
    limits.effort = limits.effort.min(HARD);
    session.machine.chain.check_with(
        &mut session.machine.executor.arena,
        &path.conditions,
        condition,
        &path.model,
        &limits,
    )
}

/// A path enters a call that could have been passed over.
fn enter(session: &mut Session, along: &mut Abstract) -> Option<Outcome> {
    along.others.entered.push(along.others.count);
    along.others.count += 1;
    session.machine.executor.enter_call(&mut along.path.state)
}

/// Of which call a variable is a fresh value: how deep, and which on its path. `None` if it is none.
pub fn fresh_number(arena: &Arena, variable: VariableId) -> Option<(u32, u32)> {
    let input = arena.variables()[variable].input;
    (input & FRESH != 0).then_some(((input & !FRESH) >> CALLS, input & ((1 << CALLS) - 1)))
}

/// Whether an expression depends on fresh values; then on those of which calls, by their number on the path, and of which depth.
pub fn fresh_of(sets: &mut VariableSets, arena: &Arena, expr: Expr) -> Vec<(u32, u32)> {
    let set = sets.of(arena, expr);
    let mut found: Vec<(u32, u32)> = sets.variables(set).filter_map(|variable| fresh_number(arena, variable)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// An abstract path that is executed to its next fork.
struct Advancing<'a> {
    lazy: &'a mut Lazy,
    /// Nothing only while it is decided about.
    along: Option<Abstract>,
    /// The activation to which it is to return, if any.
    back_in: Option<u64>,
    pauses: Pauses,
    way: Way,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Advancing<'_> {
    fn along(&mut self) -> &mut Abstract {
        self.along.as_mut().expect("it is not decided about")
    }

    fn take(&mut self) -> Abstract {
        self.along.take().expect("it is not decided about")
    }

    fn ended(&mut self, ended: Ended) -> Came {
        Came::Ended(Box::new(self.take()), ended)
    }

    fn go_on(&mut self, came: Result<Box<Abstract>, Came>) -> Step<Came> {
        match came {
            Ok(same) => {
                self.along = Some(*same);
                ControlFlow::Continue(())
            }
            Err(came) => ControlFlow::Break(came),
        }
    }
}

impl Decide for Advancing<'_> {
    type End = Came;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        let along = self.along.as_mut().expect("it is not decided about");
        (&mut along.path.state, Some(&self.pauses))
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<Came, u64> {
        let along = self.along.as_ref().expect("it is not decided about");
        self.pauses.back_in = self.back_in.or(along.home);
        let is_long = along.replay.is_none() && self.way.is_long(self.lazy);
        if is_long && along.events.len() == 0 {
            self.lazy.note_long(session, &along.path);
        }
        if is_long {
            return ControlFlow::Break(Came::Long(Box::new(self.take())));
        }
        if (self.stop)() {
            return ControlFlow::Break(Came::Stopped(Box::new(self.take())));
        }
        match session.config.limits.after_steps(&self.along().path) {
            Some(ended) => ControlFlow::Break(self.ended(ended)),
            None => ControlFlow::Continue(SLICE),
        }
    }

    fn executed(&mut self, session: &mut Session, steps: u64, pause: Pause) -> ControlFlow<Came, Pause> {
        let along = self.along.as_mut().expect("it is not decided about");
        self.way.add(self.lazy, steps);
        self.lazy.note_choices(session, along);
        let is_doomed = |own| self.lazy.is_doomed(session, &along.path.state, own);
        if !matches!(pause, Pause::Back) && self.back_in.is_some_and(is_doomed) {
            let along = self.take();
            return ControlFlow::Break(self.lazy.run_out(session, along, pause, self.stop));
        }
        ControlFlow::Continue(pause)
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> Step<Came> {
        let along = self.along();
        // Of a path through a call it does not matter which of several conditions led to where it goes.
        let fork = match along.level {
            0 => fork,
            _ => match session.machine.executor.without_detours(&mut along.path.state, fork) {
                Some(fork) => fork,
                None => return ControlFlow::Continue(()),
            },
        };
        let along = self.take();
        let came = self.lazy.fork(session, along, &fork);
        self.go_on(came)
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> Step<Came> {
        let along = self.take();
        let came = self.lazy.ask(session, along, &question);
        self.go_on(came)
    }

    fn over(&mut self, _: &mut Session, ended: Ended) -> Step<Came> {
        ControlFlow::Break(self.ended(ended))
    }

    fn call(&mut self, session: &mut Session, function: FuncId) -> ControlFlow<Came, Option<Outcome>> {
        let along = self.along.as_mut().expect("it is not decided about");
        match self.lazy.meet(session, along, function, self.stop) {
            Ok(outcome) => ControlFlow::Continue(outcome),
            Err(came) => ControlFlow::Break(came),
        }
    }

    fn back(&mut self, _: &mut Session) -> Step<Came> {
        if self.back_in.is_some() {
            return ControlFlow::Break(Came::Back(Box::new(self.take())));
        }
        // What the program does with what calls left, now that nothing is under test any more, makes no difference.
        if self.along().events.len() > 0 {
            return ControlFlow::Break(self.ended(Ended::Exited(0)));
        }
        self.along().home = None;
        ControlFlow::Continue(())
    }
}

/// An abstract path that goes along a call, until inputs decide.
struct Looking<'a> {
    lazy: &'a mut Lazy,
    along: &'a mut Abstract,
    pauses: Pauses,
    way: Way,
    /// Forks of which one way only is open.
    single: u32,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Decide for Looking<'_> {
    type End = Seen;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.along.path.state, Some(&self.pauses))
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<Seen, u64> {
        if self.along.replay.is_none() && self.way.is_long(self.lazy) {
            if self.along.events.len() == 0 {
                self.lazy.note_long(session, &self.along.path);
            }
            return ControlFlow::Break(Seen::Long);
        }
        if (self.stop)() { ControlFlow::Break(Seen::Stopped) } else { ControlFlow::Continue(SLICE) }
    }

    fn executed(&mut self, session: &mut Session, steps: u64, pause: Pause) -> ControlFlow<Seen, Pause> {
        self.way.add(self.lazy, steps);
        self.lazy.note_choices(session, self.along);
        ControlFlow::Continue(pause)
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> Step<Seen> {
        self.single += 1;
        let path = &mut self.along.path;
        let own = session.machine.own_way(path, &fork);
        let condition = fork.alternatives[own].condition;
        if self.single > SINGLE_WAYS {
            return ControlFlow::Break(Seen::Decide);
        }
        for (_, alternative) in fork.alternatives.iter().enumerate().filter(|(at, _)| *at != own) {
            let answer = possible(session, path, alternative.condition);
            if !matches!(answer, Answer::Unsat) {
                return ControlFlow::Break(Seen::Decide);
            }
        }
        self.along.met.push(&session.machine.executor.arena, condition);
        match session.machine.executor.proceed(&mut path.state, &fork.alternatives[own].then) {
            Some(ended) => ControlFlow::Break(Seen::Ended(ended)),
            None => ControlFlow::Continue(()),
        }
    }

    fn ask(&mut self, _: &mut Session, _: Question) -> Step<Seen> {
        ControlFlow::Break(Seen::Decide)
    }

    fn over(&mut self, _: &mut Session, ended: Ended) -> Step<Seen> {
        ControlFlow::Break(Seen::Ended(ended))
    }

    fn call(&mut self, session: &mut Session, function: FuncId) -> ControlFlow<Seen, Option<Outcome>> {
        match self.lazy.stale(session, self.along, function) {
            Some(_) => ControlFlow::Break(Seen::Decide),
            None => ControlFlow::Continue(session.machine.executor.enter_call(&mut self.along.path.state)),
        }
    }

    fn back(&mut self, _: &mut Session) -> Step<Seen> {
        ControlFlow::Break(Seen::Through)
    }
}

impl Lazy {
    /// Runs an abstract path until it forks or comes to its end: behind the call from which it returns to this activation, or that of the program.
    pub fn advance(
        &mut self,
        session: &mut Session,
        along: Abstract,
        back_in: Option<u64>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Came {
        let pauses = Pauses { functions: self.paused.clone(), back_in };
        let way = Way::new(self);
        drive(session, &mut Advancing { lazy: self, along: Some(along), back_in, pauses, way, stop })
    }

    /// An abstract path stands before a call of a function that is looked at.
    fn meet(
        &mut self,
        session: &mut Session,
        along: &mut Abstract,
        function: FuncId,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Outcome>, Came> {
        if self.config.entry == Some(function) {
            if along.level == 0 && along.events.len() == 0 {
                along.home.get_or_insert(session.machine.executor.activation(&along.path.state));
            }
            return Ok(session.machine.executor.enter_call(&mut along.path.state));
        }
        if self.outside.contains(function) {
            return match self.stale(session, along, function) {
                Some(lost) => Err(Came::Lost(lost)),
                None => Ok(session.machine.executor.enter_call(&mut along.path.state)),
            };
        }
        let before = (along.path.clone(), along.met.clone(), along.choices.clone());
        match self.look(session, along, stop) {
            Seen::Through => {
                along.others.count += 1;
                return Ok(None);
            }
            Seen::Ended(ended) => return Ok(Some(Outcome::Ended(ended))),
            Seen::Stopped => {
                (along.path, along.met, along.choices) = before;
                return Err(Came::Stopped(Box::new(along.clone())));
            }
            Seen::Long => {
                (along.path, along.met, along.choices) = before;
                return Err(Came::Long(Box::new(along.clone())));
            }
            Seen::Decide => (along.path, along.met, along.choices) = before,
        }
        if along.level == 0 && self.decides_by_calls(function) {
            return Ok(enter(session, along));
        }
        match self.pass_over(session, along, function) {
            Passed::Over => Ok(None),
            Passed::Out => Err(Came::Ended(Box::new(along.clone()), Ended::Exited(0))),
            Passed::Not => Ok(enter(session, along)),
        }
    }

    /// The call that changed what this function tells, if there is one before it.
    fn stale(&self, session: &Session, along: &Abstract, function: FuncId) -> Option<Lost> {
        let deed = session.machine.executor.image.deed(function)?;
        let event = along.events.iter().find(|event| event.deeds.change_what_tells(deed))?;
        Some(Lost { function: event.function })
    }

    /// Goes along a call until inputs decide, as if it were not passed over.
    fn look(&mut self, session: &mut Session, along: &mut Abstract, stop: &mut dyn FnMut() -> bool) -> Seen {
        let own = session.machine.executor.activation(&along.path.state);
        let pauses = Pauses { functions: self.outside_set.clone(), back_in: Some(own) };
        if let Some(outcome) = session.machine.executor.enter_call(&mut along.path.state) {
            return match outcome {
                Outcome::Ended(ended) => Seen::Ended(ended),
                _ => Seen::Decide,
            };
        }
        let way = Way::new(self);
        drive(session, &mut Looking { lazy: self, along, pauses, way, single: 0, stop })
    }

    /// Passes over a call: what it gives and may change becomes fresh.
    fn pass_over(&mut self, session: &mut Session, along: &mut Abstract, function: FuncId) -> Passed {
        let Some(effects) = self.effects_of_call(&mut session.machine.executor, &along.path.state, function) else {
            self.unbounded.insert(function);
            return Passed::Not;
        };
        let hangs = self.hangs(&mut session.machine.executor, &along.path.state, &effects);
        let executor = &mut session.machine.executor;
        let state = &mut along.path.state;
        let number = FRESH | along.level << CALLS | along.events.len() as u32;
        let mut fresh = Fresher { number, offset: 0 };
        let mut values = Vec::with_capacity(effects.results.len() + effects.cells.len());
        let widths = executor.result_widths(state);
        for (at, width) in widths.iter().enumerate() {
            let form = effects.results.get(at).copied().filter(|_| *width <= 64).unwrap_or(Form::Plain);
            values.push(fresh.value(&mut executor.arena, *width, form));
        }
        let (site, frontier) = (executor.call_site(state), state.memory.frontier());
        for cell in &effects.cells {
            let value = fresh.cell(&mut executor.arena, cell);
            if !effects::write(&executor.arena, state, cell, value.value) {
                self.unbounded.insert(function);
                return Passed::Not;
            }
            values.push(value);
        }
        let results: Vec<Expr> = values[..widths.len()].iter().map(|fresh| fresh.value).collect();
        executor.skip_call(state, results);
        state.memory.leave_out(frontier, room(along.level));
        let (deeds, level, upto) = (effects.deeds, along.level, along.added.len());
        if level == 0 {
            self.passed_over.insert(function);
        }
        let event = Event {
            function,
            site,
            others: std::mem::take(&mut along.others),
            fresh: values,
            cells: effects.cells.clone(),
            deeds,
            hangs,
            frontier,
            level,
            number,
            upto,
            real: RefCell::default(),
            arrivals: RefCell::default(),
            ends: false,
        };
        if !self.returns.may(function) {
            along.events.push(Rc::new(Event { fresh: Vec::new(), cells: Vec::new(), ends: true, ..event }));
            return Passed::Out;
        }
        if deeds.may_end {
            // Another path does not come back from there.
            let mut other = along.clone();
            let (fresh, cells, real, arrivals) = (Vec::new(), Vec::new(), RefCell::default(), RefCell::default());
            let (hangs, others) = (event.hangs.clone(), event.others.clone());
            other.events.push(Rc::new(Event { fresh, cells, real, arrivals, hangs, others, ends: true, ..event }));
            self.ended.push((other, Ended::Exited(0)));
        }
        along.events.push(Rc::new(event));
        Passed::Over
    }

    /// The ways on from a place where inputs or fresh values decide. One: the path goes on.
    fn fork(&mut self, session: &mut Session, along: Abstract, fork: &Fork) -> Result<Box<Abstract>, Came> {
        let own = session.machine.own_way(&along.path, fork);
        self.note_asking(session, &along, fork.alternatives[own].condition);
        let replay = along.replay.clone();
        let mut open = Vec::new();
        for (at, alternative) in fork.alternatives.iter().enumerate() {
            if at == own {
                open.push((at, None));
                continue;
            }
            if replay.is_some() {
                continue;
            }
            if along.level == ENUMERATING && self.is_late() {
                return Err(Came::Undecided);
            }
            if let Some(model) = self.is_open(session, &along, alternative.condition)? {
                open.push((at, Some(model)));
            }
        }
        let is_implied = match &replay {
            Some(replay) => replay.is_implied(fork.alternatives[own].condition),
            None => open.len() == 1,
        };
        // An end that depends on what a call gave is a suspicion, not a path.
        let mut ways = Vec::new();
        let several = open.len() > 1;
        for (at, model) in open {
            let alternative = &fork.alternatives[at];
            let fault = Kind::of(&alternative.then);
            let is_discarded = matches!(&alternative.then, Then::End(ended) if **ended == Ended::Discarded);
            if is_discarded && several {
                continue;
            }
            if let Some(kind) = fault.filter(|_| several)
                && !self.fresh_in(session, alternative.condition).is_empty()
            {
                let model = model.unwrap_or_else(|| along.path.model.clone());
                self.suspect(session, &along, (kind, alternative.condition), Some(model));
                continue;
            }
            let mut way = along.clone();
            let site = session.machine.executor.call_site(&along.path.state);
            way.met.push(&session.machine.executor.arena, alternative.condition);
            // What it met before, as in a loop, is no turn.
            if way.met.len() > along.met.len() {
                way.turns.push(&site, at);
            }
            if let Some(model) = model {
                way.path.model = model;
            }
            if !is_implied {
                way.path.conditions.push(&session.machine.executor.arena, alternative.condition);
                way.added.push(&session.machine.executor.arena, alternative.condition);
                way.path.depth += 1;
                way.prefix = Some(Rc::new(Prefix {
                    parent: along.prefix.clone(),
                    conditions: way.added.len(),
                    events: along.events.clone(),
                    standing: Cell::new(Standing::Unknown),
                }));
            }
            let ended = session.machine.executor.proceed(&mut way.path.state, &alternative.then);
            self.note_choices(session, &mut way);
            match ended {
                Some(ended) => ways.push((way, Some(ended))),
                None => ways.push((way, None)),
            }
        }
        if ways.len() == 1
            && let Some((way, ended)) = ways.pop()
        {
            return match ended {
                Some(ended) => Err(Came::Ended(Box::new(way), ended)),
                None if replay.is_some_and(|replay| replay.is_over(&way)) => Err(Came::Forked(vec![way])),
                None => Ok(Box::new(way)),
            };
        }
        let mut going_on = Vec::new();
        for (way, ended) in ways {
            match ended {
                // Told by who explores, as a path of its own.
                Some(ended) => self.ended.push((way, ended)),
                None => going_on.push(way),
            }
        }
        Err(Came::Forked(going_on))
    }

    /// Values for which a condition holds beside those of an abstract path; `None` if there are none. If that is too hard to say, and hangs
    /// on what a call gave, calls of that function are not passed over any more: with what it really gives it may be simple.
    fn is_open(&mut self, session: &mut Session, along: &Abstract, condition: Expr) -> Result<Option<Rc<Model>>, Came> {
        self.spent += 1;
        let answer = match self.newest_fresh(session, along, condition) {
            None => {
                let (arena, path) = (&mut session.machine.executor.arena, &along.path);
                let mut limits = session.machine.chain.config().limits.clone();
                if let (Some(effort), ENUMERATING) = (self.effort, along.level) {
                    limits.effort = limits.effort.min(effort);
                }
                session.machine.chain.check_with(arena, &path.conditions, condition, &path.model, &limits)
            }
            Some(function) => match possible(session, &along.path, condition) {
                Answer::Unknown(reason) if reason != Reason::Interrupted => return Err(Came::Lost(Lost { function })),
                answer => answer,
            },
        };
        match answer {
            Answer::Sat(model) => Ok(Some(Rc::new(model))),
            Answer::Unsat => Ok(None),
            Answer::Unknown(Reason::Interrupted) => Err(Came::Stopped(Box::new(along.clone()))),
            // All paths are wanted, or none.
            Answer::Unknown(_) if along.level == ENUMERATING => Err(Came::Undecided),
            Answer::Unknown(_) => {
                self.counts.undecided += 1;
                Ok(None)
            }
        }
    }

    /// The function that was called last of those on what a condition hangs.
    fn newest_fresh(&mut self, session: &Session, along: &Abstract, condition: Expr) -> Option<FuncId> {
        let fresh = self.fresh_in(session, condition);
        let (_, number) = fresh.iter().rev().find(|(level, _)| *level == along.level)?;
        let length = along.events.len();
        let event = along.events.iter().nth(length.checked_sub(1 + *number as usize)?)?;
        Some(event.function)
    }

    pub fn fresh_in(&mut self, session: &Session, expr: Expr) -> Vec<(u32, u32)> {
        fresh_of(&mut self.variables, &session.machine.executor.arena, expr)
    }

    /// Whether an expression depends on inputs themselves, and not only on what calls made of them.
    pub fn asks_inputs(&mut self, session: &Session, expr: Expr) -> bool {
        let arena = &session.machine.executor.arena;
        let set = self.variables.of(arena, expr);
        self.variables.variables(set).any(|variable| fresh_number(arena, variable).is_none())
    }

    /// A value is needed as it is.
    fn ask(&mut self, session: &mut Session, mut along: Abstract, question: &Question) -> Result<Box<Abstract>, Came> {
        along.path.count_proposal();
        along.has_tried = true;
        if let Some(ended) = session.config.limits.after_proposal(&along.path) {
            return Err(Came::Ended(Box::new(along), ended));
        }
        let fresh = self.fresh_in(session, question.value);
        let Some(&(level, number)) = fresh.first() else {
            let bits = session
                .machine
                .chain
                .evaluate(&session.machine.executor.arena, &along.path.model, question.value)
                .low_u64();
            let bits = session.machine.executor.answer(question, bits);
            let fork = session.machine.executor.propose(&along.path.state, question, bits);
            return self.fork(session, along, &fork);
        };
        if self.frees(session, &along) {
            session.machine.executor.skip_call(&mut along.path.state, Vec::new());
            return Ok(Box::new(along));
        }
        if let Some((question, object)) = self.object_of(session, &along, question) {
            let fork = session.machine.executor.propose(&along.path.state, &question, object);
            let inside = fork.alternatives.iter().find(|way| matches!(way.then, Then::Know(Fact::Within { .. })));
            if let Some(inside) = inside {
                let beyond = session.machine.executor.arena.not(inside.condition);
                self.suspect_access(session, &along, beyond, question.value);
                let arena = &mut session.machine.executor.arena;
                let path = &mut along.path;
                match session.machine.chain.check(arena, &path.conditions, inside.condition, &path.model) {
                    Answer::Sat(model) => {
                        path.model = Rc::new(model);
                        path.conditions.push(arena, inside.condition);
                        along.added.push(arena, inside.condition);
                        along.met.push(arena, inside.condition);
                        let then = self.only_value(session, &along, &question).unwrap_or_else(|| inside.then.clone());
                        session.machine.executor.proceed(&mut along.path.state, &then);
                        return Ok(Box::new(along));
                    }
                    Answer::Unknown(Reason::Interrupted) => return Err(Came::Stopped(Box::new(along))),
                    Answer::Unsat => {}
                    Answer::Unknown(_) => return Err(Came::Undecided),
                }
            }
        }
        // Of the calls of outer paths nothing is known here: their values are real.
        let event = along.events.in_order().get(number as usize).cloned().filter(|_| level == along.level);
        Err(event.map_or(Came::Undecided, |event| Came::Lost(Lost { function: event.function })))
    }

    /// How a path goes on if an address can have one value only.
    fn only_value(&mut self, session: &mut Session, along: &Abstract, question: &Question) -> Option<Then> {
        let Purpose::Address { register: Some(register), .. } = question.purpose else { return None };
        let (arena, path) = (&mut session.machine.executor.arena, &along.path);
        let bits = session.machine.chain.evaluate(arena, &path.model, question.value).low_u64();
        let value = arena.word(arena.width(question.value), bits);
        let same = arena.compare(Op::Equal, question.value, value);
        let other = arena.not(same);
        let answer = session.machine.chain.check(arena, &path.conditions, other, &path.model);
        matches!(answer, Answer::Unsat).then_some(Then::Word { register, bits })
    }

    /// Whether a path is about to free something. What calls made that were passed over is not there.
    fn frees(&self, session: &Session, along: &Abstract) -> bool {
        let image = &session.machine.executor.image;
        let called = session.machine.executor.called(&along.path.state);
        called.is_some_and(|called| {
            let data = &image.program.functions[called];
            image.deed(called) == Some(Deed::Allocates) && data.results.is_empty()
        })
    }

    /// The object in which an address is that depends on fresh values, and the question with that.
    fn object_of(&self, session: &Session, along: &Abstract, question: &Question) -> Option<(Question, u64)> {
        let Purpose::Address { bytes, write, object, register } = question.purpose else { return None };
        let (state, arena) = (&along.path.state, &session.machine.executor.arena);
        let found = object.or_else(|| effects::object_of(state, arena, question.value))?;
        let purpose = Purpose::Address { bytes, write, object: Some(found), register };
        Some((Question { value: question.value, purpose }, found))
    }
}
