use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(min_items = 1)]
    tag: String,
}

fn main() {}
