// section: Rust
// feature: parameters of numbers and pointers
// executed: yes
#[no_mangle]
pub unsafe fn f(p: *const i32, limit: i32) -> i32 {
    if !p.is_null() && *p > limit {
        1
    } else {
        0
    }
}
