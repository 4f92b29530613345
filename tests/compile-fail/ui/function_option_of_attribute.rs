//! A parameter has no options of attributes.

use ferroform::Parameters;

#[derive(Parameters)]
struct Join {
    #[attr(default = ",")]
    separator: String,
}

fn main() {}
