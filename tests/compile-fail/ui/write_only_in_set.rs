use ferroform::{Model, Set};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    owners: Set<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    #[attr(write_only)]
    key: Option<String>,
}

fn main() {}
