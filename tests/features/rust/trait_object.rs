// section: Rust
// feature: integers, floats, structs, enums, `match`, `Option`, closures, generics, trait objects
// executed: yes
trait T {
    fn g(&self, x: i32) -> bool;
}
struct A;
struct B;
impl T for A {
    fn g(&self, x: i32) -> bool {
        x == 1
    }
}
impl T for B {
    fn g(&self, x: i32) -> bool {
        x == 2
    }
}
#[no_mangle]
pub fn f(k: bool, x: i32) -> i32 {
    let t: &dyn T = if k { &A } else { &B };
    if t.g(x) {
        1
    } else {
        0
    }
}
