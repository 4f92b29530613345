use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(mixed, computed)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(computed)]
    id: String,
}

fn main() {}
