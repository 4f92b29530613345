use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    #[attr(block)]
    card: Option<Card>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Card {
    number: String,
}

fn main() {}
