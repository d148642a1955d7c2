// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
enum E {
    A(i32),
    B,
}
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let e = if x > 2 { E::A(x) } else { E::B };
    match e {
        E::A(5) => 1,
        E::A(_) => 2,
        E::B => 3,
    }
}
