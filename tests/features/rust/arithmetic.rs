// section: Rust
// feature: checked arithmetic, bounds checks, `unwrap`, `panic!`
// executed: yes
#[no_mangle]
pub fn f(x: i32) -> i32 {
    if x + 1 == 8 {
        1
    } else {
        0
    }
}
