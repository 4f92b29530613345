use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(computed, follows(path))]
    path: String,
}

fn main() {}
