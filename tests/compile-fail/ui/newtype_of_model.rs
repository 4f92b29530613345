use ferroform::{Attr, Model};

#[derive(Attr, Clone, Debug, PartialEq)]
struct Owner(Person);

#[derive(Model, Clone, Debug, PartialEq)]
struct Person {
    name: String,
}

fn main() {}
