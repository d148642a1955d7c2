//! Reads the text form that `print` writes: programs for tests. One statement stands on a line; a comment of the form
//! `; file:line:column (function) < ...` is the location of the line's instruction, any other comment is skipped.
//!
//! What is read is as the text says and need not be valid; `verify` tells. The target, if it is left out, has 64-bit
//! pointers. Debug types are not in the text.

mod body;
mod cursor;
mod lexer;

use rustc_hash::FxHashMap;

use crate::debug::{FunctionDebug, Loc, SourceFile};
use crate::error::{Error, SyntaxProblem};
use crate::ids::FileId;
use crate::{
    FuncId, Function, Global, GlobalId, Initialiser, Layout, Linkage, LocId, Param, Program, Relocation, Type,
};
use body::BodyParser;
use cursor::{Cursor, number};
use lexer::{Lexer, Token};

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, Error> {
    let layout = Layout { triple: "x86_64-unknown-linux-gnu".to_string(), pointer_bits: 64 };
    let mut reader = Reader { program: Program::new(layout), names: FxHashMap::default(), files: FxHashMap::default() };
    let mut lines = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let line = at as u32 + 1;
        let (tokens, comment) = lexer::tokens(text, line)?;
        if !tokens.is_empty() {
            lines.push(Line { number: line, tokens, comment });
        }
    }
    reader.declare(&lines)?;
    let mut open: Option<(FuncId, BodyParser)> = None;
    let mut last = 1;
    for line in &lines {
        last = line.number;
        open = match open.take() {
            Some((id, body)) if line.is("}") => {
                reader.program.functions[id].body = Some(body.finish(line.number)?);
                None
            }
            Some((id, mut body)) => {
                body.line(&mut reader, id, line)?;
                Some((id, body))
            }
            None => reader.top_level(line)?,
        };
    }
    match open {
        Some(_) => Err(Error::Syntax { line: last, problem: SyntaxProblem::OpenFunction }),
        None => Ok(reader.program),
    }
}

struct Line<'a> {
    number: u32,
    tokens: Vec<Token>,
    comment: Option<&'a str>,
}

impl Line<'_> {
    fn is(&self, mark: &str) -> bool {
        matches!(self.tokens.as_slice(), [Token::Punctuation(only)] if *only == mark)
    }
}

#[derive(Copy, Clone)]
enum Named {
    Global(GlobalId),
    Function(FuncId),
}

/// What all lines share.
struct Reader {
    program: Program,
    names: FxHashMap<String, Named>,
    files: FxHashMap<String, FileId>,
}

impl Reader {
    /// Gives every global and function its number, so that lines may name what comes later.
    fn declare(&mut self, lines: &[Line<'_>]) -> Result<(), Error> {
        for line in lines {
            let [Token::Word(word), Token::Name { key, .. }, ..] = line.tokens.as_slice() else {
                continue;
            };
            let name = match key.rsplit_once('#') {
                Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => name,
                _ => key,
            };
            let named = match word.as_str() {
                "global" => Named::Global(self.program.globals.push(empty_global(name))),
                "function" => Named::Function(self.program.functions.push(empty_function(name))),
                _ => continue,
            };
            if self.names.insert(key.clone(), named).is_some() {
                let problem = SyntaxProblem::DefinedTwice(key.clone());
                return Err(Error::Syntax { line: line.number, problem });
            }
        }
        Ok(())
    }

    /// A line outside of all functions; the function that it opens, if it opens one.
    fn top_level(&mut self, line: &Line<'_>) -> Result<Option<(FuncId, BodyParser)>, Error> {
        let mut cursor = Cursor::new(line);
        let word = cursor.word("`target`, `global`, `constructors`, `destructors` or `function`")?;
        let opened = match word {
            "target" => {
                self.program.layout.triple = cursor.text()?;
                cursor.expect_word("pointers")?;
                self.program.layout.pointer_bits = cursor.integer()?;
                None
            }
            "global" => {
                self.global(&mut cursor)?;
                None
            }
            "constructors" => {
                self.program.constructors = self.function_list(&mut cursor)?;
                None
            }
            "destructors" => {
                self.program.destructors = self.function_list(&mut cursor)?;
                None
            }
            "function" => {
                let (id, opens) = self.function(&mut cursor, line)?;
                opens.then(|| (id, BodyParser::default()))
            }
            _ => return cursor.unexpected("`target`, `global`, `constructors`, `destructors` or `function`"),
        };
        cursor.end()?;
        Ok(opened)
    }

    fn function_list(&self, cursor: &mut Cursor<'_>) -> Result<Vec<FuncId>, Error> {
        let mut functions = Vec::new();
        loop {
            functions.push(self.function_name(cursor)?);
            if !cursor.accept(",") {
                return Ok(functions);
            }
        }
    }

    fn named(&self, cursor: &Cursor<'_>, key: &str) -> Result<Named, Error> {
        match self.names.get(key) {
            Some(named) => Ok(*named),
            None => cursor.fail(SyntaxProblem::UnknownName(key.to_string())),
        }
    }

    fn function_name(&self, cursor: &mut Cursor<'_>) -> Result<FuncId, Error> {
        let (key, _) = cursor.name()?;
        match self.named(cursor, &key)? {
            Named::Function(function) => Ok(function),
            Named::Global(_) => cursor.fail(SyntaxProblem::UnknownName(key)),
        }
    }

    fn global(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Error> {
        let (key, _) = cursor.name()?;
        let Named::Global(id) = self.named(cursor, &key)? else {
            return cursor.fail(SyntaxProblem::DefinedTwice(key));
        };
        let mut global = empty_global(&self.program.globals[id].name);
        loop {
            match cursor.word("`size`")? {
                "internal" => global.linkage = Linkage::Internal,
                "readonly" => global.read_only = true,
                "thread_local" => global.thread_local = true,
                "runtime" => global.runtime = true,
                "size" => break,
                _ => return cursor.unexpected("`size`"),
            }
        }
        global.size = cursor.integer()?;
        cursor.expect_word("align")?;
        global.align = cursor.integer()?;
        if cursor.accept("=") {
            let digits = cursor.text()?;
            let Some(bytes) = hexadecimal_bytes(&digits) else {
                return cursor.fail(SyntaxProblem::BadNumber(digits));
            };
            let mut relocations = Vec::new();
            if cursor.accept("[") {
                loop {
                    let offset = cursor.integer()?;
                    let constant = cursor.constant(self, 0)?;
                    relocations.push(Relocation { offset, constant });
                    if !cursor.accept(",") {
                        break;
                    }
                }
                cursor.expect("]")?;
            }
            global.initialiser = Some(Initialiser { bytes, relocations });
        }
        self.program.globals[id] = global;
        Ok(())
    }

    fn function(&mut self, cursor: &mut Cursor<'_>, line: &Line<'_>) -> Result<(FuncId, bool), Error> {
        let id = self.function_name(cursor)?;
        let mut function = empty_function(&self.program.functions[id].name);
        cursor.expect("(")?;
        while !cursor.accept(")") {
            if cursor.accept("...") {
                function.variadic = true;
            } else {
                let ty = cursor.ty()?;
                let by_value = if cursor.accept_word("byval") { Some(cursor.integer()?) } else { None };
                let zero_extended = cursor.accept_word("zeroext");
                function.params.push(Param { ty, by_value, zero_extended });
            }
            cursor.accept(",");
        }
        if cursor.accept("->") {
            function.results = result_types(cursor)?;
        }
        function.sign_extended_result = cursor.accept_word("signext");
        loop {
            match cursor.peek_word() {
                Some("internal") => function.linkage = Linkage::Internal,
                Some("runtime") => function.runtime = true,
                _ => break,
            }
            cursor.skip();
        }
        if let Some((file, line, name)) = self.declaration(line)? {
            let name = name.unwrap_or_else(|| function.name.clone());
            function.debug = Some(Box::new(FunctionDebug { name, file: Some(file), line, ..Default::default() }));
        }
        self.program.functions[id] = function;
        Ok((id, cursor.accept("{")))
    }

    /// The file, line and name in the comment behind a declaration.
    fn declaration(&mut self, line: &Line<'_>) -> Result<Option<(FileId, u32, Option<String>)>, Error> {
        let Some(comment) = line.comment else { return Ok(None) };
        Ok(spots(comment, line.number)?.first().map(|spot| (self.file(&spot.file), spot.line, spot.function.clone())))
    }

    /// The location in the comment behind an instruction of a function.
    fn loc(&mut self, line: &Line<'_>, function: FuncId) -> Result<LocId, Error> {
        let Some(comment) = line.comment else { return Ok(LocId::NOWHERE) };
        let mut outer = None;
        for spot in spots(comment, line.number)?.into_iter().rev() {
            let file = self.file(&spot.file);
            let function = spot.function.unwrap_or_else(|| self.program.functions[function].source_name().to_string());
            let loc = Loc { file, line: spot.line, column: spot.column, function: function.into(), inlined_at: outer };
            outer = Some(self.program.debug.loc(loc));
        }
        Ok(outer.unwrap_or(LocId::NOWHERE))
    }

    fn file(&mut self, name: &str) -> FileId {
        *self.files.entry(name.to_string()).or_insert_with(|| {
            self.program.debug.files.push(SourceFile { name: name.to_string(), directory: String::new() })
        })
    }
}

/// One place of a location comment.
struct Spot {
    file: String,
    line: u32,
    column: u32,
    function: Option<String>,
}

/// The places that a comment names, innermost first; none if it is just a comment.
fn spots(comment: &str, line: u32) -> Result<Vec<Spot>, Error> {
    let mut spots = Vec::new();
    let mut lexer = Lexer::new(comment, line);
    loop {
        let file = lexer.file_path()?;
        let (place, rest) = lexer.rest().split_once(' ').unwrap_or((lexer.rest(), ""));
        let mut numbers = place.split(':');
        let (Some(""), Some(Ok(at))) = (numbers.next(), numbers.next().map(number)) else {
            return Ok(Vec::new());
        };
        let column = numbers.next().and_then(|digits| number(digits).ok()).unwrap_or(0);
        let mut rest = rest;
        let mut function = None;
        if let Some(after) = rest.strip_prefix('(') {
            lexer = Lexer::new(after, line);
            function = Some(lexer.plain_or_quoted()?);
            rest = lexer.rest().trim_start_matches(')').trim_start();
        }
        spots.push(Spot { file, line: at, column, function });
        match rest.strip_prefix("< ") {
            Some(outer) => lexer = Lexer::new(outer, line),
            None => return Ok(spots),
        }
    }
}

fn result_types(cursor: &mut Cursor<'_>) -> Result<Vec<Type>, Error> {
    if !cursor.accept("(") {
        return Ok(vec![cursor.ty()?]);
    }
    let mut types = Vec::new();
    while !cursor.accept(")") {
        types.push(cursor.ty()?);
        cursor.accept(",");
    }
    Ok(types)
}

fn hexadecimal_bytes(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = digits.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
    let (pairs, rest) = digits.as_ref()?.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

fn empty_global(name: &str) -> Global {
    Global {
        name: name.to_string(),
        linkage: Linkage::External,
        size: 0,
        align: 1,
        read_only: false,
        thread_local: false,
        initialiser: None,
        debug: None,
        runtime: false,
    }
}

fn empty_function(name: &str) -> Function {
    Function {
        name: name.to_string(),
        params: Vec::new(),
        results: Vec::new(),
        variadic: false,
        sign_extended_result: false,
        text_data: Vec::new(),
        linkage: Linkage::External,
        body: None,
        debug: None,
        runtime: false,
    }
}

#[cfg(test)]
mod tests;
