use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(write_only)]
    owner: Option<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(write_only)]
    key: Option<String>,
}

fn main() {}
