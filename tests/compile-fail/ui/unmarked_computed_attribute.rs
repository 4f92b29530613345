use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(computed)]
    id: String,
}

fn main() {}
