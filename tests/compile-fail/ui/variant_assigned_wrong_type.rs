use ferroform::{Attr, Model, Set};

#[derive(Attr, Clone, Debug, PartialEq)]
enum Source {
    Keys(Set<Key>),
    Text(String),
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Key {
    #[attr(write_only)]
    secret: Option<String>,
}

fn main() {}
