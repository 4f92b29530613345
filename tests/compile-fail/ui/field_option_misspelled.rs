use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(requires_replac)]
    path: String,
}

fn main() {}
