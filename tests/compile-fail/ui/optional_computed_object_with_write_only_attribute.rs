use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(optional, computed)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    card: Option<Card>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Card {
    #[attr(write_only)]
    key: Option<String>,
}

fn main() {}
