//! Who calls whom: direct calls, and indirect calls resolved to the functions whose address is taken and whose signature
//! fits, or that fit no call and are similar. An over-approximation by types, not by values; what functions without a body call is unknown.

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::adjacency::Adjacency;
use crate::components::Components;
use crate::inst::{CallData, Callee};
use crate::{
    Block, Body, Call, Const, Constant, ConstantExpression, FuncId, Function, Inst, Operand, Program, Terminator, Type,
};

/// Where a call stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub caller: FuncId,
    pub block: Block,
    /// The number of the instruction; `None`: the terminator.
    pub inst: Option<u32>,
    pub call: Call,
}

/// A signature that some indirect calls have.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Signature(u32);
entity_impl!(Signature, "signature");

#[derive(Clone, Debug, Default)]
struct SignatureData {
    sites: Vec<CallSite>,
    candidates: Vec<FuncId>,
}

/// The nodes of the graph are the functions and, behind them, the signatures: a function points to the signatures it
/// calls, a signature to its candidates. So the graph stays linear in the program however many functions fit a call.
#[derive(Clone, Debug)]
pub struct CallGraph {
    functions: usize,
    direct_sites: Adjacency<CallSite>,
    signatures: PrimaryMap<Signature, SignatureData>,
    successors: Adjacency<u32>,
    predecessors: Adjacency<u32>,
    address_taken: Vec<FuncId>,
    /// The signature of each indirect call.
    signature_of_call: FxHashMap<(FuncId, Call), Signature>,
    components: Vec<Vec<FuncId>>,
    component_of: Vec<u32>,
    recursive: Vec<bool>,
}

/// Arguments' and results' types, and whether the call is one of the runtime's.
type SignatureKey = (Vec<Type>, Vec<Type>, bool);

/// What one walk over all bodies gathers.
#[derive(Default)]
struct Gathered {
    direct: Vec<(u32, CallSite)>,
    /// Of indirect calls.
    keys: FxHashMap<SignatureKey, Signature>,
    key_list: Vec<SignatureKey>,
    signatures: PrimaryMap<Signature, SignatureData>,
    signature_of_call: FxHashMap<(FuncId, Call), Signature>,
    constants: EntitySet<Const>,
}

impl CallGraph {
    pub fn new(program: &Program) -> Self {
        let mut gathered = Gathered::default();
        for (id, function) in program.functions.iter() {
            if let Some(body) = &function.body {
                gathered.body(id, body, function.runtime);
            }
        }
        let initialisers = program.globals.values().filter_map(|global| global.initialiser.as_ref());
        for relocation in initialisers.flat_map(|initialiser| &initialiser.relocations) {
            gathered.constants.insert(relocation.constant);
        }
        let address_taken = functions_in(program, &gathered.constants);
        gathered.match_candidates(program, &address_taken);
        Self::assemble(program.functions.len(), gathered, address_taken)
    }

    fn assemble(functions: usize, gathered: Gathered, address_taken: Vec<FuncId>) -> Self {
        let mut edges = Vec::new();
        for (callee, site) in &gathered.direct {
            edges.push((site.caller.as_u32(), *callee));
        }
        for (signature, data) in gathered.signatures.iter() {
            let node = (functions + signature.index()) as u32;
            edges.extend(data.sites.iter().map(|site| (site.caller.as_u32(), node)));
            edges.extend(data.candidates.iter().map(|callee| (node, callee.as_u32())));
        }
        edges.sort_unstable();
        edges.dedup();
        let nodes = functions + gathered.signatures.len();
        let successors = Adjacency::from_pairs(nodes, &edges);
        let backward: Vec<(u32, u32)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
        let mut graph = CallGraph {
            functions,
            direct_sites: Adjacency::from_pairs(functions, &gathered.direct),
            signatures: gathered.signatures,
            predecessors: Adjacency::from_pairs(nodes, &backward),
            address_taken,
            signature_of_call: gathered.signature_of_call,
            components: Vec::new(),
            component_of: vec![0; functions],
            recursive: vec![false; functions],
            successors,
        };
        graph.find_components();
        graph
    }

    fn find_components(&mut self) {
        let components = Components::of(&self.successors);
        for component in 0..components.members.nodes() {
            let members = components.members.of(component);
            let functions: Vec<FuncId> = members
                .iter()
                .filter(|node| (**node as usize) < self.functions)
                .map(|node| FuncId::from_u32(*node))
                .collect();
            if functions.is_empty() {
                continue;
            }
            for function in &functions {
                let calls_itself = self.successors.of(function.index()).contains(&function.as_u32());
                self.recursive[function.index()] = members.len() > 1 || calls_itself;
                self.component_of[function.index()] = self.components.len() as u32;
            }
            self.components.push(functions);
        }
    }

    /// The functions that `caller` may call, each once, by rising number.
    pub fn callees(&self, caller: FuncId) -> Vec<FuncId> {
        self.neighbours(&self.successors, caller)
    }

    /// The functions that may call `callee`, each once, by rising number.
    pub fn callers(&self, callee: FuncId) -> Vec<FuncId> {
        self.neighbours(&self.predecessors, callee)
    }

    fn neighbours(&self, lists: &Adjacency<u32>, function: FuncId) -> Vec<FuncId> {
        let mut found = Vec::new();
        for &node in lists.of(function.index()) {
            let through: &[u32] =
                if (node as usize) < self.functions { std::slice::from_ref(&node) } else { lists.of(node as usize) };
            found.extend(through.iter().map(|other| FuncId::from_u32(*other)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The calls that may reach `callee`: the direct ones, then the indirect ones.
    pub fn sites_of(&self, callee: FuncId) -> impl Iterator<Item = CallSite> + '_ {
        let signatures = self.predecessors.of(callee.index()).iter().filter(|node| **node as usize >= self.functions);
        let indirect = signatures
            .flat_map(|node| self.signatures[Signature::new(*node as usize - self.functions)].sites.iter().copied());
        self.direct_sites.of(callee.index()).iter().copied().chain(indirect)
    }

    /// All indirect calls.
    pub fn indirect_sites(&self) -> impl Iterator<Item = CallSite> + '_ {
        self.signatures.values().flat_map(|signature| signature.sites.iter().copied())
    }

    /// The functions that an indirect call may reach; none for other calls.
    pub fn candidates(&self, caller: FuncId, call: Call) -> &[FuncId] {
        match self.signature_of_call.get(&(caller, call)) {
            Some(signature) => &self.signatures[*signature].candidates,
            None => &[],
        }
    }

    /// The functions that are used otherwise than by calling them by name, by rising number.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }

    /// The functions grouped by mutual recursion; each group after all that it calls.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// The group of a function, as an index of `components`.
    pub fn component_of(&self, function: FuncId) -> usize {
        self.component_of[function.index()] as usize
    }

    /// Whether a function may be active twice at a time.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function.index()]
    }

    /// The functions that may run when one of the roots is called, the roots included.
    pub fn reachable_from(&self, roots: impl IntoIterator<Item = FuncId>) -> EntitySet<FuncId> {
        let mut seen = vec![false; self.successors.nodes()];
        let mut reached = EntitySet::new();
        let mut work: Vec<u32> = roots.into_iter().map(|root| root.as_u32()).collect();
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            if (node as usize) < self.functions {
                reached.insert(FuncId::from_u32(node));
            }
            work.extend_from_slice(self.successors.of(node as usize));
        }
        reached
    }
}

impl Gathered {
    fn body(&mut self, caller: FuncId, body: &Body, runtime: bool) {
        for (block, data) in body.blocks.iter() {
            for (at, inst) in data.insts.iter().enumerate() {
                body.visit_operands(inst, |operand| self.operand(operand));
                if let Inst::Call { call } = *inst {
                    self.call(CallSite { caller, block, inst: Some(at as u32), call }, &body.calls[call], runtime);
                }
            }
            body.visit_terminator_operands(&data.terminator, |operand| self.operand(operand));
            if let Terminator::Invoke { call, .. } = data.terminator {
                self.call(CallSite { caller, block, inst: None, call }, &body.calls[call], runtime);
            }
        }
        body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| self.operand(*arg));
    }

    fn operand(&mut self, operand: Operand) {
        if let Some(constant) = operand.as_const() {
            self.constants.insert(constant);
        }
    }

    fn call(&mut self, site: CallSite, data: &CallData, runtime: bool) {
        match data.callee {
            Callee::Direct(callee) => self.direct.push((callee.as_u32(), site)),
            Callee::Indirect(_) => {
                let key = (data.arg_types.clone(), data.result_types.clone(), runtime);
                let signature = *self.keys.entry(key.clone()).or_insert_with(|| {
                    self.key_list.push(key);
                    self.signatures.push(SignatureData::default())
                });
                self.signatures[signature].sites.push(site);
                self.signature_of_call.insert((site.caller, site.call), signature);
            }
            Callee::Intrinsic(..) | Callee::Unsupported(_) => {}
        }
    }

    fn match_candidates(&mut self, program: &Program, address_taken: &[FuncId]) {
        for (data, (args, results, _)) in self.signatures.values_mut().zip(&self.key_list) {
            let fits = |id: &&FuncId| fits(&program.functions[**id], args, results);
            data.candidates = address_taken.iter().filter(fits).copied().collect();
        }
        self.match_strays(program, address_taken);
    }

    /// Functions that fit no call: their pointers are called with other types than their own, if at all. The runtime does not.
    fn match_strays(&mut self, program: &Program, address_taken: &[FuncId]) {
        let mut matched = EntitySet::new();
        self.signatures.values().flat_map(|data| &data.candidates).for_each(|id| _ = matched.insert(*id));
        for stray in address_taken.iter().filter(|id| !matched.contains(**id)) {
            let function = &program.functions[*stray];
            // Methods are in the tables of their classes, called or not, and what languages with mangled names call has its type.
            if function.runtime || ["_Z", "_R"].iter().any(|prefix| function.name.starts_with(prefix)) {
                continue;
            }
            let similar = |(args, results, runtime): &SignatureKey| !runtime && is_similar(function, args, results);
            for (data, _) in self.signatures.values_mut().zip(&self.key_list).filter(|(_, key)| similar(key)) {
                data.candidates.push(*stray);
                data.candidates.sort_unstable();
            }
        }
    }
}

/// Whether a call finds the parameters of a function, as far as it has them, in registers of the same kind.
fn is_similar(function: &Function, args: &[Type], results: &[Type]) -> bool {
    let same = |a: &Type, b: &Type| a.float_kind().is_some() == b.float_kind().is_some();
    function.params.iter().zip(args).all(|(param, arg)| same(&param.ty, arg))
        && function.results.iter().zip(results).all(|(result, wanted)| same(result, wanted))
}

/// Whether a call with these types may reach a function. A call may ignore what the function returns.
fn fits(function: &Function, args: &[Type], results: &[Type]) -> bool {
    let count_fits = match function.variadic {
        true => function.params.len() <= args.len(),
        false => function.params.len() == args.len(),
    };
    count_fits
        && function.params.iter().zip(args).all(|(param, arg)| param.ty == *arg)
        && (results.is_empty() || function.results == results)
}

/// The functions that the given constants name, by rising number.
fn functions_in(program: &Program, used: &EntitySet<Const>) -> Vec<FuncId> {
    let mut found = EntitySet::new();
    let mut seen = EntitySet::new();
    let mut work: Vec<Const> = used.iter().collect();
    while let Some(constant) = work.pop() {
        if !seen.insert(constant) {
            continue;
        }
        match &program.constants[constant] {
            Constant::Function(function) => {
                found.insert(*function);
            }
            Constant::Expression(expression) => match expression {
                ConstantExpression::Binary { lhs, rhs, .. } | ConstantExpression::IntCompare { lhs, rhs, .. } => {
                    work.extend([*lhs, *rhs]);
                }
                ConstantExpression::Cast { src, .. } => work.push(*src),
                ConstantExpression::Select { condition, if_true, if_false, .. } => {
                    work.extend([*condition, *if_true, *if_false]);
                }
            },
            _ => {}
        }
    }
    found.iter().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn direct_indirect_and_recursive_calls() {
        let program = parse(
            "global @table size 8 align 8 = \"\" [0 @by_table]
             function @main() -> i32 {
             bb0:
               r0: i32 = call @even(i32 4)
               r1 = load ptr from @table
               r2: i32 = call *r1(i32 1)
               call @direct_only()
               return r2
             }
             function @even(i32) -> i32 {
             bb0(r0: i32):
               r1: i32 = call @odd(i32 r0)
               return r1
             }
             function @odd(i32) -> i32 {
             bb0(r0: i32):
               r1: i32 = call @even(i32 r0)
               return r1
             }
             function @by_table(i32) -> i32 {
             bb0(r0: i32):
               call *(inttoptr (ptrtoint @other_signature to i64) to ptr)(ptr 0)
               return r0
             }
             function @direct_only() {
             bb0:
               return
             }
             function @other_signature(ptr)
             function @never_called(i32) -> i32",
        )
        .unwrap();
        let graph = CallGraph::new(&program);
        let id = |name: &str| program.function_named(name).unwrap();
        assert_eq!(graph.address_taken(), [id("by_table"), id("other_signature")]);
        assert_eq!(graph.callees(id("main")), [id("even"), id("by_table"), id("direct_only")]);
        assert_eq!(graph.callers(id("by_table")), [id("main")]);
        assert_eq!(graph.callees(id("by_table")), [id("other_signature")]);
        assert_eq!(graph.sites_of(id("by_table")).count(), 1);
        assert_eq!(graph.candidates(id("main"), Call::from_u32(1)), [id("by_table")]);
        assert!(graph.candidates(id("main"), Call::from_u32(0)).is_empty());
        assert!(graph.is_recursive(id("even")) && graph.is_recursive(id("odd")) && !graph.is_recursive(id("main")));
        assert_eq!(graph.component_of(id("even")), graph.component_of(id("odd")));
        assert!(graph.component_of(id("even")) < graph.component_of(id("main")));
        let reachable = graph.reachable_from([id("main")]);
        assert!(reachable.contains(id("other_signature")) && !reachable.contains(id("never_called")));
    }

    #[test]
    fn recursion_through_a_pointer() {
        let program = parse(
            "function @visit(ptr) {
             bb0(r0: ptr):
               call *r0(@visit)
               return
             }",
        )
        .unwrap();
        let graph = CallGraph::new(&program);
        assert!(graph.is_recursive(program.function_named("visit").unwrap()));
    }
}
