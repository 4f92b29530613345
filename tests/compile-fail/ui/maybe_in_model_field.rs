use ferroform::{Maybe, Model};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: Maybe<String>,
}

fn main() {}
