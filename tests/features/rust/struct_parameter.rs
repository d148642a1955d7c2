// section: Rust
// feature: parameters of type `&[T]`, `&str`, and structs
// executed: yes
#[repr(C)]
pub struct P {
    a: i32,
    b: u8,
}
#[no_mangle]
pub fn f(p: P) -> i32 {
    if p.a == 5 && p.b == 6 {
        1
    } else {
        0
    }
}
