// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
#[no_mangle]
pub fn f(x: f64) -> i32 {
    if x.sqrt() == 1.5 {
        1
    } else {
        0
    }
}
