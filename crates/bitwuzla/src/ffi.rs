//! Bitwuzla's C interface, and the only code that calls it.
//!
//! Contract. Every pointer that is kept here came from Bitwuzla and stays valid until its owner is deleted: terms and sorts live
//! as long as the term manager, which is deleted last, after all solvers. A `Context` is the only owner of its manager and its
//! solvers and is used by one thread at a time; Bitwuzla keeps no state of its own between calls except in them and in
//! thread-local buffers, so that a context may move to another thread. Bitwuzla checks arguments itself (sorts, widths, levels, whether there is a
//! model) and reports errors through a callback that is set for every thread; after an error it returns null, and the
//! error becomes a panic here.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;

use cranelift_entity::PrimaryMap;

use crate::kind::{Kind, Rounding};
use crate::values::{self, ArrayValue, Limbs};
use crate::watch::{Limits, Outcome, Stop, Watch};
use crate::{Options, Solver, Sort, Term};

#[allow(dead_code)]
pub(crate) mod constants {
    include!(concat!(env!("OUT_DIR"), "/constants.rs"));
}

/// What is only ever pointed to.
enum RawManager {}
enum RawSolver {}
enum RawOptions {}
enum RawTerm {}
enum RawSort {}

unsafe extern "C" {
    fn bitwuzla_set_abort_callback(callback: extern "C" fn(*const c_char));
    fn bitwuzla_options_new() -> *mut RawOptions;
    fn bitwuzla_options_delete(options: *mut RawOptions);
    fn bitwuzla_set_option(options: *mut RawOptions, option: u32, value: u64);
    fn bitwuzla_term_manager_new() -> *mut RawManager;
    fn bitwuzla_term_manager_delete(manager: *mut RawManager);
    fn bitwuzla_mk_bool_sort(manager: *mut RawManager) -> *mut RawSort;
    fn bitwuzla_mk_bv_sort(manager: *mut RawManager, width: u64) -> *mut RawSort;
    fn bitwuzla_mk_fp_sort(manager: *mut RawManager, exponent: u64, significand: u64) -> *mut RawSort;
    fn bitwuzla_mk_array_sort(manager: *mut RawManager, index: *mut RawSort, element: *mut RawSort) -> *mut RawSort;
    fn bitwuzla_mk_true(manager: *mut RawManager) -> *mut RawTerm;
    fn bitwuzla_mk_false(manager: *mut RawManager) -> *mut RawTerm;
    fn bitwuzla_mk_bv_value_uint64(manager: *mut RawManager, sort: *mut RawSort, value: u64) -> *mut RawTerm;
    fn bitwuzla_mk_bv_value(
        manager: *mut RawManager,
        sort: *mut RawSort,
        text: *const c_char,
        base: u8,
    ) -> *mut RawTerm;
    fn bitwuzla_mk_rm_value(manager: *mut RawManager, mode: u32) -> *mut RawTerm;
    fn bitwuzla_mk_const(manager: *mut RawManager, sort: *mut RawSort, symbol: *const c_char) -> *mut RawTerm;
    fn bitwuzla_mk_const_array(manager: *mut RawManager, sort: *mut RawSort, element: *mut RawTerm) -> *mut RawTerm;
    fn bitwuzla_mk_term_indexed(
        manager: *mut RawManager,
        kind: u32,
        argument_count: u32,
        arguments: *const *mut RawTerm,
        index_count: u32,
        indices: *const u64,
    ) -> *mut RawTerm;
    fn bitwuzla_mk_term(
        manager: *mut RawManager,
        kind: u32,
        argument_count: u32,
        arguments: *const *mut RawTerm,
    ) -> *mut RawTerm;
    fn bitwuzla_term_release(term: *mut RawTerm);
    fn bitwuzla_term_get_kind(term: *mut RawTerm) -> u32;
    fn bitwuzla_term_get_children(term: *mut RawTerm, count: *mut usize) -> *const *mut RawTerm;
    fn bitwuzla_term_value_get_str_fmt(term: *mut RawTerm, base: u8) -> *const c_char;
    fn bitwuzla_new(manager: *mut RawManager, options: *const RawOptions) -> *mut RawSolver;
    fn bitwuzla_delete(solver: *mut RawSolver);
    fn bitwuzla_set_termination_callback(
        solver: *mut RawSolver,
        callback: extern "C" fn(*const c_void) -> i32,
        state: *const c_void,
    );
    fn bitwuzla_push(solver: *mut RawSolver, levels: u64);
    fn bitwuzla_pop(solver: *mut RawSolver, levels: u64);
    fn bitwuzla_assert(solver: *mut RawSolver, term: *mut RawTerm);
    fn bitwuzla_check_sat_assuming(solver: *mut RawSolver, count: u32, assumptions: *const *mut RawTerm) -> u32;
    fn bitwuzla_is_unsat_assumption(solver: *mut RawSolver, term: *mut RawTerm) -> bool;
    fn bitwuzla_get_value(solver: *mut RawSolver, term: *mut RawTerm) -> *mut RawTerm;
}

thread_local! {
    /// Whether this thread has told Bitwuzla where its errors go.
    static LISTENING: Cell<bool> = const { Cell::new(false) };
    /// The first error since the last look.
    static COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

extern "C" fn on_error(message: *const c_char) {
    // SAFETY: Bitwuzla gives a string that lives during the call.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().trim().to_string();
    COMPLAINT.with_borrow_mut(|complaint| {
        complaint.get_or_insert(message);
    });
}

extern "C" fn on_poll(state: *const c_void) -> i32 {
    // SAFETY: `state` is the `Cell` in the box of the solver that polls, see `Context::new_solver`; during a check nobody else has it.
    let watch = unsafe { &*state.cast::<RefCell<Watch>>() };
    watch.try_borrow().map_or(0, |watch| i32::from(watch.poll()))
}

/// One call of Bitwuzla: what it complains of is a panic.
fn call<T>(function: impl FnOnce() -> T) -> T {
    if !LISTENING.replace(true) {
        // SAFETY: the callback lives as long as the program.
        unsafe { bitwuzla_set_abort_callback(on_error) };
    }
    let result = function();
    let complaint = COMPLAINT.take();
    assert!(complaint.is_none(), "Bitwuzla refuses: {}", complaint.unwrap_or_default());
    result
}

/// The same for calls that return a pointer, which is null only after a complaint.
fn call_pointer<T>(function: impl FnOnce() -> *mut T) -> NonNull<T> {
    let pointer = NonNull::new(call(function));
    pointer.unwrap_or_else(|| panic!("Bitwuzla returned nothing"))
}

struct SolverData {
    raw: NonNull<RawSolver>,
    /// In a box, because Bitwuzla keeps its address.
    watch: Box<RefCell<Watch>>,
}

/// Terms, and the solvers that work on them.
pub struct Context {
    manager: NonNull<RawManager>,
    terms: PrimaryMap<Term, NonNull<RawTerm>>,
    sorts: Vec<(Sort, NonNull<RawSort>)>,
    /// Deleted ones are `None`.
    solvers: PrimaryMap<Solver, Option<SolverData>>,
}

// SAFETY: see the contract: nothing in a context belongs to a thread, and nothing outside points into it.
unsafe impl Send for Context {}

impl Default for Context {
    fn default() -> Self {
        Context::new()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        for solver in self.solvers.values_mut().filter_map(Option::take) {
            // SAFETY: owned, and forgotten now.
            unsafe { bitwuzla_delete(solver.raw.as_ptr()) };
        }
        // SAFETY: owned; the solvers are gone, and the terms go with it.
        unsafe { bitwuzla_term_manager_delete(self.manager.as_ptr()) };
    }
}

/// Terms.
impl Context {
    pub fn new() -> Context {
        // SAFETY: no arguments.
        let manager = call_pointer(|| unsafe { bitwuzla_term_manager_new() });
        Context { manager, terms: PrimaryMap::new(), sorts: Vec::new(), solvers: PrimaryMap::new() }
    }

    /// How many terms were made; they are freed with the context.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    fn sort(&mut self, sort: Sort) -> *mut RawSort {
        if let Some((_, known)) = self.sorts.iter().find(|(known, _)| *known == sort) {
            return known.as_ptr();
        }
        let manager = self.manager.as_ptr();
        // SAFETY, for all: the manager is alive, and the sorts are its own.
        let raw = match sort {
            Sort::Boolean => call_pointer(|| unsafe { bitwuzla_mk_bool_sort(manager) }),
            Sort::Bits(width) => call_pointer(|| unsafe { bitwuzla_mk_bv_sort(manager, width.into()) }),
            Sort::Float(exponent, significand) => {
                call_pointer(|| unsafe { bitwuzla_mk_fp_sort(manager, exponent.into(), significand.into()) })
            }
            Sort::Array(index, element) => {
                let (index, element) = (self.sort(Sort::Bits(index)), self.sort(Sort::Bits(element)));
                call_pointer(|| unsafe { bitwuzla_mk_array_sort(manager, index, element) })
            }
        };
        self.sorts.push((sort, raw));
        raw.as_ptr()
    }

    fn raw(&self, term: Term) -> *mut RawTerm {
        self.terms[term].as_ptr()
    }

    fn add(&mut self, function: impl FnOnce() -> *mut RawTerm) -> Term {
        self.terms.push(call_pointer(function))
    }

    pub fn boolean(&mut self, value: bool) -> Term {
        let manager = self.manager.as_ptr();
        // SAFETY: the manager is alive.
        self.add(|| unsafe { if value { bitwuzla_mk_true(manager) } else { bitwuzla_mk_false(manager) } })
    }

    /// A bit-vector constant: little-endian limbs, as many as there are.
    pub fn bits(&mut self, width: u32, limbs: &[u64]) -> Term {
        let (manager, sort) = (self.manager.as_ptr(), self.sort(Sort::Bits(width)));
        if let (..=64, [limb]) = (width, limbs) {
            let value = limb & (u64::MAX >> (64 - width));
            // SAFETY: manager and sort are alive.
            return self.add(|| unsafe { bitwuzla_mk_bv_value_uint64(manager, sort, value) });
        }
        let mut text = values::digits(width, limbs);
        text.push(0);
        // SAFETY: manager and sort are alive; the text ends with a zero and is copied.
        self.add(|| unsafe { bitwuzla_mk_bv_value(manager, sort, text.as_ptr().cast(), 2) })
    }

    pub fn rounding(&mut self, mode: Rounding) -> Term {
        let manager = self.manager.as_ptr();
        // SAFETY: the manager is alive.
        self.add(|| unsafe { bitwuzla_mk_rm_value(manager, mode.number()) })
    }

    /// A constant in the sense of SMT-LIB that is open, different from all others.
    pub fn fresh(&mut self, sort: Sort) -> Term {
        let (manager, sort) = (self.manager.as_ptr(), self.sort(sort));
        // SAFETY: manager and sort are alive; a symbol is optional.
        self.add(|| unsafe { bitwuzla_mk_const(manager, sort, std::ptr::null()) })
    }

    /// An array that has this element everywhere.
    pub fn constant_array(&mut self, index: u32, width: u32, element: Term) -> Term {
        let (manager, sort, element) = (self.manager.as_ptr(), self.sort(Sort::Array(index, width)), self.raw(element));
        // SAFETY: manager, sort and element are alive.
        self.add(|| unsafe { bitwuzla_mk_const_array(manager, sort, element) })
    }

    pub fn term(&mut self, kind: Kind, arguments: &[Term]) -> Term {
        let manager = self.manager.as_ptr();
        let raw: smallvec::SmallVec<[*mut RawTerm; 4]> = arguments.iter().map(|argument| self.raw(*argument)).collect();
        // SAFETY: manager and arguments are alive; the list is as long as said.
        self.add(|| unsafe { bitwuzla_mk_term(manager, kind.number(), raw.len() as u32, raw.as_ptr()) })
    }

    pub fn term_indexed(&mut self, kind: Kind, arguments: &[Term], indices: &[u32]) -> Term {
        let manager = self.manager.as_ptr();
        let raw: smallvec::SmallVec<[*mut RawTerm; 4]> = arguments.iter().map(|argument| self.raw(*argument)).collect();
        let indices: smallvec::SmallVec<[u64; 2]> = indices.iter().map(|index| u64::from(*index)).collect();
        let (arguments, indices) = ((raw.len() as u32, raw.as_ptr()), (indices.len() as u32, indices.as_ptr()));
        // SAFETY: manager and arguments are alive; the lists are as long as said and outlive the call.
        self.add(|| unsafe {
            bitwuzla_mk_term_indexed(manager, kind.number(), arguments.0, arguments.1, indices.0, indices.1)
        })
    }
}

/// Solvers.
impl Context {
    pub fn new_solver(&mut self, options: Options) -> Solver {
        let settings = [
            (constants::BITWUZLA_OPT_PRODUCE_MODELS, true),
            (constants::BITWUZLA_OPT_PREPROCESS, options.preprocess),
            // On some products of sums it does not end, and nothing can stop it.
            (constants::BITWUZLA_OPT_PP_NORMALIZE, false),
            (constants::BITWUZLA_OPT_ABSTRACTION, options.abstraction),
            (constants::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, options.unsatisfiable_assumptions),
        ];
        // SAFETY: no arguments.
        let raw_options = call_pointer(|| unsafe { bitwuzla_options_new() }).as_ptr();
        for (option, value) in settings {
            // SAFETY: the options are alive until they are deleted below.
            call(|| unsafe { bitwuzla_set_option(raw_options, option, value.into()) });
        }
        let manager = self.manager.as_ptr();
        // SAFETY: the manager outlives the solver; the options are copied.
        let raw = call_pointer(|| unsafe { bitwuzla_new(manager, raw_options) });
        // SAFETY: made above, used by nobody any more.
        call(|| unsafe { bitwuzla_options_delete(raw_options) });
        let watch: Box<RefCell<Watch>> = Box::default();
        let state: *const RefCell<Watch> = &*watch;
        // SAFETY: the box stays where it is, and is dropped with the solver or after it.
        call(|| unsafe { bitwuzla_set_termination_callback(raw.as_ptr(), on_poll, state.cast()) });
        self.solvers.push(Some(SolverData { raw, watch }))
    }

    /// The solver's number must not be used any more.
    pub fn delete_solver(&mut self, solver: Solver) {
        if let Some(data) = self.solvers[solver].take() {
            // SAFETY: owned, and forgotten now.
            call(|| unsafe { bitwuzla_delete(data.raw.as_ptr()) });
        }
    }

    fn solver(&self, solver: Solver) -> &SolverData {
        self.solvers[solver].as_ref().unwrap_or_else(|| panic!("{solver} was deleted"))
    }

    pub fn push(&mut self, solver: Solver) {
        let raw = self.solver(solver).raw.as_ptr();
        // SAFETY: the solver is alive.
        call(|| unsafe { bitwuzla_push(raw, 1) });
    }

    pub fn pop(&mut self, solver: Solver, levels: usize) {
        let raw = self.solver(solver).raw.as_ptr();
        // SAFETY: the solver is alive.
        call(|| unsafe { bitwuzla_pop(raw, levels as u64) });
    }

    /// Of a boolean term, on the current level.
    pub fn assert(&mut self, solver: Solver, term: Term) {
        let (raw, term) = (self.solver(solver).raw.as_ptr(), self.raw(term));
        // SAFETY: solver and term are alive, and of one manager.
        call(|| unsafe { bitwuzla_assert(raw, term) });
    }

    /// Whether the assertions hold together with the assumptions; the latter are forgotten after.
    pub fn check(&mut self, solver: Solver, assumptions: &[Term], limits: Limits) -> Outcome {
        let assumptions: Vec<*mut RawTerm> = assumptions.iter().map(|term| self.raw(*term)).collect();
        let data = self.solver(solver);
        data.watch.replace(Watch::new(limits));
        let raw = data.raw.as_ptr();
        // SAFETY: solver and terms are alive; the list is as long as said.
        let result =
            call(|| unsafe { bitwuzla_check_sat_assuming(raw, assumptions.len() as u32, assumptions.as_ptr()) });
        match result {
            constants::BITWUZLA_SAT => Outcome::Satisfiable,
            constants::BITWUZLA_UNSAT => Outcome::Unsatisfiable,
            _ => Outcome::Stopped(data.watch.borrow().stop.get().unwrap_or(Stop::Unknown)),
        }
    }

    /// How often the solver asked during its last check whether it should stop.
    pub fn polls(&self, solver: Solver) -> u64 {
        self.solver(solver).watch.borrow().polls.get()
    }

    /// Whether an assumption was needed for the last answer, which was unsatisfiable.
    pub fn is_unsatisfiable_assumption(&mut self, solver: Solver, term: Term) -> bool {
        let (raw, term) = (self.solver(solver).raw.as_ptr(), self.raw(term));
        // SAFETY: solver and term are alive.
        call(|| unsafe { bitwuzla_is_unsat_assumption(raw, term) })
    }
}

/// A term that is released when it goes out of scope.
struct Borrowed(NonNull<RawTerm>);

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: one reference is ours, and it goes back once.
        unsafe { bitwuzla_term_release(self.0.as_ptr()) };
    }
}

impl Borrowed {
    fn is(&self, kind: u32) -> bool {
        // SAFETY: alive.
        call(|| unsafe { bitwuzla_term_get_kind(self.0.as_ptr()) }) == kind
    }

    fn bits(&self) -> Limbs {
        // SAFETY: alive, and a value, or Bitwuzla complains; the text stays until the next such call of this thread.
        let text = call(|| unsafe { bitwuzla_term_value_get_str_fmt(self.0.as_ptr(), 2) });
        // SAFETY: as above.
        values::parse(unsafe { CStr::from_ptr(text) }.to_bytes())
    }

    fn children<const COUNT: usize>(&self) -> [Borrowed; COUNT] {
        let mut count = 0;
        // SAFETY: alive; the list stays until the next such call of this thread, with one reference for us on each term.
        let list = call(|| unsafe { bitwuzla_term_get_children(self.0.as_ptr(), &mut count) });
        assert_eq!(count, COUNT, "a term of an unexpected form");
        // SAFETY: the list has `count` entries.
        std::array::from_fn(|at| Borrowed(call_pointer(|| unsafe { *list.add(at) })))
    }
}

/// Models: after a check that was satisfiable, until the solver's next change.
impl Context {
    fn value(&mut self, solver: Solver, term: Term) -> Borrowed {
        let (raw, term) = (self.solver(solver).raw.as_ptr(), self.raw(term));
        // SAFETY: solver and term are alive; the value comes with one reference.
        Borrowed(call_pointer(|| unsafe { bitwuzla_get_value(raw, term) }))
    }

    /// Of a boolean, a bit-vector or a float.
    pub fn bits_value(&mut self, solver: Solver, term: Term) -> Limbs {
        self.value(solver, term).bits()
    }

    pub fn array_value(&mut self, solver: Solver, term: Term) -> ArrayValue {
        let mut array = self.value(solver, term);
        let mut entries = Vec::new();
        while array.is(constants::BITWUZLA_KIND_ARRAY_STORE) {
            let [below, index, element] = array.children();
            entries.push((index.bits(), element.bits()));
            array = below;
        }
        let [default] = array.children();
        ArrayValue { default: default.bits(), entries }
    }
}
