use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, requires_replace)]
    path: String,
}

fn main() {}
