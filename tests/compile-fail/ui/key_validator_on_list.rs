use ferroform::Model;
use ferroform::validators::{each_key, length_at_most};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = each_key(length_at_most(3)))]
    tags: Vec<String>,
}

fn main() {}
