use ferroform::Model;
use ferroform::validators::length_at_most;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = length_at_most(3))]
    size: i64,
}

fn main() {}
