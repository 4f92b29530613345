use ferroform::{Model, pattern};

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires(pattern!(super.disk)))]
    path: Option<String>,
    #[attr(block, min_items = 1)]
    disk: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
}

fn main() {}
