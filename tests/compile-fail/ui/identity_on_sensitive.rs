use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, requires_replace, sensitive)]
    path: String,
}

fn main() {}
