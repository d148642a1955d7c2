//! Lists to terms. Nothing recurses: what is still to be done is a stack of tasks, and what was found a stack of terms.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_expr::Arena;
use symcrete_expr::dag::{FloatOperation, Rounding, Variable};

use super::declared::{Callee, Declared};
use super::real::Real;
use super::sorts::{Sorts, numeral};
use super::{Application, Misuse, Sort, Term, bits, core, float};
use crate::smtlib::error::{Error, Problem};
use crate::smtlib::function::Signature;
use crate::smtlib::read::{Kind, NodeId, Tree};

/// How many nodes are translated before a script is taken for one that never ends.
const MOST_STEPS: u64 = 200_000_000;

/// A defined function with parameters.
pub(in crate::smtlib) struct Function {
    number: u32,
    parameters: Vec<(Rc<str>, Sort)>,
    result: Sort,
    tree: Rc<Tree>,
    body: NodeId,
}

#[derive(Clone)]
enum Meaning {
    Term(Term),
    Function(Rc<Function>),
    Declared(Rc<Declared>),
}

enum Task {
    Translate(Rc<Tree>, NodeId),
    /// The arguments of this list are on the stack of terms.
    Apply(Rc<Tree>, NodeId),
    /// The values of this `let` are on the stack of terms.
    Bind(Rc<Tree>, NodeId),
    /// So many local names are no longer seen.
    Unbind(usize),
    /// The body of a function is on the stack of terms.
    Return {
        function: Rc<Function>,
        arguments: Vec<Term>,
        base: usize,
        tree: Rc<Tree>,
        node: NodeId,
    },
    /// The term on the stack gets a name.
    Name(Rc<str>),
    /// The float on the stack of terms as the machine converts it to an integer, in place of the vector below it that
    /// says the same.
    Convert(FloatOperation),
}

/// Knows the names of a script.
#[derive(Default)]
pub(in crate::smtlib) struct Translator {
    pub sorts: Sorts,
    globals: FxHashMap<Rc<str>, Meaning>,
    /// Names bound by `let` and parameters of functions, innermost last, each with its place in the order of bindings.
    locals: FxHashMap<Rc<str>, Vec<(usize, Term)>>,
    order: Vec<Rc<str>>,
    /// Locals from this place on are seen; older ones belong to a caller.
    base: usize,
    reals: Vec<Real>,
    variables: u32,
    functions: u32,
    /// What functions gave for arguments. Without it a few definitions could ask for an endless number of calls.
    calls: FxHashMap<(u32, Vec<Term>), Term>,
    /// Names that terms were given on the way.
    named: Vec<Rc<str>>,
    steps: u64,
}

impl Translator {
    pub fn translate(&mut self, arena: &mut Arena, tree: &Rc<Tree>, node: NodeId) -> Result<Term, Error> {
        let result = self.run(arena, vec![Task::Translate(tree.clone(), node)]);
        // After an error names may be left over.
        self.locals.clear();
        self.order.clear();
        self.base = 0;
        result
    }

    fn run(&mut self, arena: &mut Arena, mut tasks: Vec<Task>) -> Result<Term, Error> {
        let mut terms: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Translate(tree, node) => self.open(arena, tree, node, &mut tasks, &mut terms)?,
                Task::Apply(tree, node) => {
                    let arguments = terms.split_off(terms.len() - (tree.children(node).len() - 1));
                    self.apply(arena, tree, node, arguments, &mut tasks, &mut terms)?;
                }
                Task::Bind(tree, node) => {
                    let bindings = tree.children(tree.children(node)[1]);
                    let values = terms.split_off(terms.len() - bindings.len());
                    for (binding, value) in bindings.iter().zip(values) {
                        self.bind(tree.atom(tree.children(*binding)[0]).into(), value);
                    }
                    tasks.push(Task::Unbind(bindings.len()));
                    let body = tree.children(node)[2];
                    tasks.push(Task::Translate(tree, body));
                }
                Task::Unbind(count) => self.unbind(count),
                Task::Return { function, arguments, base, tree, node } => {
                    self.unbind(arguments.len());
                    self.base = base;
                    let found = terms.last().map_or(Sort::Real, |term| term.sort(arena));
                    if found != function.result {
                        return Err(tree.error(node, mismatch(function.result, found)));
                    }
                    if let Some(term) = terms.last() {
                        self.calls.insert((function.number, arguments), *term);
                    }
                }
                Task::Name(name) => {
                    if let Some(term) = terms.last() {
                        self.globals.insert(name.clone(), Meaning::Term(*term));
                        self.named.push(name);
                    }
                }
                Task::Convert(operation) => {
                    let float = terms.pop();
                    if let (Some(Term::Float(kind, float)), Some(Term::Bits(bits))) = (float, terms.last_mut()) {
                        let width = arena.width(*bits);
                        if width <= float::MOST_CONVERTED_BITS {
                            *bits = arena.float(operation, kind, Rounding::Zero, width, &[float]);
                        }
                    }
                }
            }
        }
        // Every task leaves what it promised, the first one a single term.
        Ok(terms.pop().unwrap_or(Term::Real(0)))
    }

    fn bind(&mut self, name: Rc<str>, term: Term) {
        self.locals.entry(name.clone()).or_default().push((self.order.len(), term));
        self.order.push(name);
    }

    fn unbind(&mut self, count: usize) {
        for _ in 0..count {
            let Some(name) = self.order.pop() else { return };
            if let Some(stack) = self.locals.get_mut(&name) {
                stack.pop();
            }
        }
    }

    fn local(&self, name: &str) -> Option<Term> {
        let (place, term) = self.locals.get(name)?.last()?;
        (*place >= self.base).then_some(*term)
    }

    /// Begins with a node: an atom is a term at once, a list gives tasks.
    fn open(
        &mut self,
        arena: &mut Arena,
        tree: Rc<Tree>,
        node: NodeId,
        tasks: &mut Vec<Task>,
        terms: &mut Vec<Term>,
    ) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(tree.error(node, Problem::TooLarge));
        }
        if tree.kind(node) != Kind::List {
            let term = self.atom(arena, &tree, node).map_err(|problem| tree.error(node, problem))?;
            terms.push(term);
            return Ok(());
        }
        let children = tree.children(node);
        let Some(&head) = children.first() else {
            return Err(tree.error(node, Problem::Expected("a term")));
        };
        match tree.symbol(head) {
            Some("let") => {
                let bindings = let_bindings(&tree, node)?;
                tasks.push(Task::Bind(tree.clone(), node));
                tasks.extend(bindings.into_iter().rev().map(|value| Task::Translate(tree.clone(), value)));
            }
            Some("!") => self.open_annotated(&tree, node, tasks)?,
            Some("forall" | "exists") => return Err(tree.error(node, Problem::Unsupported("quantifiers"))),
            Some("_") => {
                let (name, indices) = head_of(&tree, node)?;
                let found = self.named_constant(arena, &tree, node, &name, &indices)?;
                terms.push(found);
            }
            _ => {
                let arguments = children[1..].to_vec();
                tasks.push(Task::Apply(tree.clone(), node));
                tasks.extend(arguments.into_iter().rev().map(|argument| Task::Translate(tree.clone(), argument)));
            }
        }
        Ok(())
    }

    /// A term with attributes, of which two kinds matter.
    fn open_annotated(&mut self, tree: &Rc<Tree>, node: NodeId, tasks: &mut Vec<Task>) -> Result<(), Error> {
        let [_, term, attributes @ ..] = tree.children(node) else {
            return Err(tree.error(node, Problem::Expected("a term with attributes")));
        };
        let translate = |node: NodeId| Task::Translate(tree.clone(), node);
        // What is on the stack of tasks last is done first.
        let mut conversions = Vec::new();
        for pair in attributes.windows(2).filter(|pair| tree.kind(pair[0]) == Kind::Keyword) {
            let [keyword, value] = [pair[0], pair[1]];
            match (tree.atom(keyword), tree.symbol(value)) {
                ("named", Some(name)) => {
                    self.must_be_new(name).map_err(|problem| tree.error(value, problem))?;
                    tasks.push(Task::Name(name.into()));
                }
                ("machine-signed", _) => conversions.push((FloatOperation::ToSigned, value)),
                ("machine-unsigned", _) => conversions.push((FloatOperation::ToUnsigned, value)),
                _ => {}
            }
        }
        for (operation, float) in conversions {
            tasks.extend([Task::Convert(operation), translate(float)]);
        }
        tasks.push(translate(*term));
        Ok(())
    }

    fn atom(&mut self, arena: &mut Arena, tree: &Tree, node: NodeId) -> Result<Term, Problem> {
        let text = tree.atom(node);
        match tree.kind(node) {
            Kind::Hexadecimal => Ok(Term::Bits(bits::literal(arena, text, 4)?)),
            Kind::Binary => Ok(Term::Bits(bits::literal(arena, text, 1)?)),
            Kind::Numeral | Kind::Decimal => {
                let real = Real::parse(text)?;
                Ok(self.real(real))
            }
            Kind::Symbol => {
                if let Some(term) = self.local(text) {
                    return Ok(term);
                }
                match self.globals.get(text) {
                    Some(Meaning::Term(term)) => Ok(*term),
                    Some(Meaning::Function(_) | Meaning::Declared(_)) => {
                        Err(Problem::Arguments { name: text.into(), given: "nothing".into() })
                    }
                    None => core::constant(arena, text).ok_or_else(|| Problem::UnknownSymbol(text.to_owned())),
                }
            }
            _ => Err(Problem::Expected("a term")),
        }
    }

    fn real(&mut self, real: Real) -> Term {
        self.reals.push(real);
        Term::Real(self.reals.len() as u32 - 1)
    }

    /// `(_ bv5 8)` and its like.
    fn named_constant(
        &mut self,
        arena: &mut Arena,
        tree: &Tree,
        node: NodeId,
        name: &str,
        indices: &[u64],
    ) -> Result<Term, Error> {
        let decimal = name.strip_prefix("bv").filter(|digits| digits.starts_with(|digit: char| digit.is_ascii_digit()));
        if let (Some(digits), [bits]) = (decimal, indices) {
            let found = bits::decimal(arena, digits, *bits).map_err(|problem| tree.error(node, problem))?;
            return Ok(Term::Bits(found));
        }
        self.builtin(arena, tree, node, &Application { name, indices, arguments: &[] })
    }

    fn apply(
        &mut self,
        arena: &mut Arena,
        tree: Rc<Tree>,
        node: NodeId,
        arguments: Vec<Term>,
        tasks: &mut Vec<Task>,
        terms: &mut Vec<Term>,
    ) -> Result<(), Error> {
        let head = tree.children(node)[0];
        match tree.symbol(head).and_then(|name| self.globals.get(name)) {
            Some(Meaning::Function(function)) => {
                let function = function.clone();
                return self.call(arena, tree, node, function, arguments, tasks, terms);
            }
            Some(Meaning::Declared(function)) => {
                let called = function.call(arena, &arguments);
                terms.push(called.ok_or_else(|| misapplied(arena, &tree, node, &arguments))?);
                return Ok(());
            }
            Some(Meaning::Term(_)) | None => {}
        }
        if let Some(array) = self.constant_array(arena, &tree, head, &arguments)? {
            terms.push(array);
            return Ok(());
        }
        let (name, indices) = head_of(&tree, head)?;
        let application = Application { name: &name, indices: &indices, arguments: &arguments };
        let term = self.builtin(arena, &tree, node, &application)?;
        terms.push(term);
        Ok(())
    }

    fn call(
        &mut self,
        arena: &Arena,
        tree: Rc<Tree>,
        node: NodeId,
        function: Rc<Function>,
        arguments: Vec<Term>,
        tasks: &mut Vec<Task>,
        terms: &mut Vec<Term>,
    ) -> Result<(), Error> {
        let sorts = function.parameters.iter().map(|(_, sort)| *sort);
        if !sorts.eq(arguments.iter().map(|argument| argument.sort(arena))) {
            return Err(misapplied(arena, &tree, node, &arguments));
        }
        let key = (function.number, arguments);
        if let Some(known) = self.calls.get(&key) {
            terms.push(*known);
            return Ok(());
        }
        let (_, arguments) = key;
        let base = std::mem::replace(&mut self.base, self.order.len());
        for ((name, _), argument) in function.parameters.iter().zip(&arguments) {
            self.bind(name.clone(), *argument);
        }
        let (body_tree, body) = (function.tree.clone(), function.body);
        tasks.push(Task::Return { function, arguments, base, tree, node });
        tasks.push(Task::Translate(body_tree, body));
        Ok(())
    }

    /// `((as const SORT) value)`.
    fn constant_array(
        &mut self,
        arena: &mut Arena,
        tree: &Tree,
        head: NodeId,
        arguments: &[Term],
    ) -> Result<Option<Term>, Error> {
        let &[first, second, sort] = tree.children(head) else { return Ok(None) };
        if tree.symbol(first) != Some("as") || tree.symbol(second) != Some("const") {
            return Ok(None);
        }
        match (self.sorts.read(tree, sort)?, arguments) {
            (Sort::Array { index, element }, &[Term::Bits(value)]) if arena.width(value) == element => {
                Ok(Some(core::constant_array(arena, index, value)))
            }
            _ => {
                let given = described(arena, arguments);
                Err(tree.error(head, Problem::Arguments { name: tree.source(head), given }))
            }
        }
    }

    /// What SMT-LIB itself defines.
    fn builtin(
        &mut self,
        arena: &mut Arena,
        tree: &Tree,
        node: NodeId,
        application: &Application,
    ) -> Result<Term, Error> {
        let found = self.find_builtin(arena, application);
        let problem = match found {
            Ok(Some(term)) => return Ok(term),
            Ok(None) => Problem::UnknownSymbol(application.name.to_owned()),
            Err(Misuse::Indices) => Problem::Indices { name: application.name.to_owned() },
            Err(Misuse::Problem(problem)) => problem,
            Err(Misuse::Arguments) => {
                let given = described(arena, application.arguments);
                Problem::Arguments { name: application.name.to_owned(), given }
            }
        };
        Err(tree.error(node, problem))
    }

    fn find_builtin(&mut self, arena: &mut Arena, application: &Application) -> super::Applied {
        match (application.name, application.arguments) {
            ("-", [Term::Real(a)]) => {
                let negated = self.reals[*a as usize].negated();
                return Ok(Some(self.real(negated)));
            }
            ("/", [Term::Real(a), Term::Real(b)]) => {
                let quotient = self.reals[*a as usize].divided(&self.reals[*b as usize])?;
                return Ok(Some(self.real(quotient)));
            }
            _ => {}
        }
        if let Some(term) = core::apply(arena, application)? {
            return Ok(Some(term));
        }
        if let Some(term) = bits::apply(arena, application)? {
            return Ok(Some(term));
        }
        float::apply(arena, application, &self.reals)
    }

    fn must_be_new(&self, name: &str) -> Result<(), Problem> {
        match self.globals.contains_key(name) {
            true => Err(Problem::Redeclared(name.to_owned())),
            false => Ok(()),
        }
    }

    /// A new constant.
    pub fn declare(&mut self, arena: &mut Arena, name: &str, sort: Sort) -> Result<Term, Problem> {
        self.must_be_new(name)?;
        let term = self.unknown(arena, sort)?;
        self.globals.insert(name.into(), Meaning::Term(term));
        Ok(term)
    }

    /// A term of which nothing is known.
    fn unknown(&mut self, arena: &mut Arena, sort: Sort) -> Result<Term, Problem> {
        let input = self.variables;
        self.variables += 1;
        let mut variable = |width, index_width| arena.variable(Variable { input, offset: 0, width, index_width });
        Ok(match sort {
            Sort::Boolean => Term::Boolean(variable(1, 0)),
            Sort::Bits(width) => Term::Bits(variable(width, 0)),
            Sort::Float(kind) => {
                let (exponent, significand) = crate::smtlib::value::float_format(kind);
                let bits = variable(exponent + significand, 0);
                Term::Float(kind, float::from_interchange(arena, kind, bits))
            }
            Sort::Array { index, element } => Term::Array { array: variable(element, index), offset: None },
            Sort::Rounding => return Err(Problem::Unsupported("rounding modes that are not constant")),
            Sort::Real => return Err(Problem::Unsupported("reals")),
        })
    }

    pub fn define(&mut self, name: &str, term: Term) -> Result<(), Problem> {
        self.must_be_new(name)?;
        self.globals.insert(name.into(), Meaning::Term(term));
        Ok(())
    }

    /// A name that was declared gets another meaning.
    pub fn replace(&mut self, name: &str, term: Term) {
        self.globals.insert(name.into(), Meaning::Term(term));
    }

    pub fn declare_function(&mut self, name: &str, callee: Callee, signature: &Signature) -> Result<(), Problem> {
        self.must_be_new(name)?;
        let declared = Declared::new(callee, signature);
        self.globals.insert(name.into(), Meaning::Declared(Rc::new(declared)));
        Ok(())
    }

    /// A function with parameters. Its body is translated once with unknown arguments, so that errors are seen where it
    /// is defined.
    pub fn define_function(
        &mut self,
        arena: &mut Arena,
        name: &str,
        parameters: Vec<(Rc<str>, Sort)>,
        result: Sort,
        tree: &Rc<Tree>,
        body: NodeId,
    ) -> Result<(), Error> {
        self.must_be_new(name).map_err(|problem| tree.error(tree.root(), problem))?;
        let number = self.functions;
        self.functions += 1;
        let function = Rc::new(Function { number, parameters, result, tree: tree.clone(), body });
        for (name, sort) in &function.parameters {
            let argument = match sort {
                Sort::Rounding => Ok(Term::Rounding(Rounding::NearestEven)),
                _ => self.unknown(arena, *sort),
            };
            let argument = argument.map_err(|problem| tree.error(tree.root(), problem))?;
            self.bind(name.clone(), argument);
        }
        let found = self.translate(arena, tree, body)?.sort(arena);
        if found != result {
            return Err(tree.error(body, mismatch(result, found)));
        }
        self.globals.insert(name.into(), Meaning::Function(function));
        Ok(())
    }

    pub fn forget(&mut self, name: &str) {
        self.globals.remove(name);
    }

    /// The names that terms were given since this was last asked.
    pub fn take_named(&mut self) -> Vec<Rc<str>> {
        std::mem::take(&mut self.named)
    }
}

fn misapplied(arena: &Arena, tree: &Tree, node: NodeId, arguments: &[Term]) -> Error {
    let name = tree.source(tree.children(node)[0]);
    tree.error(node, Problem::Arguments { name, given: described(arena, arguments) })
}

pub(in crate::smtlib) fn mismatch(expected: Sort, found: Sort) -> Problem {
    Problem::WrongSort { expected: expected.to_string(), found: found.to_string() }
}

fn described(arena: &Arena, terms: &[Term]) -> String {
    /// The sorts of many arguments are not worth reading.
    const MOST: usize = 4;
    let sorts: Vec<String> = terms.iter().take(MOST).map(|term| term.sort(arena).to_string()).collect();
    match (terms.len(), sorts.join(", ")) {
        (0, _) => "nothing".to_owned(),
        (count, sorts) if count > MOST => format!("{sorts} and {} more", count - MOST),
        (_, sorts) => sorts,
    }
}

/// The values of a `let`, after a look at its form.
fn let_bindings(tree: &Tree, node: NodeId) -> Result<Vec<NodeId>, Error> {
    let malformed = |at| tree.error(at, Problem::Expected("(let ((name value) ...) term)"));
    let &[_, bindings, _] = tree.children(node) else { return Err(malformed(node)) };
    if tree.kind(bindings) != Kind::List {
        return Err(malformed(bindings));
    }
    let value = |binding: &NodeId| match tree.children(*binding) {
        &[name, value] if tree.symbol(name).is_some() => Ok(value),
        _ => Err(malformed(*binding)),
    };
    tree.children(bindings).iter().map(value).collect()
}

/// What is applied: a name, or `(_ name index ...)`.
fn head_of(tree: &Tree, head: NodeId) -> Result<(String, Vec<u64>), Error> {
    if let Some(name) = tree.symbol(head) {
        return Ok((name.to_owned(), Vec::new()));
    }
    let wrong = || tree.error(head, Problem::Expected("the name of an operation"));
    let [underscore, name, indices @ ..] = tree.children(head) else { return Err(wrong()) };
    let name = tree.symbol(*name).filter(|_| tree.symbol(*underscore) == Some("_")).ok_or_else(wrong)?;
    let number = |index: &NodeId| {
        numeral(tree, *index).ok_or_else(|| tree.error(*index, Problem::Expected("a number that fits a word")))
    };
    Ok((name.to_owned(), indices.iter().map(number).collect::<Result<_, _>>()?))
}
