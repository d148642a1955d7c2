// section: Rust
// feature: checked arithmetic, bounds checks, `unwrap`, `panic!`
// executed: yes
#[no_mangle]
pub fn f(i: usize) -> i32 {
    let a = [1, 2, 3];
    a[i]
}
