use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    #[attr(identity, write_only)]
    path: Option<String>,
}

fn main() {}
