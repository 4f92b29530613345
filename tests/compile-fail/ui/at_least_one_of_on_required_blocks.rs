use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: Option<String>,
    #[attr(block, min_items = 1, at_least_one_of(path))]
    disk: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
