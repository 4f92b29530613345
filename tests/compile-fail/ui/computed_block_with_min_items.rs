use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block, optional, computed, min_items = 1)]
    owner: Vec<Owner>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    #[attr(computed)]
    name: String,
}

fn main() {}
