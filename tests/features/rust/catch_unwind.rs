// section: Rust
// feature: `catch_unwind`
// executed: no: the program panicked
#[no_mangle]
pub fn f(x: i32) -> i32 {
    match std::panic::catch_unwind(|| {
        if x == 3 {
            panic!("no")
        }
        x
    }) {
        Ok(v) => v,
        Err(_) => -1,
    }
}
