use ferroform::Model;

#[derive(Model, Clone, Debug, PartialEq)]
struct File {
    path: Option<Option<String>>,
}

fn main() {}
