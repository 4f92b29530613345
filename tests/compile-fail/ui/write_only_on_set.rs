use ferroform::{Model, Set};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only)]
    keys: Option<Set<String>>,
}

fn main() {}
