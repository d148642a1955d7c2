//! What runs before the entry and after it, written as a function of the program itself.

use symcrete_ir::{
    Block, BlockData, Body, CallData, Callee, Constant, FuncId, Function, Inst, Linkage, LocId, Operand, Param,
    Program, Reg, Terminator, Type,
};

use crate::external::{environment, parameters};

/// What is executed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A whole program.
    Main(FuncId),
    /// One function; its parameters are inputs.
    Function(FuncId),
    /// `LLVMFuzzerTestOneInput`: its data are the input.
    Fuzzer(FuncId),
}

impl Entry {
    pub fn function(self) -> FuncId {
        match self {
            Entry::Main(function) | Entry::Function(function) | Entry::Fuzzer(function) => function,
        }
    }
}

/// Adds a function (argc, argv, envp) that sets up the C runtime, runs the constructors, calls `main`, and exits with what that
/// returns.
pub fn add_start(program: &mut Program, main: FuncId) -> FuncId {
    let mut start = Start { program, body: Body::default(), insts: Vec::new() };
    let params = [Type::I32, Type::POINTER, Type::POINTER].map(|ty| (ty, start.body.registers.push(ty)));
    let arguments = params.map(|(ty, register)| (ty, Operand::from(register)));
    start.around(Entry::Main(main), &arguments);
    start.finish(&params)
}

/// Adds the same without parameters: all that the entry is given are inputs, or what `Config::environment` says. After a function
/// that is not `main` it exits with 0.
pub fn add_symbolic_start(program: &mut Program, entry: Entry) -> FuncId {
    let mut start = Start { program, body: Body::default(), insts: Vec::new() };
    let types = [Type::I32, Type::POINTER, Type::POINTER];
    let environment = start.external(environment::NAME, &[], &types);
    let arguments = start.call(environment, &[], &types);
    start.around(entry, &arguments);
    start.finish(&[])
}

struct Start<'a> {
    program: &'a mut Program,
    body: Body,
    insts: Vec<Inst>,
}

impl Start<'_> {
    /// The runtime, the entry and the exit.
    fn around(&mut self, entry: Entry, arguments: &[(Type, Operand)]) {
        if let Some(setup) = self.program.function_named("__symcrete_start") {
            self.call(setup, arguments, &[]);
        }
        // Destructors run when the handlers of `atexit` have run: registered first, called last.
        if let Some(atexit) = self.program.function_named("atexit") {
            for destructor in self.program.destructors.clone().into_iter().rev() {
                let address = self.program.constant(Constant::Function(destructor));
                self.call(atexit, &[(Type::POINTER, address.into())], &[]);
            }
        }
        for constructor in self.program.constructors.clone() {
            self.call(constructor, arguments, &[]);
        }
        let status = match entry {
            Entry::Main(main) => self.call_main(main, arguments),
            Entry::Function(function) => self.call_function(function),
            Entry::Fuzzer(function) => self.call_fuzzer(function),
        };
        let exit =
            self.program.function_named("exit").unwrap_or_else(|| self.external("__symcrete_exit", &[Type::I32], &[]));
        self.call(exit, &[(Type::I32, status)], &[]);
    }

    /// A call; what it returns.
    fn call(&mut self, callee: FuncId, args: &[(Type, Operand)], results: &[Type]) -> Vec<(Type, Operand)> {
        let registers: Vec<Reg> = results.iter().map(|ty| self.body.registers.push(*ty)).collect();
        let params = &self.program.functions[callee].params;
        let in_memory = params.iter().enumerate().filter_map(|(at, param)| Some((at as u32, param.by_value?, 8)));
        let data = CallData {
            callee: Callee::Direct(callee),
            fixed_args: args.len() as u32,
            arg_types: args.iter().map(|arg| arg.0).collect(),
            args: args.iter().map(|arg| arg.1).collect(),
            by_value: in_memory.filter(|(at, ..)| (*at as usize) < args.len()).collect(),
            results: registers.clone(),
            result_types: results.to_vec(),
            sign_extended: Vec::new(),
            sign_extended_result: false,
            must_tail: false,
        };
        self.insts.push(Inst::Call { call: self.body.calls.push(data) });
        results.iter().copied().zip(registers.into_iter().map(Operand::from)).collect()
    }

    fn call_main(&mut self, main: FuncId, arguments: &[(Type, Operand)]) -> Operand {
        // A `main` that returns nothing leaves the status to chance in C89; it is 0 here.
        let returns_status = self.program.functions[main].results.first() == Some(&Type::I32);
        let results = if returns_status { &[Type::I32][..] } else { &[] };
        let status = self.call(main, arguments, results).first().map(|result| result.1);
        status.unwrap_or_else(|| self.zero())
    }

    fn call_function(&mut self, function: FuncId) -> Operand {
        let (name, types) = {
            let function = &self.program.functions[function];
            (function.name.clone(), function.params.iter().map(|param| param.ty).collect::<Vec<Type>>())
        };
        let maker = self.external(&format!("{}{name}", parameters::PREFIX), &[], &types);
        let arguments = self.call(maker, &[], &types);
        self.call_ignoring(function, &arguments);
        self.zero()
    }

    fn call_fuzzer(&mut self, function: FuncId) -> Operand {
        let size_type = Type::int(self.program.layout.pointer_bits);
        let sizer = self.external("__symcrete_fuzzer_size", &[], &[size_type]);
        let size = self.call(sizer, &[], &[size_type]);
        let maker = self.external("__symcrete_fuzzer_data", &[size_type], &[Type::POINTER]);
        let data = self.call(maker, &size, &[Type::POINTER]);
        self.call_ignoring(function, &[data[0], size[0]]);
        self.zero()
    }

    /// A call whose results nobody reads.
    fn call_ignoring(&mut self, function: FuncId, arguments: &[(Type, Operand)]) {
        let results = self.program.functions[function].results.clone();
        self.call(function, arguments, &results);
    }

    fn zero(&mut self) -> Operand {
        self.program.word(Type::I32, 0).into()
    }

    /// A function whose body is the engine.
    fn external(&mut self, name: &str, params: &[Type], results: &[Type]) -> FuncId {
        if let Some(known) = self.program.function_named(name) {
            return known;
        }
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: params.iter().map(|ty| Param::new(*ty)).collect(),
            results: results.to_vec(),
            variadic: false,
            sign_extended_result: false,
            text_data: Vec::new(),
            linkage: Linkage::External,
            body: None,
            debug: None,
            runtime: true,
        })
    }

    fn finish(mut self, params: &[(Type, Reg)]) -> FuncId {
        let locs = vec![LocId::NOWHERE; self.insts.len()];
        let entry = self.body.blocks.push(BlockData {
            params: params.iter().map(|param| param.1).collect(),
            insts: self.insts,
            locs,
            terminator: Terminator::Unreachable,
            terminator_loc: LocId::NOWHERE,
        });
        debug_assert_eq!(entry, Block::ENTRY);
        self.program.functions.push(Function {
            name: "_start".to_owned(),
            params: params.iter().map(|param| Param::new(param.0)).collect(),
            results: Vec::new(),
            variadic: false,
            sign_extended_result: false,
            text_data: Vec::new(),
            linkage: Linkage::Internal,
            body: Some(self.body),
            debug: None,
            runtime: true,
        })
    }
}
