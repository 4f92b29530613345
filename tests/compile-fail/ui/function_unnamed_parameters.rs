//! Parameters have names.

use ferroform::Parameters;

#[derive(Parameters)]
struct Join(String);

fn main() {}
