use ferroform::{Dynamic, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    tags: ferroform::Set<Dynamic>,
}

fn main() {}
