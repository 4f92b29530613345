use ferroform::Model;
use ferroform::rule::{each_key, length_at_most};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(validate = each_key(length_at_most(3)))]
    tags: Vec<String>,
}

fn main() {}
