// section: Rust
// feature: atomics
// executed: yes
use std::sync::atomic::*;
static N: AtomicI32 = AtomicI32::new(3);
#[no_mangle]
pub fn f(x: i32) -> i32 {
    N.fetch_add(x, Ordering::SeqCst);
    if N.load(Ordering::SeqCst) == 9 {
        1
    } else {
        0
    }
}
