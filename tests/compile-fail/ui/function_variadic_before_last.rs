//! Only the last parameter can be variadic.

use ferroform::Parameters;

#[derive(Parameters)]
struct Join {
    #[attr(variadic)]
    items: Vec<String>,
    separator: String,
}

fn main() {}
