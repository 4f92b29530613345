use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, max_items = 2)]
    tags: Vec<String>,
}

fn main() {}
