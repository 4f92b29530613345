use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(min_items = "1")]
    tags: Vec<String>,
}

fn main() {}
