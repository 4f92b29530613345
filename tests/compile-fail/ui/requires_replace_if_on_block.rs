use ferroform::Model;
use ferroform::schema::ValueChange;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block, requires_replace_if = renamed)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn renamed(_: &ValueChange<Owner>) -> bool {
    true
}

fn main() {}
