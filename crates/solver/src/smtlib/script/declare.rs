//! Names and their meaning: constants, definitions, sorts, functions that somebody else knows, and names for the bits
//! of floats.

use std::rc::Rc;

use super::{Name, Script};
use crate::smtlib::error::{Error, Problem};
use crate::smtlib::function::{self, Signature, Unresolved, ValueSort};
use crate::smtlib::read::{Kind, NodeId, Tree};
use crate::smtlib::term::{Callee, Sort, Term, numeral};

impl Script<'_> {
    pub(super) fn declare(&mut self, tree: &Tree, command: &str, arguments: &[NodeId]) -> Result<(), Error> {
        let malformed = || tree.error(tree.root(), Problem::Expected("a name and a sort"));
        let (name, sort) = match *arguments {
            [name, sort] if command == "declare-const" => (name, sort),
            [name, parameters, sort] if command == "declare-fun" && tree.children(parameters).is_empty() => {
                (name, sort)
            }
            [name, parameters, sort, ref attributes @ ..] if command == "declare-fun" => {
                return self.declare_function(tree, name, tree.children(parameters), sort, attributes);
            }
            _ => return Err(malformed()),
        };
        let symbol = tree.symbol(name).ok_or_else(malformed)?;
        let sort = self.translator.sorts.read(tree, sort)?;
        let declared = self.translator.declare(&mut self.arena, symbol, sort);
        let term = declared.map_err(|problem| tree.error(name, problem))?;
        self.names.push(Name::Term(symbol.into()));
        self.declared.push((symbol.into(), term));
        self.unused = Some(symbol.into());
        self.model = None;
        Ok(())
    }

    /// A function without a body: one that is known by its name, or by the name that `:pure` gives.
    fn declare_function(
        &mut self,
        tree: &Tree,
        name: NodeId,
        parameters: &[NodeId],
        result: NodeId,
        attributes: &[NodeId],
    ) -> Result<(), Error> {
        let symbol = tree.symbol(name).ok_or_else(|| tree.error(name, Problem::Expected("the name of a function")))?;
        let known_as = match *attributes {
            [] => without_distinction(symbol),
            [keyword, text] if tree.atom(keyword) == "pure" && tree.kind(text) == Kind::String => tree.atom(text),
            [other, ..] => return Err(tree.error(other, Problem::Expected("nothing more, or :pure \"name\","))),
        };
        let value_sort = |node: NodeId| {
            let sort = self.translator.sorts.read(tree, node)?;
            ValueSort::of(sort).ok_or_else(|| tree.error(node, Problem::FunctionOf(sort.to_string())))
        };
        let sorts: Vec<ValueSort> = parameters.iter().map(|node| value_sort(*node)).collect::<Result<_, _>>()?;
        let signature = Signature { name: known_as, parameters: &sorts, result: value_sort(result)? };
        let callee = match function::remainder(&signature) {
            Some(kind) => Callee::Remainder(kind),
            None => {
                let found = (self.resolver)(&signature).map_err(|unresolved| {
                    let problem = match unresolved {
                        Unresolved::Name if attributes.is_empty() => Problem::WithoutBody(known_as.to_owned()),
                        Unresolved::Name => Problem::UnknownFunction(known_as.to_owned()),
                        Unresolved::Sorts(right) => Problem::FunctionSorts { name: known_as.to_owned(), right },
                    };
                    tree.error(name, problem)
                })?;
                Callee::Function(self.arena.add_function(found))
            }
        };
        let declared = self.translator.declare_function(symbol, callee, &signature);
        declared.map_err(|problem| tree.error(name, problem))?;
        self.names.push(Name::Term(symbol.into()));
        Ok(())
    }

    /// `(! (= ((_ to_fp E S) NAME) FLOAT) :bits NAME)`, right after the declaration of NAME: the name is for the bits
    /// of the float. That says more than the assertion does, which holds for the bits of any NaN.
    pub(super) fn name_bits(&mut self, tree: &Rc<Tree>, node: NodeId, name: &Rc<str>) -> Result<bool, Error> {
        let Some(float) = named_float(tree, node, name) else { return Ok(false) };
        let Term::Float(kind, bits) = self.translator.translate(&mut self.arena, tree, float)? else {
            return Ok(false);
        };
        let Some((_, term)) = self.declared.last_mut() else { return Ok(false) };
        if kind.stores_leading_bit() || term.sort(&self.arena) != Sort::Bits(kind.bits()) {
            return Ok(false);
        }
        *term = Term::Bits(bits);
        self.translator.replace(name, Term::Bits(bits));
        Ok(true)
    }

    pub(super) fn define(&mut self, tree: &Rc<Tree>, command: &str, arguments: &[NodeId]) -> Result<(), Error> {
        let malformed = || tree.error(tree.root(), Problem::Expected("a name, parameters, a sort and a term"));
        let (name, parameters, sort, body) = match *arguments {
            [name, parameters, sort, body] if command == "define-fun" => (name, tree.children(parameters), sort, body),
            [name, sort, body] if command == "define-const" => (name, &[][..], sort, body),
            _ => return Err(malformed()),
        };
        let symbol = tree.symbol(name).ok_or_else(malformed)?;
        let sort = self.translator.sorts.read(tree, sort)?;
        if parameters.is_empty() {
            let term = self.translator.translate(&mut self.arena, tree, body)?;
            self.expect(tree, body, term, sort)?;
            self.translator.define(symbol, term).map_err(|problem| tree.error(name, problem))?;
        } else {
            let mut typed = Vec::new();
            for parameter in parameters {
                let &[name, sort] = tree.children(*parameter) else { return Err(malformed()) };
                let symbol = tree.symbol(name).ok_or_else(malformed)?;
                typed.push((symbol.into(), self.translator.sorts.read(tree, sort)?));
            }
            self.translator.define_function(&mut self.arena, symbol, typed, sort, tree, body)?;
        }
        self.names.push(Name::Term(symbol.into()));
        Ok(())
    }

    pub(super) fn define_sort(&mut self, tree: &Tree, arguments: &[NodeId]) -> Result<(), Error> {
        let malformed = || tree.error(tree.root(), Problem::Expected("a name, parameters and a sort"));
        let &[name, parameters, sort] = arguments else { return Err(malformed()) };
        let symbol = tree.symbol(name).ok_or_else(malformed)?;
        if !tree.children(parameters).is_empty() {
            return Err(tree.error(parameters, Problem::Unsupported("sorts with parameters")));
        }
        let sort = self.translator.sorts.read(tree, sort)?;
        self.translator.sorts.define(symbol, sort).map_err(|problem| tree.error(name, problem))?;
        self.names.push(Name::Sort(symbol.into()));
        Ok(())
    }
}

/// A name up to its first parenthesis: what follows only tells functions with different sorts apart.
fn without_distinction(symbol: &str) -> &str {
    symbol.split_once('(').map_or(symbol, |(name, _)| name)
}

/// The float whose bits the annotated assertion gives a name.
fn named_float(tree: &Tree, node: NodeId, name: &str) -> Option<NodeId> {
    let &[mark, equality, keyword, named] = tree.children(node) else { return None };
    let annotated = tree.symbol(mark) == Some("!") && tree.kind(keyword) == Kind::Keyword;
    if !annotated || tree.atom(keyword) != "bits" || tree.symbol(named) != Some(name) {
        return None;
    }
    let &[equals, conversion, float] = tree.children(equality) else { return None };
    let &[to_float, converted] = tree.children(conversion) else { return None };
    let &[underscore, operation, exponent, significand] = tree.children(to_float) else { return None };
    let indexed = tree.symbol(underscore) == Some("_") && tree.symbol(operation) == Some("to_fp");
    let numbers = numeral(tree, exponent).is_some() && numeral(tree, significand).is_some();
    let fits = tree.symbol(equals) == Some("=") && indexed && numbers && tree.symbol(converted) == Some(name);
    fits.then_some(float)
}
