use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, requires_replace, required_for_import)]
    path: String,
}

fn main() {}
