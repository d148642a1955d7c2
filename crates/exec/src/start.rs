//! What runs before `main` and after it, written as a function of the program itself.

use symcrete_ir::{
    Block, BlockData, Body, CallData, Callee, Constant, FuncId, Function, Inst, Linkage, LocId, Operand, Param,
    Program, Terminator, Type,
};

/// Adds a function (argc, argv, envp) that sets up the C runtime, runs the constructors, calls `main`, and exits with what it returns.
pub fn add_start(program: &mut Program, main: FuncId) -> FuncId {
    let mut body = Body::default();
    let params: Vec<_> = [Type::I32, Type::POINTER, Type::POINTER].map(|ty| (ty, body.registers.push(ty))).to_vec();
    let mut insts = Vec::new();
    let mut call = |body: &mut Body, callee: FuncId, args: Vec<(Type, Operand)>, result: Option<Type>| {
        let result = result.map(|ty| (ty, body.registers.push(ty)));
        let data = CallData {
            callee: Callee::Direct(callee),
            fixed_args: args.len() as u32,
            arg_types: args.iter().map(|arg| arg.0).collect(),
            args: args.iter().map(|arg| arg.1).collect(),
            by_value: Vec::new(),
            results: result.iter().map(|result| result.1).collect(),
            result_types: result.iter().map(|result| result.0).collect(),
            must_tail: false,
        };
        insts.push(Inst::Call { call: body.calls.push(data) });
        result.map(|result| Operand::from(result.1))
    };
    let arguments: Vec<(Type, Operand)> = params.iter().map(|(ty, reg)| (*ty, Operand::from(*reg))).collect();
    if let Some(setup) = program.function_named("__symcrete_start") {
        call(&mut body, setup, arguments.clone(), None);
    }
    // Destructors run when the handlers of `atexit` have run: registered first, called last.
    if let Some(atexit) = program.function_named("atexit") {
        for destructor in program.destructors.clone().into_iter().rev() {
            let address = program.constant(Constant::Function(destructor));
            call(&mut body, atexit, vec![(Type::POINTER, address.into())], None);
        }
    }
    for constructor in program.constructors.clone() {
        call(&mut body, constructor, arguments.clone(), None);
    }
    // A `main` that returns nothing leaves the status to chance in C89; it is 0 here.
    let returns_status = program.functions[main].results.first() == Some(&Type::I32);
    let status = call(&mut body, main, arguments, returns_status.then_some(Type::I32));
    let status = status.unwrap_or_else(|| program.word(Type::I32, 0).into());
    let exit = program.function_named("exit").or_else(|| program.function_named("__symcrete_exit"));
    let exit = exit.unwrap_or_else(|| {
        let param = Param { ty: Type::I32, by_value: None };
        program.functions.push(Function {
            name: "__symcrete_exit".to_owned(),
            params: vec![param],
            results: Vec::new(),
            variadic: false,
            linkage: Linkage::External,
            body: None,
            debug: None,
            runtime: true,
        })
    });
    call(&mut body, exit, vec![(Type::I32, status)], None);
    let locs = vec![LocId::NOWHERE; insts.len()];
    let entry = body.blocks.push(BlockData {
        params: params.iter().map(|param| param.1).collect(),
        insts,
        locs,
        terminator: Terminator::Unreachable,
        terminator_loc: LocId::NOWHERE,
    });
    debug_assert_eq!(entry, Block::ENTRY);
    program.functions.push(Function {
        name: "_start".to_owned(),
        params: params.iter().map(|param| Param { ty: param.0, by_value: None }).collect(),
        results: Vec::new(),
        variadic: false,
        linkage: Linkage::Internal,
        body: Some(body),
        debug: None,
        runtime: true,
    })
}
