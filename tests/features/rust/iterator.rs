// section: Rust
// feature: arrays, slices made from pointers, iterators
// executed: yes
#[no_mangle]
pub fn f(x: i32) -> i32 {
    let a = [x, 2, 3];
    if a.iter().sum::<i32>() == 10 {
        1
    } else {
        0
    }
}
