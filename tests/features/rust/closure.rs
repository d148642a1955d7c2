// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let k = 3;
    let g = |y: i32| y.wrapping_add(k);
    if g(x) == 9 {
        1
    } else {
        0
    }
}
