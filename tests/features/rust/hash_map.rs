// section: Rust
// feature: `Vec`, `String`, `format!`, `HashMap`, `println!`
// executed: refused: is declared but defined nowhere
use std::collections::HashMap;
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let mut m = HashMap::new();
    m.insert(x, 1);
    *m.get(&3).unwrap_or(&0)
}
