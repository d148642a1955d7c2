// section: Rust
// feature: `fn main`
// executed: no: Rust's standard library
fn main() {
    println!("hi");
}
