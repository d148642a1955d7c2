//! Executes the commands of a script against a chain, and answers in the words of SMT-LIB. How terms are read is in `term`, how
//! names get their meaning in `script/declare.rs`.

mod declare;

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, Function};
use symcrete_expr::{Arena, Expr, Model};

use super::error::{Error, Problem};
use super::function::{Resolver, Signature, Unresolved};
use super::read::{Kind, NodeId, Reader, Tree};
use super::term::{Sort, Term, Translator, mismatch, numeral};
use super::value;
use crate::answer::{Answer, Limits, Reason};
use crate::chain::Chain;

/// How a script ended.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Questions that were answered `sat` or `unsat`.
    pub decided: u64,
    /// Questions that were answered `unknown`.
    pub unknown: u64,
    /// What could not be read; the script stopped there. The same words were given as output.
    pub error: Option<Error>,
}

/// The state of a script between commands.
pub struct Script<'a> {
    chain: Chain,
    arena: Arena,
    /// How long each question may take; asked anew for each.
    limits: Box<dyn FnMut() -> Limits + 'a>,
    resolver: Box<Resolver<'a>>,
    translator: Translator,
    assertions: Vec<Expr>,
    /// Constants in the order of their declaration.
    declared: Vec<(Rc<str>, Term)>,
    /// All names, to be forgotten by `pop`.
    names: Vec<Name>,
    /// The constant that the last command declared: nothing uses it yet.
    unused: Option<Rc<str>>,
    levels: Vec<Level>,
    model: Option<Rc<Model>>,
    reason: Option<Reason>,
    print_success: bool,
}

enum Name {
    Term(Rc<str>),
    Sort(Rc<str>),
}

/// How much there was before a `push`.
struct Level {
    assertions: usize,
    declared: usize,
    names: usize,
}

enum Next {
    Continue,
    Exit,
}

type Output<'o> = &'o mut dyn FnMut(&str);

impl<'a> Script<'a> {
    /// The chain must be new: what it knows is about one arena, and the script has its own. `limits` says how long a question may
    /// take, each time that one is asked.
    pub fn new(chain: Chain, limits: impl FnMut() -> Limits + 'a) -> Script<'a> {
        Script {
            chain,
            arena: Arena::new(),
            limits: Box::new(limits),
            resolver: Box::new(|_| Err(Unresolved::Name)),
            translator: Translator::default(),
            assertions: Vec::new(),
            declared: Vec::new(),
            names: Vec::new(),
            unused: None,
            levels: Vec::new(),
            model: None,
            reason: None,
            print_success: false,
        }
    }

    /// Functions that the script declares without a body are looked up here. Without this, there are none.
    pub fn with_functions(self, resolver: impl Fn(&Signature) -> Result<Function, Unresolved> + 'a) -> Script<'a> {
        Script { resolver: Box::new(resolver), ..self }
    }

    /// What is asserted at present.
    pub fn assertions(&self) -> (&Arena, &[Expr]) {
        (&self.arena, &self.assertions)
    }

    pub fn chain(&mut self) -> &mut Chain {
        &mut self.chain
    }

    /// Executes commands until the end, `exit`, or the first one that makes no sense: what comes after that would be about
    /// something else than the script says. Output comes in lines.
    pub fn run(&mut self, text: &str, output: &mut dyn FnMut(&str)) -> Outcome {
        let mut outcome = Outcome::default();
        if let Err(error) = self.run_commands(text, output, &mut outcome) {
            output(&error_line(&error));
            outcome.error = Some(error);
        }
        outcome
    }

    fn run_commands(&mut self, text: &str, output: Output, outcome: &mut Outcome) -> Result<(), Error> {
        let mut reader = Reader::new(text)?;
        while let Some(tree) = reader.next_command()? {
            let tree = Rc::new(tree);
            let next = self.execute(&tree, output, outcome)?;
            let named = self.translator.take_named();
            self.names.extend(named.into_iter().map(Name::Term));
            if let Next::Exit = next {
                break;
            }
        }
        Ok(())
    }

    fn execute(&mut self, tree: &Rc<Tree>, output: Output, outcome: &mut Outcome) -> Result<Next, Error> {
        let root = tree.root();
        let parts = tree.children(root);
        let name = parts.first().and_then(|name| tree.symbol(*name));
        let Some(name) = name else { return Err(tree.error(root, Problem::NotACommand)) };
        let arguments = &parts[1..];
        // What the questions say is their own answer; the others may be told to say that they succeeded.
        let mut silent = true;
        let unused = self.unused.take();
        match name {
            "set-logic" | "set-info" => {}
            "set-option" => self.set_option(tree, arguments),
            "declare-fun" | "declare-const" => self.declare(tree, name, arguments)?,
            "define-fun" | "define-const" => self.define(tree, name, arguments)?,
            "define-sort" => self.define_sort(tree, arguments)?,
            "assert" => {
                let &[term] = arguments else { return Err(tree.error(root, Problem::Expected("(assert term)"))) };
                self.assert(tree, term, unused)?;
            }
            "push" => self.push(count(tree, arguments)?),
            "pop" => self.pop(tree, count(tree, arguments)?)?,
            "reset-assertions" => self.reset_assertions(),
            "reset" => {
                self.reset_assertions();
                self.print_success = false;
            }
            "exit" => return Ok(Next::Exit),
            _ => {
                silent = false;
                self.ask(tree, name, arguments, output, outcome)?;
            }
        }
        if silent && self.print_success {
            output("success");
        }
        Ok(Next::Continue)
    }

    /// Commands that are answered.
    fn ask(
        &mut self,
        tree: &Rc<Tree>,
        name: &str,
        arguments: &[NodeId],
        output: Output,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        match name {
            "check-sat" => self.check(&[], output, outcome),
            "check-sat-assuming" => {
                let list = arguments.first().map_or(&[][..], |list| tree.children(*list));
                let assumptions: Result<Vec<Expr>, Error> = list.iter().map(|term| self.boolean(tree, *term)).collect();
                self.check(&assumptions?, output, outcome);
            }
            "get-model" => match &self.model {
                Some(model) => {
                    let model = model.clone();
                    self.print_model(&model, output);
                }
                None => output(&error_line(&tree.error(tree.root(), Problem::NoModel))),
            },
            "get-value" => match &self.model {
                Some(model) => {
                    let model = model.clone();
                    self.print_values(tree, arguments, &model, output)?;
                }
                None => output(&error_line(&tree.error(tree.root(), Problem::NoModel))),
            },
            "echo" => output(&arguments.first().map_or_else(String::new, |text| tree.source(*text))),
            "get-info" => self.print_info(tree, arguments, output),
            "get-option"
            | "get-assertions"
            | "get-assignment"
            | "get-proof"
            | "get-unsat-core"
            | "get-unsat-assumptions" => output("unsupported"),
            other => return Err(tree.error(tree.root(), Problem::UnknownCommand(other.to_owned()))),
        }
        Ok(())
    }

    fn set_option(&mut self, tree: &Tree, arguments: &[NodeId]) {
        if let &[option, value] = arguments
            && tree.atom(option) == "print-success"
        {
            self.print_success = tree.symbol(value) == Some("true");
        }
    }

    fn expect(&self, tree: &Tree, node: NodeId, term: Term, wanted: Sort) -> Result<(), Error> {
        let found = term.sort(&self.arena);
        if found == wanted { Ok(()) } else { Err(tree.error(node, mismatch(wanted, found))) }
    }

    fn boolean(&mut self, tree: &Rc<Tree>, node: NodeId) -> Result<Expr, Error> {
        match self.translator.translate(&mut self.arena, tree, node)? {
            Term::Boolean(constraint) => Ok(constraint),
            other => Err(tree.error(node, mismatch(Sort::Boolean, other.sort(&self.arena)))),
        }
    }

    fn assert(&mut self, tree: &Rc<Tree>, term: NodeId, unused: Option<Rc<str>>) -> Result<(), Error> {
        self.model = None;
        if let Some(name) = unused
            && self.name_bits(tree, term, &name)?
        {
            return Ok(());
        }
        let constraint = self.boolean(tree, term)?;
        self.assertions.push(constraint);
        Ok(())
    }

    fn push(&mut self, count: u64) {
        /// Levels that hold nothing cost memory all the same.
        const MOST_LEVELS: u64 = 1_000_000;
        for _ in 0..count.min(MOST_LEVELS) {
            let (assertions, declared, names) = (self.assertions.len(), self.declared.len(), self.names.len());
            self.levels.push(Level { assertions, declared, names });
        }
    }

    fn pop(&mut self, tree: &Tree, count: u64) -> Result<(), Error> {
        let levels = self.levels.len();
        if count > levels as u64 {
            return Err(tree.error(tree.root(), Problem::Levels(levels)));
        }
        for _ in 0..count {
            // As many as there are, by the line above.
            let Some(level) = self.levels.pop() else { break };
            self.return_to(&level);
        }
        Ok(())
    }

    fn return_to(&mut self, level: &Level) {
        self.assertions.truncate(level.assertions);
        self.declared.truncate(level.declared);
        for name in self.names.drain(level.names..) {
            match name {
                Name::Term(name) => self.translator.forget(&name),
                Name::Sort(name) => self.translator.sorts.forget(&name),
            }
        }
        self.model = None;
    }

    fn reset_assertions(&mut self) {
        self.levels.clear();
        self.return_to(&Level { assertions: 0, declared: 0, names: 0 });
    }

    fn check(&mut self, assumptions: &[Expr], output: Output, outcome: &mut Outcome) {
        let constraints = [&self.assertions, assumptions].concat();
        let limits = (self.limits)();
        (self.model, self.reason) = (None, None);
        let word = match self.chain.solve_with(&mut self.arena, &constraints, &limits) {
            Answer::Sat(model) => {
                self.model = Some(Rc::new(model));
                "sat"
            }
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => {
                self.reason = Some(reason);
                "unknown"
            }
        };
        match self.reason {
            None => outcome.decided += 1,
            Some(_) => outcome.unknown += 1,
        }
        output(word);
    }

    fn print_model(&mut self, model: &Rc<Model>, output: Output) {
        let mut evaluator = Evaluator::new(model.clone());
        output("(");
        for (name, term) in &self.declared {
            let sort = term.sort(&self.arena);
            if let Some(value) = value_of(&self.arena, &mut evaluator, *term) {
                output(&format!("  (define-fun {} () {sort} {value})", value::symbol(name)));
            }
        }
        output(")");
    }

    fn print_values(
        &mut self,
        tree: &Rc<Tree>,
        arguments: &[NodeId],
        model: &Rc<Model>,
        output: Output,
    ) -> Result<(), Error> {
        let mut evaluator = Evaluator::new(model.clone());
        let list = arguments.first().map_or(&[][..], |list| tree.children(*list));
        let mut pairs = Vec::new();
        for node in list {
            let term = self.translator.translate(&mut self.arena, tree, *node)?;
            let value = value_of(&self.arena, &mut evaluator, term);
            let sort = || tree.error(*node, Problem::NoValue(term.sort(&self.arena).to_string()));
            pairs.push(format!("({} {})", tree.source(*node), value.ok_or_else(sort)?));
        }
        output(&format!("({})", pairs.join("\n ")));
        Ok(())
    }

    fn print_info(&self, tree: &Tree, arguments: &[NodeId], output: Output) {
        let wanted = arguments.first().map_or("", |keyword| tree.atom(*keyword));
        match wanted {
            "name" => output("(:name \"symcrete\")"),
            "version" => output(concat!("(:version \"", env!("CARGO_PKG_VERSION"), "\")")),
            "error-behavior" => output("(:error-behavior immediate-exit)"),
            "reason-unknown" => {
                let reason = match self.reason {
                    None => "there is no unknown answer",
                    Some(Reason::Limit) => "timeout",
                    Some(Reason::NanBits) => "the answer hangs on the bits of a NaN",
                    Some(Reason::Inexpressible) => "incomplete",
                    Some(Reason::Internal) => "internal error: a wrong model",
                    Some(Reason::Interrupted) => "interrupted",
                };
                output(&format!("(:reason-unknown \"{reason}\")"));
            }
            _ => output("unsupported"),
        }
    }
}

fn error_line(error: &Error) -> String {
    format!("(error \"{}\")", error.to_string().replace('"', "\"\""))
}

/// The number of levels; one if none is given.
fn count(tree: &Tree, arguments: &[NodeId]) -> Result<u64, Error> {
    match arguments {
        [] => Ok(1),
        [number] if tree.kind(*number) == Kind::Numeral => {
            numeral(tree, *number).ok_or_else(|| tree.error(*number, Problem::TooLarge))
        }
        [other, ..] => Err(tree.error(*other, Problem::Expected("a number of levels"))),
    }
}

/// `None` for what has no value to print, such as an array that is not a constant of the script.
fn value_of(arena: &Arena, evaluator: &mut Evaluator, term: Term) -> Option<String> {
    match term {
        Term::Boolean(expr) => Some(evaluator.holds(arena, expr).to_string()),
        Term::Bits(expr) => Some(value::literal(&evaluator.value(arena, expr))),
        Term::Float(kind, expr) => Some(value::float_literal(kind, evaluator.value(arena, expr).low_u128())),
        Term::Array { array, offset: None } => {
            let variable = arena.variable_of(array)?;
            let model = evaluator.model().array(variable).cloned();
            let zero = || symcrete_expr::Bits::zero(arena.width(array));
            let empty = || symcrete_expr::dag::ArrayModel { default: zero(), entries: Default::default() };
            Some(value::array_literal(arena.index_width(array), &model.unwrap_or_else(empty)))
        }
        Term::Array { .. } | Term::Rounding(_) | Term::Real(_) => None,
    }
}
