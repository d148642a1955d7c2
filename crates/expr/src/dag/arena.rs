//! Where nodes live: each once, found by its content. Building with simplification is in `build`.

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;
use std::rc::Rc;
use std::sync::Arc;

use super::facts::Facts;
use super::node::{Expr, Node, Op};
use super::partition::{NumberKind, Partition};
use super::pool::Pool;
use crate::Bits;

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(u32);
entity_impl!(VariableId, "v");

/// A function without side effects that expressions may call.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// Where a symbolic value comes from. The same key is the same variable in every path: what a path calls its third input is
/// for the path to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The number of the input in the order in which a path made its inputs.
    pub input: u32,
    /// Where in the input, in bytes.
    pub offset: u32,
    /// Bits; for arrays, of an element.
    pub width: u32,
    /// The width of an index if this is an array, 0 otherwise.
    pub index_width: u32,
}

/// The bits of the result, of the width that the node has, for arguments of the widths that the call gives them.
pub type Evaluate = Rc<dyn Fn(&[Bits], u32) -> Bits>;

/// What `Op::Call` calls.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub evaluate: Evaluate,
}

/// A function by its address, for callers that have its arguments as machine numbers. It gives the bits that
/// `Function::evaluate` gives, whatever the argument, and has no other effect that anybody looks at.
#[derive(Clone, Copy, Debug)]
pub enum Native {
    Double1(extern "C" fn(f64) -> f64),
    Double2(extern "C" fn(f64, f64) -> f64),
    Single1(extern "C" fn(f32) -> f32),
    Single2(extern "C" fn(f32, f32) -> f32),
}

impl Native {
    /// How many arguments there are.
    pub fn arguments(self) -> usize {
        match self {
            Native::Double1(_) | Native::Single1(_) => 1,
            Native::Double2(_) | Native::Single2(_) => 2,
        }
    }

    /// Bits of the result and of every argument.
    pub fn width(self) -> u32 {
        match self {
            Native::Double1(_) | Native::Double2(_) => 64,
            Native::Single1(_) | Native::Single2(_) => 32,
        }
    }
}

/// How a function reads its arguments, and how its result is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<NumberKind>,
    pub result: NumberKind,
    /// A call takes much longer than one of libm, as in another process.
    pub is_slow: bool,
}

pub struct Arena {
    pub(super) nodes: PrimaryMap<Expr, Node>,
    /// Of every node, in the order of their numbers.
    pub(super) facts: Vec<Facts>,
    pub(super) unique: HashTable<Expr>,
    /// Numbers of nodes that were collected.
    pub(super) free: Vec<Expr>,
    pub(super) wide: Pool<Bits>,
    /// Lists of expressions: elements of tables, arguments of calls.
    pub(super) lists: Pool<Box<[Expr]>>,
    pub(super) variables: PrimaryMap<VariableId, Variable>,
    pub(super) variable_numbers: FxHashMap<Variable, VariableId>,
    functions: PrimaryMap<FunctionId, Function>,
    natives: FxHashMap<FunctionId, Native>,
    signatures: FxHashMap<FunctionId, Rc<Signature>>,
    partitions: FxHashMap<FunctionId, Arc<[Partition]>>,
    pub(super) generation: u32,
    /// Whether rules are applied while building.
    pub(super) simplifies: bool,
    pub(super) effort: super::build::Effort,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena {
            nodes: PrimaryMap::new(),
            facts: Vec::new(),
            unique: HashTable::new(),
            free: Vec::new(),
            wide: Pool::new(Bits::zero(1)),
            lists: Pool::new(Box::default()),
            variables: PrimaryMap::new(),
            variable_numbers: FxHashMap::default(),
            functions: PrimaryMap::new(),
            natives: FxHashMap::default(),
            signatures: FxHashMap::default(),
            partitions: FxHashMap::default(),
            generation: 0,
            simplifies: true,
            effort: super::build::Effort::default(),
        }
    }
}

/// What a number stands for that was collected and not given out again. No other node has no bits.
pub(super) const FREED: Node = Node { op: Op::Constant, width: 0, a: 0, b: 0, c: 0 };

/// Half of a product mixed with the other half: every bit of the operands reaches every bit of it.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Nodes are looked up more often than anything else: a hash of their few words by two multiplications.
#[inline]
pub(super) fn hash(node: &Node) -> u64 {
    let head = FxBuildHasher.hash_one(node.op) ^ u64::from(node.width) << 32;
    let operands = u64::from(node.a) | u64::from(node.b) << 32;
    let first = fold(operands ^ 0x9e37_79b9_7f4a_7c15, head ^ 0xd6e8_feb8_6659_fd93);
    fold(first ^ u64::from(node.c), 0xa076_1d64_78bd_642f)
}

impl Arena {
    pub fn new() -> Arena {
        Arena::default()
    }

    /// An arena that builds exactly what it is told to: for tests of the rules, and to print expressions as they were built.
    pub fn without_rules() -> Arena {
        Arena { simplifies: false, ..Arena::default() }
    }

    /// Changes when numbers of expressions that nobody used any more may stand for others.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest number that an expression ever had: the size of a table by expression.
    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    /// What is known of the value without a solver. Nothing is known of values of more than 64 bits; of an array, it is what is
    /// known of every element.
    #[inline]
    pub fn facts(&self, expr: Expr) -> Facts {
        self.facts[expr.index()]
    }

    #[inline]
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr]
    }

    /// Bits of the value; for arrays, of an element.
    #[inline]
    pub fn width(&self, expr: Expr) -> u32 {
        self.nodes[expr].width
    }

    pub fn is_array(&self, expr: Expr) -> bool {
        matches!(self.nodes[expr].op, Op::ArrayVariable | Op::Table | Op::Store | Op::ArrayIte)
    }

    /// The width of an index of an array.
    pub fn index_width(&self, array: Expr) -> u32 {
        let mut node = self.nodes[array];
        while node.op == Op::ArrayIte {
            node = self.nodes[node.second()];
        }
        match node.op {
            Op::ArrayVariable => node.b,
            Op::Table => node.c,
            Op::Store => self.width(node.second()),
            _ => 0,
        }
    }

    /// The elements of a table that are given, from 0 on.
    pub fn elements(&self, table: Expr) -> &[Expr] {
        self.lists.get(self.nodes[table].a)
    }

    /// The arguments of a call.
    pub fn arguments(&self, call: Expr) -> &[Expr] {
        self.lists.get(self.nodes[call].b)
    }

    /// The expressions that a node is made of, in order.
    pub fn operands(&self, expr: Expr) -> SmallVec<[Expr; 3]> {
        let mut operands = SmallVec::new();
        self.for_each_operand(expr, |operand| operands.push(operand));
        operands
    }

    /// The same without a list.
    #[inline]
    pub fn for_each_operand(&self, expr: Expr, mut visit: impl FnMut(Expr)) {
        let node = self.nodes[expr];
        match node.op {
            Op::Constant | Op::Variable | Op::ArrayVariable => {}
            Op::Table => self.elements(expr).iter().for_each(|element| visit(*element)),
            Op::Call => self.arguments(expr).iter().for_each(|argument| visit(*argument)),
            _ => [node.first(), node.second(), node.third()].into_iter().take(node.op.operands()).for_each(visit),
        }
    }

    /// The bits of a constant of up to 64.
    #[inline]
    pub fn as_word(&self, expr: Expr) -> Option<u64> {
        let node = self.nodes[expr];
        (node.op == Op::Constant && node.width <= 64).then_some(u64::from(node.a) | u64::from(node.b) << 32)
    }

    /// The bits of a constant.
    pub fn as_constant(&self, expr: Expr) -> Option<Bits> {
        let node = self.nodes[expr];
        match node.op {
            Op::Constant if node.width <= 64 => {
                Some(Bits::from_u64(node.width, u64::from(node.a) | u64::from(node.b) << 32))
            }
            Op::Constant => Some(self.wide.get(node.a).clone()),
            _ => None,
        }
    }

    pub fn variable_of(&self, expr: Expr) -> Option<VariableId> {
        let node = self.nodes[expr];
        matches!(node.op, Op::Variable | Op::ArrayVariable).then(|| VariableId::from_u32(node.a))
    }

    pub fn variables(&self) -> &PrimaryMap<VariableId, Variable> {
        &self.variables
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }

    /// The same name is the same function.
    pub fn add_function(&mut self, function: Function) -> FunctionId {
        match self.functions.iter().find(|(_, known)| known.name == function.name) {
            Some((id, _)) => id,
            None => self.functions.push(function),
        }
    }

    /// The function of another arena, with all that is said of it there.
    pub(super) fn adopt(&mut self, from: &Arena, id: FunctionId) -> FunctionId {
        let own = self.add_function(from.function(id).clone());
        if let Some(native) = from.native(id) {
            self.natives.entry(own).or_insert(native);
        }
        if let Some(signature) = from.signatures.get(&id) {
            self.signatures.entry(own).or_insert_with(|| signature.clone());
        }
        if let Some(partitions) = from.partitions.get(&id) {
            self.partitions.entry(own).or_insert_with(|| partitions.clone());
        }
        own
    }

    /// The address of a function, if somebody said it.
    pub fn native(&self, id: FunctionId) -> Option<Native> {
        self.natives.get(&id).copied()
    }

    /// Says where a function is that has an address; see [`Native`] for what it must do.
    pub fn set_native(&mut self, id: FunctionId, native: Native) {
        self.natives.insert(id, native);
    }

    /// How a function reads its arguments, if somebody said it. For those who look for arguments; it changes no value.
    pub fn signature(&self, id: FunctionId) -> Option<&Rc<Signature>> {
        self.signatures.get(&id)
    }

    pub fn set_signature(&mut self, id: FunctionId, signature: Signature) {
        self.signatures.insert(id, Rc::new(signature));
    }

    /// The parts of a function's domain, as far as somebody named some.
    pub fn partitions(&self, id: FunctionId) -> Arc<[Partition]> {
        self.partitions.get(&id).cloned().unwrap_or_else(|| Arc::from([]))
    }

    pub fn set_partitions(&mut self, id: FunctionId, partitions: Arc<[Partition]>) {
        self.partitions.insert(id, partitions);
    }

    /// The number of the node, if it is there.
    #[inline]
    pub(super) fn find(&self, node: &Node) -> Option<Expr> {
        self.unique.find(hash(node), |expr| self.nodes[*expr] == *node).copied()
    }

    /// The node's number, new or known.
    pub(super) fn intern(&mut self, node: Node, facts: Facts) -> Expr {
        let hash_of = hash(&node);
        let nodes = &self.nodes;
        if let Some(found) = self.unique.find(hash_of, |expr| nodes[*expr] == node) {
            return *found;
        }
        let expr = match self.free.pop() {
            Some(expr) => {
                self.nodes[expr] = node;
                self.facts[expr.index()] = facts;
                expr
            }
            None => {
                self.facts.push(facts);
                self.nodes.push(node)
            }
        };
        let nodes = &self.nodes;
        self.unique.insert_unique(hash_of, expr, |expr| hash(&nodes[*expr]));
        expr
    }

    pub(super) fn intern_variable(&mut self, variable: Variable) -> VariableId {
        let variables = &mut self.variables;
        *self.variable_numbers.entry(variable).or_insert_with(|| variables.push(variable))
    }
}

/// For tests and dumps.
impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (expr, node) in self.nodes.iter().filter(|(_, node)| **node != FREED) {
            writeln!(f, "{expr} = {node:?}")?;
        }
        Ok(())
    }
}
