use ferroform::Model;
use ferroform::rule::{each, length_at_most};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = each(length_at_most(3)))]
    sizes: Vec<i64>,
}

fn main() {}
