use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    owner: Owner,
}

#[derive(Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
