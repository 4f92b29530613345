use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block)]
    tags: Vec<String>,
}

fn main() {}
