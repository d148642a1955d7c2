// section: Rust
// feature: parameters of type `&[T]`, `&str`, and structs
// executed: yes
#[no_mangle]
pub fn f(s: &[u8]) -> i32 {
    if s.len() == 2 && s[0] == b'a' && s[1] == b'b' {
        1
    } else {
        0
    }
}
