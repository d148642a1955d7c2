// section: Rust
// feature: `Vec`, `String`, `format!`, `HashMap`, `println!`
// executed: no: Rust's standard library
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let mut v = Vec::new();
    v.push(x);
    v.push(2);
    if v[0] == 7 {
        1
    } else {
        0
    }
}
