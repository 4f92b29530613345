use ferroform::Model;
use ferroform::validators::{each, length_at_most};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = each(length_at_most(3)))]
    sizes: Vec<i64>,
}

fn main() {}
