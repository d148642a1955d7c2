//! Panics at three places, with a handler of the program's own: each place is a finding of its own.
#![no_std]
#![no_main]
unsafe extern "C" {
    fn klee_make_symbolic(at: *mut u8, bytes: usize, name: *const u8);
    fn abort() -> !;
}
mod handler {
    #[panic_handler]
    fn end(_: &core::panic::PanicInfo) -> ! {
        unsafe { super::abort() }
    }
}
static WORDS: [u8; 4] = [1, 2, 3, 4];
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let mut input = [0u8; 3];
    unsafe { klee_make_symbolic(input.as_mut_ptr(), 3, c"input".as_ptr().cast()) };
    if input[0] == 1 {
        panic!("first");
    }
    if input[0] == 2 {
        return Some(input[1]).filter(|byte| *byte > 5).unwrap() as i32;
    }
    WORDS[input[2] as usize] as i32
}
