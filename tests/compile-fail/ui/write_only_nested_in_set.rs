use ferroform::{Model, Set};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    owners: Set<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    card: Option<Card>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Card {
    #[attr(write_only)]
    key: Option<String>,
}

fn main() {}
