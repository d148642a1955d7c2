// section: Rust
// feature: checked arithmetic, bounds checks, `unwrap`, `panic!`
// executed: yes
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let o = if x == 2 { None } else { Some(x) };
    o.unwrap()
}
