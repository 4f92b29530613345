use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: String,
    #[attr(flatten)]
    owner: Owner,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    path: String,
}

fn main() {}
