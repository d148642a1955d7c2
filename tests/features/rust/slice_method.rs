// section: Rust
// feature: arrays, slices made from pointers, iterators
// executed: no: Rust's standard library
#[no_mangle]
pub fn f(p: *const u8, n: usize) -> i32 {
    if n > 4 {
        return 0;
    }
    let s = unsafe { std::slice::from_raw_parts(p, n) };
    if s.starts_with(b"ab") {
        1
    } else {
        0
    }
}
