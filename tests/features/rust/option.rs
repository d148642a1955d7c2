// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
fn g(x: i32) -> Option<i32> {
    if x > 3 {
        Some(x)
    } else {
        None
    }
}
#[no_mangle]
pub fn f(x: i32) -> i32 {
    match g(x) {
        Some(9) => 1,
        Some(_) => 2,
        None => 3,
    }
}
