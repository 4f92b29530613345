use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(min_items = 3, max_items = 2)]
    tags: Vec<String>,
}

fn main() {}
