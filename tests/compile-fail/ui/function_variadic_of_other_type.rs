//! A variadic parameter is a `Vec`.

use ferroform::Parameters;

#[derive(Parameters)]
struct Join {
    #[attr(variadic)]
    items: String,
}

fn main() {}
