use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: Option<String>,
    #[attr(block, conflicts_with(path))]
    owner: Owner,
    #[attr(block, min_items = 1, requires(path))]
    part: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
