//! A lexer with checked arithmetic, checked indices and other panics: it is passed over, whatever they would print.
#![no_main]
unsafe extern "C" {
    fn symcrete_make_symbolic(at: *mut u8, bytes: usize, name: *const u8);
}
struct Lexer {
    position: usize,
    length: usize,
    word: [u8; 4],
    kind: u8,
}
static TEXT: [u8; 2] = *b"if";
fn next(lexer: &mut Lexer, input: &[u8]) -> u8 {
    while lexer.position < input.len() && input[lexer.position] == b' ' {
        lexer.position += 1;
    }
    lexer.length = 0;
    while input[lexer.position].is_ascii_lowercase() {
        lexer.word[lexer.length] = input[lexer.position];
        lexer.length += 1;
        lexer.position += 1;
    }
    lexer.kind = if lexer.length > 0 {
        b'w'
    } else {
        lexer.position += 1;
        *input.get(lexer.position - 1).unwrap()
    };
    if lexer.kind == b'!' {
        panic!("no {} here", lexer.kind);
    }
    lexer.kind
}
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let mut text = [0u8; 4];
    unsafe { symcrete_make_symbolic(text.as_mut_ptr(), text.len(), c"text".as_ptr().cast()) };
    let mut lexer = Lexer { position: 0, length: 0, word: [0; 4], kind: 0 };
    if next(&mut lexer, &text) != b'w' {
        return 2;
    }
    if lexer.length == 2 && lexer.word[0] == TEXT[0] && lexer.word[1] == TEXT[1] {
        return match next(&mut lexer, &text) {
            b'(' => 3,
            b'w' => 4,
            _ => 5,
        };
    }
    next(&mut lexer, &text);
    if lexer.kind == b'=' {
        6
    } else {
        7
    }
}
