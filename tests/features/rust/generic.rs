// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
fn m<T: PartialOrd>(a: T, b: T) -> T {
    if a < b {
        b
    } else {
        a
    }
}
#[no_mangle]
pub fn f(x: i32) -> i32 {
    if m(x, 3) == 9 {
        1
    } else {
        0
    }
}
