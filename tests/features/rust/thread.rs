// section: Rust
// feature: threads
// executed: refused: is declared but defined nowhere
#[no_mangle]
pub fn f(x: i32) -> i32 {
    if x == 2 {
        std::thread::spawn(|| {}).join().unwrap();
    }
    0
}
