use ferroform::{Dynamic, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    tags: Vec<Dynamic>,
}

fn main() {}
