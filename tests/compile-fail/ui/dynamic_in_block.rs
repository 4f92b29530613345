use ferroform::{Dynamic, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block)]
    owner: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: Dynamic,
}

fn main() {}
