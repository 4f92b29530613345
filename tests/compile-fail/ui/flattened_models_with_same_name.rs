use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(flatten)]
    owner: Owner,
    #[attr(flatten)]
    group: Group,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Group {
    name: String,
}

fn main() {}
