use ferroform::{Attr};
#[derive(Attr, Clone, PartialEq)]
enum Size { Small, Large }
fn main() { }
