use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(block)]
    tag: Option<String>,
}

fn main() {}
