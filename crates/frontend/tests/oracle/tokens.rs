//! Splitting LLVM's text into tokens, and removing what is not compared.

/// Tokens of a text: words, quoted strings, single punctuation. Names lose their quotes.
fn split(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let end = 1 + rest[1..].find('"').unwrap() + 1;
            tokens.push(rest[..end].to_string());
            rest = &rest[end..];
        } else if matches!(first, '@' | '%' | '$' | '!' | 'c') && rest[1..].starts_with('"') {
            let end = 2 + rest[2..].find('"').unwrap();
            let inner = &rest[2..end];
            // Strings keep their quotes, names need none.
            tokens.push(if first == 'c' { format!("c\"{inner}\"") } else { format!("{first}{inner}") });
            rest = &rest[end + 1..];
        } else if first == ';' {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else {
            let is_word = |c: char| c.is_ascii_alphanumeric() || "_.$-+@%!#".contains(c) || !c.is_ascii();
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(1);
            tokens.push(rest[..length].to_string());
            rest = &rest[length..];
        }
        rest = rest.trim_start();
    }
    tokens
}

/// Tokens with pointers made opaque, floats made bits, and neither attachments nor `inrange`.
pub fn normalize(text: &str) -> Vec<String> {
    let tokens = opaque_pointers(split(text));
    let tokens = float_bits(tokens);
    let tokens = without_splats(without_inrange(tokens));
    without_block_of_addresses(without_attachments(tokens))
}

/// A function's header without attributes and metadata.
pub fn header(text: &str) -> String {
    let tokens = without_attributes(normalize(text.trim_end_matches('{')));
    tokens.join(" ")
}

/// An instruction without attributes of calls.
pub fn instruction(text: &str) -> String {
    let mut tokens = normalize(text);
    if tokens.iter().any(|token| matches!(token.as_str(), "call" | "invoke" | "callbr")) {
        tokens = without_metadata_operands(without_attributes(tokens));
    }
    if tokens.iter().any(|token| token == "shufflevector") {
        // Undefined places of masks changed their name.
        tokens.iter_mut().filter(|token| *token == "undef").for_each(|token| *token = "poison".to_string());
    }
    tokens.join(" ")
}

/// Removes the last whole type (or other bracketed thing) from a list of tokens.
fn pop_type(tokens: &mut Vec<String>) {
    let Some(last) = tokens.pop() else { return };
    let closing = matches!(last.as_str(), ")" | "]" | "}" | ">");
    if !closing {
        return;
    }
    let mut depth = 1;
    while depth > 0 {
        match tokens.pop().as_deref() {
            Some(")" | "]" | "}" | ">") => depth += 1,
            Some("(" | "[" | "{" | "<") => depth -= 1,
            Some(_) => {}
            None => return,
        }
    }
    if last == ")" {
        // A function type: its result stands before the parentheses.
        pop_type(tokens);
    }
}

/// `T*` becomes `ptr`, whatever T is.
fn opaque_pointers(tokens: Vec<String>) -> Vec<String> {
    let mut output: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if token == "*" {
            pop_type(&mut output);
            output.push("ptr".to_string());
        } else {
            output.push(token);
        }
    }
    output
}

/// Floats are written in several ways; all become `fbits.` and their bits.
fn float_bits(mut tokens: Vec<String>) -> Vec<String> {
    let mut current = String::new();
    for token in &mut tokens {
        if matches!(token.as_str(), "half" | "bfloat" | "float" | "double" | "x86_fp80" | "fp128" | "ppc_fp128") {
            current = token.clone();
        } else if let Some(bits) = bits_of(&current, token) {
            *token = format!("fbits.{bits:x}");
        }
    }
    tokens
}

fn bits_of(ty: &str, token: &str) -> Option<u128> {
    if ty.is_empty() {
        return None;
    }
    if let Some(digits) = token.strip_prefix("0x") {
        let number = |digits: &str| u128::from_str_radix(digits, 16).ok();
        return match digits.as_bytes().first()? {
            b'H' | b'R' | b'K' => number(&digits[1..]),
            b'L' | b'M' => {
                let (low, high) = digits[1..].split_at_checked(16)?;
                Some(number(high)? << 64 | number(low)?)
            }
            _ if ty == "float" => {
                let bits = number(digits)? as u64;
                Some(u128::from(narrow(bits)))
            }
            _ => number(digits),
        };
    }
    let decimal = token.starts_with(|c: char| c.is_ascii_digit() || c == '-') && token.contains('.');
    let value: f64 = if decimal { token.parse().ok()? } else { return None };
    Some(match ty {
        "float" => (value as f32).to_bits().into(),
        _ => value.to_bits().into(),
    })
}

/// The bits of a float that are written as those of a double. Done by hand, since hardware changes some NaNs.
fn narrow(bits: u64) -> u32 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        return ((bits >> 63) as u32) << 31 | 0x7f80_0000 | (bits >> 29 & 0x7f_ffff) as u32;
    }
    (value as f32).to_bits()
}

/// Index of the token after the bracket that closes the one at `open`.
fn after_group(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

fn without_inrange(tokens: Vec<String>) -> Vec<String> {
    let mut output = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while index < tokens.len() {
        if tokens[index] == "inrange" {
            index += 1;
            if tokens.get(index).is_some_and(|token| token == "(") && output.last().is_some_and(|last| last != ",") {
                index = after_group(&tokens, index);
            }
            continue;
        }
        output.push(tokens[index].clone());
        index += 1;
    }
    output
}

/// `<2 x i8> splat (i8 1)` becomes `<2 x i8> <i8 1, i8 1>`, as it was written before LLVM 21.
fn without_splats(tokens: Vec<String>) -> Vec<String> {
    let mut output: Vec<String> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while index < tokens.len() {
        if tokens[index] == "splat" && tokens.get(index + 1).is_some_and(|token| token == "(") {
            let end = after_group(&tokens, index + 1);
            let open = output.iter().rposition(|token| token == "<").unwrap();
            let count: usize = output[open + 1].parse().unwrap();
            let element = &tokens[index + 2..end - 1];
            output.push("<".to_string());
            output.extend(vec![element; count].join(&",".to_string()));
            output.push(">".to_string());
            index = end;
            continue;
        }
        output.push(tokens[index].clone());
        index += 1;
    }
    output
}

/// `, !dbg !5` and the like at the end.
fn without_attachments(mut tokens: Vec<String>) -> Vec<String> {
    while let [.., comma, kind, node] = tokens.as_slice()
        && comma == ","
        && kind.starts_with('!')
        && node.starts_with('!')
    {
        tokens.truncate(tokens.len() - 3);
    }
    tokens
}

/// Blocks whose address is taken have numbers of another function.
fn without_block_of_addresses(mut tokens: Vec<String>) -> Vec<String> {
    let mut index = 0;
    while index + 4 < tokens.len() {
        if tokens[index] == "blockaddress" {
            tokens[index + 4] = "%".to_string();
        }
        index += 1;
    }
    tokens
}

/// Attributes of functions, parameters and results, attribute groups, and metadata after functions.
fn without_attributes(tokens: Vec<String>) -> Vec<String> {
    const ATTRIBUTES: &[&str] = &[
        "noundef",
        "signext",
        "zeroext",
        "nonnull",
        "noalias",
        "nocapture",
        "byval",
        "sret",
        "dereferenceable",
        "dereferenceable_or_null",
        "elementtype",
        "returned",
        "readonly",
        "writeonly",
        "readnone",
        "immarg",
        "range",
        "captures",
        "inreg",
        "nofpclass",
        "initializes",
        "dead_on_unwind",
        "writable",
        "dead_on_return",
        "nest",
        "swiftself",
        "swifterror",
        "allocalign",
        "allocptr",
        "noext",
        "inalloca",
    ];
    let mut output: Vec<String> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while index < tokens.len() {
        let token = tokens[index].as_str();
        let next = tokens.get(index + 1).map(String::as_str);
        if ATTRIBUTES.contains(&token) {
            index = if next == Some("(") { after_group(&tokens, index + 1) } else { index + 1 };
        } else if token == "align" || token == "!dbg" {
            index += 2;
        } else if token.starts_with('#') {
            index += 1;
        } else {
            output.push(token.to_string());
            index += 1;
        }
    }
    output
}

/// What metadata is passed is not compared here.
fn without_metadata_operands(tokens: Vec<String>) -> Vec<String> {
    let mut output = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while index < tokens.len() {
        output.push(tokens[index].clone());
        let metadata = tokens[index] == "metadata";
        index += 1;
        while metadata && index < tokens.len() && tokens[index] != "," && tokens[index] != ")" {
            let group = matches!(tokens[index].as_str(), "(" | "[" | "{" | "<");
            index = if group { after_group(&tokens, index) } else { index + 1 };
        }
    }
    output
}
