use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(max_items = 0)]
    tags: Vec<String>,
}

fn main() {}
