//! Parameters are fields of a struct.

use ferroform::Parameters;

#[derive(Parameters)]
enum Join {
    Comma,
}

fn main() {}
