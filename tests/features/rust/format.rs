// section: Rust
// feature: `Vec`, `String`, `format!`, `HashMap`, `println!`
// executed: no: Rust's standard library
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let s = format!("{}", x);
    s.len() as i32
}
