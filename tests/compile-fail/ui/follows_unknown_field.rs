use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, follows(contents))]
    path: String,
    content: String,
}

fn main() {}
