use ferroform::{Model, Set};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block)]
    owner: Set<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    #[attr(write_only)]
    key: Option<String>,
}

fn main() {}
